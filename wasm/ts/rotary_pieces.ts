import type { NewFloats } from "./float_buffer.js";
import type { Memory } from "./memory.js";
import type { Pointer, Status } from "./module.js";
import type { ShapeScalars } from "./rotary_module.js";

/** Floats of a piece, which stay in the caches beside their rows of the tables. */
const PIECE = 1 << 15;

/** Rotates `size` floats of that shape at `address`, by the tables' rows from `row` on. */
type Rotate = (address: Pointer, size: number, row: number, shape: ShapeScalars) => Status;

/** Whether arrays of those lengths have that shape, and are large enough for pieces. @internal */
export function isInPieces(
  [batch, heads, length, , , ...strides]: ShapeScalars,
  headDim: number,
  ...lengths: number[]
): boolean {
  const size = batch * heads * length * headDim;
  const whole = lengths.every((own) => own === size) && strides.every((stride) => stride === 0);
  return whole && size > PIECE && heads * headDim <= PIECE;
}

/**
 * Rotates an array piece by piece, so that each is in the caches while it is copied in, rotated and
 * copied out, and wasm memory need not hold them all.
 * @internal
 */
export function rotatePieces(
  memory: Memory,
  [batch, heads, length, order, side]: ShapeScalars,
  headDim: number,
  x: NewFloats,
  out: NewFloats,
  rotate: Rotate,
): void {
  // Blocks of `length` rows, which lie one after the other.
  const [blocks, blockHeads] = order === 0 ? [batch * heads, 1] : [batch, heads];
  const width = blockHeads * headDim;
  const rows = Math.floor(PIECE / width);
  const step = Math.max(1, Math.floor(rows / length));
  const address = memory.scratch(4 * PIECE, "rope", "x");
  for (let row = 0; row < length; row += rows) {
    const count = Math.min(rows, length - row);
    for (let block = 0; block < blocks; block += step) {
      const many = Math.min(step, blocks - block);
      const begin = (block * length + row) * width;
      const end = begin + many * count * width;
      memory.put(address, x.subarray(begin, end));
      const shape: ShapeScalars = [many, blockHeads, count, order, side, 0, 0, 0];
      memory.check(rotate(address, end - begin, row, shape));
      memory.give(out.subarray(begin, end), address);
    }
  }
}
