import { MAX_SIZE } from "./check.js";
import { PosencError, snakeCase } from "./errors.js";
import { FloatBuffer, type Floats, type NewFloats } from "./float_buffer.js";

/** A new array for a result; more values than wasm memory could hold are not tried. @internal */
export function newFloats(owner: string, field: string, size: number): NewFloats {
  if (size > MAX_SIZE / 4) {
    const what = `${owner}: ${snakeCase(field)} would have ${size} values, more than memory can hold`;
    throw new PosencError("SIZE_LIMIT", field, what);
  }
  try {
    return new Float32Array(size);
  } catch (cause) {
    const what = `${owner}: out of memory, ${4 * size} bytes could not be had`;
    throw new PosencError("OUT_OF_MEMORY", field, what, { cause });
  }
}

/**
 * Refuses a typed array that overlaps others, as the library refuses overlapping buffers (which it
 * sees itself; of arrays it sees copies).
 * @internal
 */
export function apart(owner: string, field: string, out: Floats, others: readonly Floats[]): void {
  if (out instanceof FloatBuffer) return;
  for (const other of others) {
    if (other instanceof FloatBuffer || other.buffer !== out.buffer) continue;
    const before = other.byteOffset + other.byteLength <= out.byteOffset;
    const after = out.byteOffset + out.byteLength <= other.byteOffset;
    if (before || after) continue;
    const what = `${owner}: ${snakeCase(field)} overlaps another buffer`;
    throw new PosencError("OVERLAP", field, what);
  }
}

/** Whether two tensors of one length are the same memory. @internal */
export function isSameMemory(x: Floats, y: Floats): boolean {
  if (x instanceof FloatBuffer || y instanceof FloatBuffer) return false;
  return x.buffer === y.buffer && x.byteOffset === y.byteOffset;
}
