import { choice, count, filled, integer, number, options, position } from "./check.js";
import { PosencError } from "./errors.js";
import {
  apart,
  type Floats,
  isSameMemory,
  type Memory,
  type NewFloats,
  newFloats,
} from "./memory.js";
import type { Pointer, PositionScalars, ShapeScalars, WasmModule } from "./module.js";
import { Owned } from "./owned.js";
import type { PositionArray, PositionsInput } from "./positions.js";

/**
 * Which dims form pair i of the rotated part. Not told by a config.json: see the model's code; a
 * wrong layout gives wrong values silently.
 *
 * - `half`: (i, i + rotaryDim/2); GPT-NeoX, Llama as published for transformers, most checkpoints.
 * - `interleaved`: (2i, 2i + 1); RoFormer's paper, GPT-J, Llama as published by Meta.
 */
export const ROPE_LAYOUTS = ["half", "interleaved"] as const;
/** One of {@link ROPE_LAYOUTS}. */
export type RopeLayout = (typeof ROPE_LAYOUTS)[number];

/** The rules that {@link RopeScaling} can name. */
export const ROPE_SCALINGS = ["none", "linear"] as const;

/**
 * How frequencies differ from those of training.
 *
 * - `none`: not at all.
 * - `linear`: every frequency divided by `factor` (Chen et al. 2023, arXiv 2306.15595); finite,
 *   above 0.
 */
export type RopeScaling =
  | { readonly type: "none" }
  | { readonly type: "linear"; readonly factor: number };

/** Parameters of rotary position embedding. */
export interface RopeConfig {
  /** Width of a head: even, 2 to 2^24. */
  readonly headDim: number;
  /**
   * How many leading dims rotate: even, 2 to headDim; the rest is copied. 0 stands for headDim.
   * @defaultValue headDim
   */
  readonly rotaryDim?: number;
  /**
   * Frequencies are base^(-2i / rotaryDim); finite, above 0. Often called rope_theta.
   * @defaultValue 10000
   */
  readonly base?: number;
  /** @defaultValue "half" */
  readonly layout?: RopeLayout;
  /** @defaultValue { type: "none" } */
  readonly scaling?: RopeScaling;
}

/** What an option of {@link RopeConfig} is when it is not given. */
export const ROPE_DEFAULTS = {
  rotaryDim: 0,
  base: 10000,
  layout: "half",
  scaling: { type: "none" },
} as const;

/**
 * Order of the axes of a rotated tensor in memory.
 *
 * - `heads_first`: [batch, heads, length, headDim].
 * - `length_first`: [batch, length, heads, headDim].
 */
export const ROTARY_ORDERS = ["heads_first", "length_first"] as const;
/** One of {@link ROTARY_ORDERS}. */
export type RotaryOrder = (typeof ROTARY_ORDERS)[number];

/** The shape of a tensor that is rotated. */
export interface RotaryShape<Out extends Floats = Floats> {
  /** @defaultValue 1 */
  readonly batch?: number;
  /**
   * Heads of this tensor: query heads for q, key-value heads for k.
   * @defaultValue 1
   */
  readonly heads?: number;
  /**
   * Tokens per sequence.
   * @defaultValue x.length / (batch * heads * headDim), or the number of positions with strides
   */
  readonly length?: number;
  /** @defaultValue "heads_first" */
  readonly order?: RotaryOrder;
  /**
   * Distance in elements between neighbours along the axis; 0 stands for the contiguous tensor of
   * `order`. Rows of headDim elements are contiguous and must not overlap.
   * @defaultValue 0
   */
  readonly batchStride?: number;
  /** As `batchStride`. @defaultValue 0 */
  readonly headStride?: number;
  /** As `batchStride`. @defaultValue 0 */
  readonly lengthStride?: number;
  /**
   * Where the result goes, of the length of x: x itself, or memory that does not overlap it.
   * @defaultValue x
   */
  readonly out?: Out;
}

/** The shape of a tensor that is rotated, and its positions. */
export interface RotaryArgs<Out extends Floats = Floats> extends RotaryShape<Out> {
  /**
   * Position of the first token: the others follow it.
   * @defaultValue 0
   */
  readonly offset?: number | bigint;
  /** Explicit positions instead: [length], shared by the batch, or [batch, length]. */
  readonly positions?: PositionArray;
}

/** A table of cosines and one of sines, each [positions, rotaryDim/2]. */
export interface Angles<Out extends Floats = Floats> {
  readonly cos: Out;
  readonly sin: Out;
}

const NAME = "rope";
const SHAPE_OPTIONS = [
  "batch",
  "heads",
  "length",
  "order",
  "batchStride",
  "headStride",
  "lengthStride",
  "out",
];
const ARGS_OPTIONS = [...SHAPE_OPTIONS, "offset", "positions"];

