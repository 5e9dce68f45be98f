import { count, options, position } from "./check.js";
import { PosencError } from "./errors.js";
import type { Floats, Floats32, NewFloats } from "./float_buffer.js";
import { apart, lengthOf, newFloats, sizeOf } from "./floats.js";
import type { Memory } from "./memory.js";
import type { Gradient, Pointer, Status } from "./module.js";
import { type Held, Owned } from "./owned.js";
import type { PositionsInput } from "./positions.js";

/** Positions of the rows and columns of a matrix of scores. */
export interface ScorePositions {
  readonly queries: PositionsInput;
  readonly keys: PositionsInput;
}

type BiasVerb = (
  self: Pointer,
  queryKind: number,
  queryFirst: number,
  queryCount: number,
  keyKind: number,
  keyFirst: number,
  keyCount: number,
  out: Pointer,
  size: number,
) => Status;

/** What an encoding with a bias for every query and key is made of. @internal */
export interface ScoreBiasParts {
  readonly name: string;
  readonly heads: number;
  readonly address: Pointer;
  readonly dispose: (address: Pointer) => void;
  readonly held?: Held | undefined;
  readonly bias: BiasVerb;
}

/** What an encoding with a bias for every distance is made of. @internal */
export interface BiasParts extends ScoreBiasParts {
  readonly distances: (self: Pointer, first: number, out: Pointer, size: number) => Status;
}

/** An encoding that is added to the scores and depends on the positions of query and key alone. */
export abstract class ScoreBias extends Owned {
  /** @internal */
  protected readonly memory: Memory;
  /** @internal */
  protected readonly parts: ScoreBiasParts;

  /** @internal */
  constructor(memory: Memory, parts: ScoreBiasParts) {
    super(parts.address, parts.dispose, parts.held);
    this.memory = memory;
    this.parts = parts;
  }

  /**
   * Writes the bias of every query and key.
   *
   * @param positions - Those of the queries and those of the keys.
   * @param out - [heads, queries, keys]; a new array when not given.
   * @returns `out`.
   * @throws {@link PosencError} `SHAPE`, `POSITION_RANGE`, `OVERLAP`, `SIZE_LIMIT`,
   * `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`; nothing is written then.
   */
  bias<Out extends Floats = NewFloats>(positions: ScorePositions, out?: Out): Out {
    const memory = this.memory;
    const { name, heads, bias } = this.parts;
    const self = this.address(name, "");
    options(name, "positions", positions, ["queries", "keys"]);
    try {
      const queries = memory.positions(name, "queries", positions.queries);
      const keys = memory.positions(name, "keys", positions.keys);
      const target = out ?? newFloats(name, "out", heads * queries[2] * keys[2]);
      const address = memory.output(name, "out", target);
      memory.check(bias(self, ...queries, ...keys, address, sizeOf(target)));
      memory.give(target, address);
      return target as Out;
    } finally {
      memory.close();
    }
  }

  /** The gradient of the parameters, `size` of them. @internal */
  protected gradientOf(
    verb: Gradient,
    positions: ScorePositions,
    gradient: Floats,
    size: number,
    out: Floats32 | undefined,
  ): Floats32 {
    const memory = this.memory;
    const { name } = this.parts;
    const self = this.address(name, "");
    options(name, "positions", positions, ["queries", "keys"]);
    try {
      const queries = memory.positions(name, "queries", positions.queries);
      const keys = memory.positions(name, "keys", positions.keys);
      const source = memory.input(name, "gradient", gradient);
      const target = out ?? newFloats(name, "out", size);
      const address = memory.output32(name, "out", target);
      apart(name, "out", target, [gradient]);
      const { length } = target;
      memory.check(verb(self, ...queries, ...keys, source, sizeOf(gradient), address, length));
      memory.give(target, address);
      return target;
    } finally {
      memory.close();
    }
  }
}

/** A score bias that depends on the distance key - query alone. */
export abstract class Bias extends ScoreBias {
  /** @internal */
  declare protected readonly parts: BiasParts;

  /** @internal */
  constructor(memory: Memory, parts: BiasParts) {
    super(memory, parts);
  }

  /**
   * Writes the bias of the distances (key - query) first, first + 1, ...: one vector per head, which
   * `attention` takes as `terms.distances`.
   *
   * @param first - The first distance; 1 - keys for all distances of as many queries as keys.
   * @param length - How many distances; 2 keys - 1 for all of them.
   * @param out - [heads, length]; a new array when not given.
   * @returns `out`.
   * @throws {@link PosencError} as `bias`.
   */
  distances<Out extends Floats = NewFloats>(
    first: number | bigint,
    length: number,
    out?: Out,
  ): Out {
    const memory = this.memory;
    const { name, heads, distances } = this.parts;
    const self = this.address(name, "");
    const start = position(name, "first", first);
    const size = heads * count(name, "length", length);
    const target = out ?? newFloats(name, "out", size);
    try {
      const address = memory.output(name, "out", target);
      if (lengthOf(target) !== size) {
        const shape = `heads * length = ${heads} * ${length} = ${size}`;
        const what = `${name}: out must have ${shape} elements, got ${lengthOf(target)}`;
        throw new PosencError("SHAPE", "out", what);
      }
      memory.check(distances(self, start, address, sizeOf(target)));
      memory.give(target, address);
      return target as Out;
    } finally {
      memory.close();
    }
  }
}
