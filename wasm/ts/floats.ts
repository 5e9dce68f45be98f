import { fail, MAX_SIZE } from "./check.js";
import { PosencError, snakeCase } from "./errors.js";
import {
  FloatBuffer,
  type Floats,
  type NewFloats,
  type RawFloats,
  STORAGE_TYPES,
  type StorageType,
} from "./float_buffer.js";

/** How many elements. @internal */
export function lengthOf(x: Floats): number {
  return "length" in x ? x.length : x.values.length;
}

/** How many elements, with the storage type in the top two bits: wasm/bindings' Size. @internal */
export function sizeOf(x: Floats): number {
  if (x instanceof Float32Array) return x.length;
  const type = "type" in x ? x.type : tag(x) === "Float16Array" ? "float16" : "float32";
  return lengthOf(x) + 2 ** 30 * STORAGE_TYPES.indexOf(type);
}

/** The array in which a caller keeps elements. @internal */
export function arrayOf(x: Exclude<Floats, FloatBuffer<never>>): ArrayBufferView {
  return ArrayBuffer.isView(x) ? x : (x as RawFloats).values;
}

/** The kind of a built-in object, also of another realm (frames, test runners). @internal */
export function tag(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

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
  const own = arrayOf(out);
  for (const other of others) {
    if (other instanceof FloatBuffer) continue;
    const { buffer, byteOffset, byteLength } = arrayOf(other);
    if (buffer !== own.buffer) continue;
    const before = byteOffset + byteLength <= own.byteOffset;
    const after = own.byteOffset + own.byteLength <= byteOffset;
    if (before || after) continue;
    const what = `${owner}: ${snakeCase(field)} overlaps another buffer`;
    throw new PosencError("OVERLAP", field, what);
  }
}

/** Whether two arrays are the same elements. @internal */
export function isSameMemory(x: Floats, y: Floats): boolean {
  if (x instanceof FloatBuffer || y instanceof FloatBuffer || sizeOf(x) !== sizeOf(y)) return false;
  const [a, b] = [arrayOf(x), arrayOf(y)];
  return a.buffer === b.buffer && a.byteOffset === b.byteOffset;
}

/** True for arrays of other realms too, where instanceof is not. @internal */
export function isFloats(x: unknown): x is Float32Array | RawFloats {
  if (x instanceof Float32Array) return true;
  if (ArrayBuffer.isView(x)) return /^Float(32|16)Array$/.test(tag(x));
  const { type, values } = (x ?? {}) as Partial<RawFloats>;
  return tag(values) === "Uint16Array" && STORAGE_TYPES.indexOf(type as StorageType) > 0;
}

/** Refuses what is not float32. @internal */
export function only32(owner: string, field: string, x: unknown): void {
  if (x instanceof FloatBuffer ? x.type === "float32" : tag(x) === "Float32Array") return;
  fail("TYPE", owner, field, "a Float32Array or a float32 buffer from alloc()", x);
}

/** Whether the memory of a view is gone, as of views kept from before wasm memory grew. @internal */
export function isDetached(x: ArrayBufferView): boolean {
  try {
    new Uint8Array(x.buffer);
    return false;
  } catch {
    return true;
  }
}