/**
 * Rotary position embedding: pair i of a row at position p turns by p * invFreq[i],
 * (a, b) -> (a cos - b sin, b cos + a sin). Source: Su et al. 2021, arXiv 2104.09864.
 *
 * @example
 * ```ts
 * const rope = posenc.rope({ headDim: 128, base: 500000, layout: "half" });
 * rope.apply(q, { heads: 32, offset: 0 }); // q [32, length, 128], in place
 * rope.apply(k, { heads: 8, positions: new Int32Array([7, 8, 9]) });
 * const { cos, sin } = rope.angles({ length: 4096 }); // each [4096, 64]
 * rope.dispose();
 * ```
 */
export class Rope extends Owned {
  /** The config, with what was not given filled in. */
  readonly config: Required<RopeConfig>;
  readonly #memory: Memory;

  /** @internal */
  constructor(memory: Memory, config: RopeConfig) {
    const { module } = memory;
    const full = filled(NAME, config, ["headDim"], ROPE_DEFAULTS);
    const make = {
      headDim: integer(NAME, "headDim", full.headDim),
      rotaryDim: integer(NAME, "rotaryDim", full.rotaryDim),
      base: number(NAME, "base", full.base),
      layout: choice(NAME, "layout", full.layout, ROPE_LAYOUTS),
      ...scalingNumbers(full.scaling),
    };
    super(
      memory.made(NAME, () => module.rope_make(make)),
      module.rope_dispose,
    );
    this.#memory = memory;
    const rotaryDim = full.rotaryDim || full.headDim;
    const scaling = Object.freeze({ ...full.scaling });
    this.config = Object.freeze({ ...full, rotaryDim, scaling });
  }

  /**
   * The angular frequencies, scaling included.
   *
   * @returns [rotaryDim/2] radians per position, nearest double.
   * @throws {@link PosencError} `DISPOSED`.
   */
  invFreq(): Float64Array<ArrayBuffer> {
    const memory = this.#memory;
    const address = memory.module.rope_inv_freq(this.address(NAME, ""));
    return memory.doubles(address, this.config.rotaryDim / 2);
  }

  /**
   * Writes the tables of cosines and sines, within 1 ulp of float32 for positions up to 2^24.
   *
   * @param positions - One for each row.
   * @param out - Where they go, each [positions, rotaryDim/2]; new arrays when not given.
   * @returns `out`.
   * @throws {@link PosencError} `SHAPE`, `OVERLAP`, `POSITION_RANGE`, `SIZE_LIMIT`,
   * `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`; nothing is written then.
   */
  angles<Out extends Floats = NewFloats>(
    positions: PositionsInput,
    out?: Angles<Out>,
  ): Angles<Out> {
    const memory = this.#memory;
    const self = this.address(NAME, "");
    if (out !== undefined) options(NAME, "out", out, ["cos", "sin"]);
    try {
      const [kind, first, rows] = memory.positions(NAME, "positions", positions);
      const size = (rows * this.config.rotaryDim) / 2;
      const cos = out?.cos ?? newFloats(NAME, "cos", size);
      const sin = out?.sin ?? newFloats(NAME, "sin", size);
      const cosAddress = memory.output(NAME, "cos", cos);
      const sinAddress = memory.output(NAME, "sin", sin);
      apart(NAME, "sin", sin, [cos]);
      memory.check(
        memory.module.rope_angles(
          self,
          kind,
          first,
          rows,
          cosAddress,
          cos.length,
          sinAddress,
          sin.length,
        ),
      );
      memory.give(cos, cosAddress);
      memory.give(sin, sinAddress);
      return out ?? ({ cos, sin } as Angles<Out>);
    } finally {
      memory.close();
    }
  }

  /**
   * Rotates with ready tables, in place or to `args.out`.
   *
   * @param x - [batch, heads, length, headDim], or as `args` says.
   * @param cos - [length, rotaryDim/2] or [batch, length, rotaryDim/2].
   * @param sin - As cos.
   * @returns `args.out`, or x.
   * @throws {@link PosencError} `SHAPE`, `OVERLAP`, `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`; nothing
   * is written then.
   */
  rotate<X extends Floats, Out extends Floats = X>(
    x: X,
    cos: Floats,
    sin: Floats,
    args: RotaryShape<Out> = {},
  ): Out {
    const memory = this.#memory;
    const self = this.address(NAME, "");
    options(NAME, "args", args, SHAPE_OPTIONS);
    const out: Floats = args.out ?? x;
    try {
      const source = memory.input(NAME, "x", x);
      const target = this.#target(x, source, out);
      const cosAddress = memory.input(NAME, "cos", cos);
      const sinAddress = memory.input(NAME, "sin", sin);
      apart(NAME, "out", out, [cos, sin]);
      memory.check(
        memory.module.rope_rotate(
          self,
          source,
          target,
          x.length,
          cosAddress,
          cos.length,
          sinAddress,
          sin.length,
          ...shapeScalars(args, x.length, this.config.headDim, undefined),
        ),
      );
      memory.give(out, target);
      return out as Out;
    } finally {
      memory.close();
    }
  }

