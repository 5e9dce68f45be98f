import { choice, count, position } from "./check.js";
import { PosencError } from "./errors.js";
import type { Floats } from "./float_buffer.js";
import type { Memory } from "./memory.js";
import type { PositionScalars } from "./module.js";
import type { PositionArray } from "./positions.js";
import type { ShapeScalars } from "./rotary_module.js";

/**
 * Order of the axes of a rotated tensor in memory.
 *
 * - `heads_first`: [batch, heads, length, headDim].
 * - `length_first`: [batch, length, heads, headDim].
 */
export const ROTARY_ORDERS = ["heads_first", "length_first"] as const;
/** One of {@link ROTARY_ORDERS}. */
export type RotaryOrder = (typeof ROTARY_ORDERS)[number];

/** Which side of the product a tensor is on; read by xPos alone. */
export const ROTARY_SIDES = ["query", "key"] as const;
/** One of {@link ROTARY_SIDES}. */
export type RotarySide = (typeof ROTARY_SIDES)[number];

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
  /** @defaultValue "query" */
  readonly side?: RotarySide;
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

/** The positions of the tokens of a rotated tensor. */
export interface RotaryPositions {
  /**
   * Position of the first token: the others follow it.
   * @defaultValue 0
   */
  readonly offset?: number | bigint;
  /**
   * Explicit positions instead: [length], shared by the batch, or [batch, length]; with several
   * axes [axes, ...] of these.
   */
  readonly positions?: PositionArray;
}

/** The shape of a tensor that is rotated, and its positions. */
export interface RotaryArgs<Out extends Floats = Floats>
  extends RotaryShape<Out>,
    RotaryPositions {}

/** The shapes of queries and keys that are rotated together, and their positions. */
export interface RotaryPairArgs extends RotaryPositions {
  /** @defaultValue 1 */
  readonly batch?: number;
  /**
   * Query heads.
   * @defaultValue 1
   */
  readonly heads?: number;
  /**
   * Key-value heads.
   * @defaultValue heads
   */
  readonly kvHeads?: number;
  /** @defaultValue "heads_first" */
  readonly order?: RotaryOrder;
}

/** The shape of cached keys, and from which positions they move to which. */
export interface RerotateArgs<From, Out extends Floats = Floats> extends RotaryArgs<Out> {
  /**
   * The rope that rotated the keys at `offset` or `positions`.
   * @defaultValue this rope
   */
  readonly from?: From;
  /** Where the keys move to. */
  readonly to: RotaryPositions;
}

const NAME = "rope";
export const SHAPE_OPTIONS = [
  "batch",
  "heads",
  "length",
  "order",
  "side",
  "batchStride",
  "headStride",
  "lengthStride",
  "out",
];
export const POSITION_OPTIONS = ["offset", "positions"];
export const ARGS_OPTIONS = [...SHAPE_OPTIONS, ...POSITION_OPTIONS];

/** Explicit positions, or nothing. @internal */
export function positionList(memory: Memory, args: RotaryPositions): PositionScalars | undefined {
  if (args.positions === undefined) return undefined;
  if (args.offset !== undefined) {
    throw new PosencError("TYPE", "positions", `${NAME}: give positions or offset, not both`);
  }
  return memory.positionList(NAME, "positions", args.positions);
}

/** `length` positions from the offset on. @internal */
export function positionRange(
  args: RotaryPositions,
  length: number,
  axes: number,
): PositionScalars {
  if (axes > 1) {
    const what = `${NAME}: positions must be given, [${axes}, rows], for a rope of ${axes} axes`;
    throw new PosencError("TYPE", "positions", what);
  }
  return [0, position(NAME, "offset", args.offset ?? 0), length];
}

/**
 * Batch, heads, length, order, side and strides. `rows` is the number of explicit positions for
 * each axis.
 * @internal
 */
export function shapeScalars(
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
  const side = args.side === undefined ? 0 : choice(NAME, "side", args.side, ROTARY_SIDES);
  return [batch, heads, length, order, side, batchStride, headStride, lengthStride];
}
