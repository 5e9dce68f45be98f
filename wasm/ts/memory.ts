import { choice, count, fail, MAX_SIZE, options, position } from "./check.js";
import { type Code, camelCase, PosencError, snakeCase } from "./errors.js";
import {
  bytesOf,
  FloatBuffer,
  type Floats,
  type Floats32,
  HeldTable,
  type NewFloats,
  type RawFloats,
  STORAGE_TYPES,
  type StorageType,
} from "./float_buffer.js";
import { arrayOf, isDetached, isFloats, lengthOf, only32, sizeOf } from "./floats.js";
import type { CoreModule, Pointer, PositionScalars, Status, Values, WasmModule } from "./module.js";
import type { Held } from "./owned.js";
import { copyNumbers, positionKind } from "./position_kinds.js";
import type { PositionArray, PositionsInput } from "./positions.js";

/** Scratch that stays for the next call: enough for one token's queries of most models. */
const ARENA_BYTES = 256 * 1024;
/** A line of the cache. What begins with one has vectors in two lines nowhere. */
const LINE_BYTES = 64;

/**
 * Wasm memory. The only code that knows heap views and malloc; no view outlives a call.
 *
 * A verb takes addresses from `input`, `output`, `positions` and `scratch`, calls the module, and
 * calls `close()` in a `finally`, which gives all scratch back.
 * @internal
 */
export class Memory<Module extends CoreModule = WasmModule> {
  readonly module: Module;
  readonly free: (address: Pointer) => void;
  readonly #arena: Pointer;
  #used = 0;
  #extra: Pointer[] = [];
  #floats: NewFloats = new Float32Array(0);

  constructor(module: Module) {
    this.module = module;
    this.free = (address) => module._free(address);
    this.#arena = this.#allocate(ARENA_BYTES, "load", "memory");
  }

  /** A buffer of zeros. */
  alloc<Type extends StorageType>(length: number, type: Type): FloatBuffer<Type> {
    choice("alloc", "type", type, STORAGE_TYPES);
    const bytes = bytesOf(type) * count("alloc", "length", length);
    const address = this.#allocate(bytes, "alloc", "length");
    const buffer = new FloatBuffer(this, address, length, type);
    this.#bytes(address, bytes).fill(0);
    return buffer;
  }