  /**
   * Rotates each row by its position, in place or to `args.out`: `angles` and `rotate` in one,
   * with the bits of the two calls.
   *
   * @param x - [batch, heads, length, headDim], or as `args` says.
   * @returns `args.out`, or x.
   * @throws {@link PosencError} `SHAPE`, `OVERLAP`, `POSITION_RANGE`, `OUT_OF_MEMORY`, `TYPE` or
   * `DISPOSED`; nothing is written then.
   */
  apply<X extends Floats, Out extends Floats = X>(x: X, args: RotaryArgs<Out> = {}): Out {
    return this.#turn(this.#memory.module.rope_apply, x, args) as Out;
  }

  /** The inverse of `apply`, which is also its gradient; arguments and errors as there. */
  unapply<X extends Floats, Out extends Floats = X>(x: X, args: RotaryArgs<Out> = {}): Out {
    return this.#turn(this.#memory.module.rope_unapply, x, args) as Out;
  }

  #turn(verb: WasmModule["rope_apply"], x: Floats, args: RotaryArgs): Floats {
    const memory = this.#memory;
    const self = this.address(NAME, "");
    options(NAME, "args", args, ARGS_OPTIONS);
    const out = args.out ?? x;
    try {
      const source = memory.input(NAME, "x", x);
      const target = this.#target(x, source, out);
      const list = positionList(memory, args);
      const shape = shapeScalars(args, x.length, this.config.headDim, list?.[2]);
      const [kind, first, rows] = list ?? positionRange(args, shape[2]);
      memory.check(verb(self, source, target, x.length, kind, first, rows, ...shape));
      memory.give(out, target);
      return out;
    } finally {
      memory.close();
    }
  }

  /** The address of `out`, which may be x. */
  #target(x: Floats, source: Pointer, out: Floats): Pointer {
    if (out === x) return source;
    const target = this.#memory.output(NAME, "out", out);
    if (out.length !== x.length) {
      const what = `${NAME}: out must have ${x.length} elements as x has, got ${out.length}`;
      throw new PosencError("SHAPE", "out", what);
    }
    if (isSameMemory(x, out)) return source;
    apart(NAME, "out", out, [x]);
    return target;
  }
}

/** The scaling's number and parameters in wasm/bindings. */
function scalingNumbers(scaling: RopeScaling): { scaling: number; factor: number } {
  options(NAME, "scaling", scaling, ["type", "factor"]);
  const type = choice(NAME, "scaling.type", scaling.type, ROPE_SCALINGS);
  if (scaling.type === "none") return { scaling: type, factor: 1 };
  return { scaling: type, factor: number(NAME, "scaling.factor", scaling.factor) };
}

function positionList(memory: Memory, args: RotaryArgs): PositionScalars | undefined {
  if (args.positions === undefined) return undefined;
  if (args.offset !== undefined) {
    throw new PosencError("TYPE", "positions", `${NAME}: give positions or offset, not both`);
  }
  return memory.positionList(NAME, "positions", args.positions);
}

function positionRange(args: RotaryArgs, length: number): PositionScalars {
  return [0, position(NAME, "offset", args.offset ?? 0), length];
}

/** Batch, heads, length, order and strides; `rows` is the number of explicit positions. */
function shapeScalars(
  args: RotaryShape,
  size: number,
  headDim: number,
  rows: number | undefined,
): ShapeScalars {
  const batch = count(NAME, "batch", args.batch ?? 1);
  const heads = count(NAME, "heads", args.heads ?? 1);
  const batchStride = count(NAME, "batchStride", args.batchStride ?? 0);
  const headStride = count(NAME, "headStride", args.headStride ?? 0);
  const lengthStride = count(NAME, "lengthStride", args.lengthStride ?? 0);
  let length = rows ?? 0;
  if (args.length !== undefined) length = count(NAME, "length", args.length);
  else if (batchStride + headStride + lengthStride === 0) {
    // Rounded up, so that the library refuses an x that is not a whole number of tokens.
    length = Math.ceil(size / (batch * heads * headDim || 1));
  }
  const order = args.order === undefined ? 0 : choice(NAME, "order", args.order, ROTARY_ORDERS);
  return [batch, heads, length, order, batchStride, headStride, lengthStride];
}
