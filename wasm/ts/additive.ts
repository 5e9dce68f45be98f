import type { Floats, NewFloats } from "./float_buffer.js";
import { newFloats, sizeOf } from "./floats.js";
import type { Memory } from "./memory.js";
import type { Pointer, Status } from "./module.js";
import { type Held, Owned } from "./owned.js";
import type { PositionsInput } from "./positions.js";

/** A verb of wasm/bindings/additive.cpp. */
type Verb = (
  self: Pointer,
  kind: number,
  first: number,
  count: number,
  values: Pointer,
  size: number,
) => Status;

/** What an additive encoding is made of. @internal */
export interface AdditiveParts {
  readonly name: string;
  readonly dim: number;
  readonly address: Pointer;
  readonly dispose: (address: Pointer) => void;
  readonly held?: Held | undefined;
  readonly table: Verb;
  readonly add: Verb;
}

/** An encoding that is added to the input: one row of `dim` values for each position. */
export abstract class Additive extends Owned {
  readonly #memory: Memory;
  readonly #parts: AdditiveParts;

  /** @internal */
  constructor(memory: Memory, parts: AdditiveParts) {
    super(parts.address, parts.dispose, parts.held);
    this.#memory = memory;
    this.#parts = parts;
  }

  /**
   * Writes the rows of `positions`.
   *
   * @param positions - One for each row.
   * @param out - [positions, dim]; a new array when not given.
   * @returns `out`.
   * @throws {@link PosencError} `SHAPE`, `POSITION_RANGE`, `OVERLAP`, `SIZE_LIMIT`,
   * `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`; nothing is written then.
   */
  table<Out extends Floats = NewFloats>(positions: PositionsInput, out?: Out): Out {
    const memory = this.#memory;
    const { name, dim, table } = this.#parts;
    const self = this.address(name, "");
    try {
      const [kind, first, count] = memory.positions(name, "positions", positions);
      const target = out ?? newFloats(name, "out", count * dim);
      const address = memory.output(name, "out", target);
      memory.check(table(self, kind, first, count, address, sizeOf(target)));
      memory.give(target, address);
      return target as Out;
    } finally {
      memory.close();
    }
  }

  /**
   * Adds the rows of `positions` to `x` in place, one float32 addition for each value.
   *
   * @param x - [positions, dim].
   * @param positions - One for each row.
   * @returns `x`.
   * @throws {@link PosencError} as `table`.
   */
  add<X extends Floats>(x: X, positions: PositionsInput): X {
    const memory = this.#memory;
    const { name, add } = this.#parts;
    const self = this.address(name, "");
    try {
      const [kind, first, count] = memory.positions(name, "positions", positions);
      const address = memory.input(name, "x", x);
      memory.check(add(self, kind, first, count, address, sizeOf(x)));
      memory.give(x, address);
      return x;
    } finally {
      memory.close();
    }
  }
}