  /** A trained table for an encoding to hold. */
  hold(owner: string, field: string, values: Floats): HeldTable {
    const own = this.#own(owner, field, values);
    if (values instanceof FloatBuffer) return new HeldTable(owner, field, values, false);
    const array = arrayOf(values);
    const address = this.#allocate(array.byteLength, owner, field);
    this.put(address, own === 0 ? array : this.#bytes(own, array.byteLength));
    const type = STORAGE_TYPES[sizeOf(values) >>> 30] as StorageType;
    const copy = new FloatBuffer(this, address, lengthOf(values), type);
    return new HeldTable(owner, field, copy, true);
  }

  view(address: Pointer, length: number, type: StorageType): NewFloats | Uint16Array<ArrayBuffer> {
    const View = type === "float32" ? Float32Array : Uint16Array;
    return new View(this.#heap().buffer, address, length);
  }

  /** The address of a call's input. */
  input(owner: string, field: string, x: Floats): Pointer {
    const own = this.#own(owner, field, x);
    if (own !== 0) return own;
    const array = arrayOf(x as Float32Array | RawFloats);
    const address = this.scratch(array.byteLength, owner, field);
    this.put(address, array);
    return address;
  }

  /** As `input`, of what must be float32 whatever the type of data. */
  input32(owner: string, field: string, x: Floats32): Pointer {
    only32(owner, field, x);
    return this.input(owner, field, x);
  }

  /** The address of memory for a call's output; `give` brings it to the caller afterwards. */
  output(owner: string, field: string, out: Floats): Pointer {
    const own = this.#own(owner, field, out);
    if (own !== 0) return own;
    return this.scratch(arrayOf(out as Float32Array | RawFloats).byteLength, owner, field);
  }

  /** As `output`, of what must be float32 whatever the type of data. */
  output32(owner: string, field: string, out: Floats32): Pointer {
    only32(owner, field, out);
    return this.output(owner, field, out);
  }

  /** Copies an output to the caller's array, unless it was written there already. */
  give(out: Floats, address: Pointer): void {
    if (out instanceof FloatBuffer) return;
    const { buffer, byteOffset, byteLength } = arrayOf(out);
    if (buffer === this.#heap().buffer) return;
    new Uint8Array(buffer, byteOffset, byteLength).set(this.#bytes(address, byteLength));
  }

  /**
   * Whether x is a Float32Array outside of this memory. Of a class derived from it is not: those
   * choose what their `subarray` gives.
   */
  isOutside(x: Floats): x is NewFloats {
    if (x?.constructor !== Float32Array) return false;
    return (x as NewFloats).buffer !== this.#heap().buffer;
  }

  /** Copies an array into this memory; both are aligned to its elements. */
  put(address: Pointer, array: ArrayBufferView): void {
    const { buffer, byteOffset, byteLength } = array;
    this.#bytes(address, byteLength).set(new Uint8Array(buffer, byteOffset, byteLength));
  }

  #bytes(address: Pointer, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#heap().buffer, address, length);
  }

  /** Kind, first position or address, and count, as wasm/bindings takes positions. */
  positions(owner: string, field: string, input: PositionsInput): PositionScalars {
    options(owner, field, input, ["offset", "length", "positions"]);
    if (input.positions === undefined) {
      const length = count(owner, "length", input.length);
      return [0, position(owner, "offset", input.offset ?? 0), length];
    }
    const { offset, length } = input as { offset?: unknown; length?: unknown };
    if (offset !== undefined || length !== undefined) {
      const what = `${owner}: give positions, or offset and length, not both`;
      throw new PosencError("TYPE", "positions", what);
    }
    return this.positionList(owner, field, input.positions);
  }

  /** As `positions`, for an array. */
  positionList(owner: string, field: string, values: PositionArray): PositionScalars {
    const kind = positionKind(values);
    if (kind === 0) {
      const rule = "an Int32Array, BigInt64Array, Float64Array or array of numbers";
      fail("TYPE", owner, field, rule, values);
    }
    const address = this.scratch((kind === 1 ? 4 : 8) * values.length, owner, field);
    const { buffer } = this.#heap();
    if (kind === 1) new Int32Array(buffer, address).set(values as Int32Array);
    else if (kind === 2) new BigInt64Array(buffer, address).set(values as BigInt64Array);
    else if (!Array.isArray(values)) new Float64Array(buffer, address).set(values as Float64Array);
    else copyNumbers(owner, field, values, new Float64Array(buffer, address, values.length));
    return [kind, address, values.length];
  }

  /** Numbers that a config copies, as address and count; none when `wanted` is false. */
  values(owner: string, field: string, values: unknown, wanted = true): Values {
    if (!wanted || values === undefined) return { address: 0 as Pointer, count: 0 };
    if (positionKind(values) !== 3) {
      fail("TYPE", owner, field, "a Float64Array or an array of numbers", values);
    }
    const [, address, count] = this.positionList(owner, field, values as Float64Array);
    return { address: address as Pointer, count };
  }

  /** The address of a copy of bytes, such as a mask, until `close()`. */
  bytes(owner: string, field: string, values: Uint8Array): Pointer {
    if (!(values instanceof Uint8Array)) fail("TYPE", owner, field, "a Uint8Array", values);
    const address = this.scratch(values.length, owner, field);
    this.put(address, values);
    return address;
  }

  /** Memory until `close()`. */
  scratch(bytes: number, owner: string, field: string): Pointer {
    const address = this.#arena + this.#used;
    const room = Math.ceil(bytes / LINE_BYTES) * LINE_BYTES;
    if (this.#used + room <= ARENA_BYTES) {
      this.#used += room;
      return address as Pointer;
    }
    const extra = this.#allocate(bytes, owner, field);
    this.#extra.push(extra);
    return extra;
  }

  /** Gives scratch back. */
  close(): void {
    this.#used = 0;
    if (this.#extra.length > 0) this.#extra.splice(0).forEach(this.free);
  }

  /** Throws what the library says about a call that failed. */
  check(status: Status): void {
    if (status !== 0) throw this.#error();
  }

  /** The address of a new encoding; throws what the library says when there is none. */
  made(owner: string, make: () => Pointer, held?: Held): Pointer {
    try {
      this.ensure(owner);
      const address = make();
      if (address === 0) throw this.#error();
      return address;
    } catch (error) {
      held?.dispose();
      throw error;
    } finally {
      this.close();
    }
  }

  /**
   * Sees to it that the small allocations will succeed through which Embind converts an object:
   * nothing guards those.
   */
  ensure(owner: string): void {
    this.free(this.#allocate(1024, owner, ""));
  }

  /** A zero-terminated text of the library. */
  text(address: Pointer): string {
    const bytes = new Uint8Array(this.#heap().buffer, address);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  /** A copy of numbers that the library holds. */
  doubles(address: Pointer, length: number): Float64Array<ArrayBuffer> {
    return new Float64Array(this.#heap().buffer, address, length).slice();
  }

  int64s(address: Pointer, length: number): number[] {
    return Array.from(new BigInt64Array(this.#heap().buffer, address, length), Number);
  }

  int32s(address: Pointer, length: number): Int32Array<ArrayBuffer> {
    return new Int32Array(this.#heap().buffer, address, length).slice();
  }

  /** The address of what lies in this memory already, 0 for a caller's own array. */
  #own(owner: string, field: string, x: Floats): Pointer {
    if (x instanceof FloatBuffer) {
      if (x.belongsTo(this)) return x.address(owner, field);
      fail("TYPE", owner, field, "a buffer of the same load()", "one of another");
    }
    const array = isFloats(x) ? arrayOf(x) : undefined;
    if (!array) fail("TYPE", owner, field, "a Float32Array or a buffer from alloc()", x);
    if (array.byteLength === 0 && isDetached(array)) {
      const what = `${owner}: ${snakeCase(field)} is detached, as views kept from before memory grew are`;
      throw new PosencError("TYPE", field, what);
    }
    return (array.buffer === this.#heap().buffer ? array.byteOffset : 0) as Pointer;
  }

  /** All of memory as floats. Growing memory detaches the view, whose length is then 0. */
  #heap(): NewFloats {
    if (this.#floats.length === 0) this.#floats = new Float32Array(this.module.wasmMemory.buffer);
    return this.#floats;
  }

  #allocate(bytes: number, owner: string, field: string): Pointer {
    if (bytes > MAX_SIZE) fail("SIZE_LIMIT", owner, field, "smaller than 2 GiB", `${bytes} bytes`);
    const address = this.module._memalign(LINE_BYTES, Math.max(bytes, 1));
    if (address !== 0) return address;
    const what = `${owner}: out of memory, ${bytes} bytes could not be had`;
    throw new PosencError("OUT_OF_MEMORY", field, what);
  }

  #error(): PosencError {
    const { module } = this;
    const code = this.text(module.status_code()) as Code;
    const field = camelCase(this.text(module.status_field()));
    return new PosencError(code, field, this.text(module.status_message()));
  }
}
