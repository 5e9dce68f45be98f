import { count, describe, fail, integer, MAX_SIZE, options, position } from "./check.js";
import { type Code, camelCase, PosencError, snakeCase } from "./errors.js";
import type { Pointer, PositionScalars, Status, WasmModule } from "./module.js";
import { Owned } from "./owned.js";
import type { PositionArray, PositionsInput } from "./positions.js";

/**
 * The floats of a tensor, row-major: a typed array, copied in and out of wasm memory for each call,
 * or a buffer from `posenc.alloc(...)`, which is wasm memory and copies nothing.
 */
export type Floats = Float32Array | FloatBuffer;

/** What the library makes when it is given no `out`. */
export type NewFloats = Float32Array<ArrayBuffer>;

/** A buffer's view keeps its memory alive. */
const viewed = /* @__PURE__ */ new WeakMap<Float32Array, FloatBuffer>();

/**
 * Floats in wasm memory, so that calls copy nothing. Made by `posenc.alloc(length)`.
 *
 * @example
 * ```ts
 * const q = posenc.alloc(32 * 128);
 * q.view().set(queries);
 * rope.apply(q, { heads: 32, offset: 17 });
 * const rotated = q.view(); // ask again after each call: wasm memory may have moved
 * q.dispose();
 * ```
 */
export class FloatBuffer extends Owned {
  /** How many floats it holds. */
  readonly length: number;
  readonly #memory: Memory;
  /** The buffer that owns the memory, for a part of one. */
  readonly #whole: FloatBuffer | undefined;

  /** @internal */
  constructor(memory: Memory, address: Pointer, length: number, whole?: FloatBuffer) {
    super(address, whole ? undefined : memory.free);
    this.length = length;
    this.#memory = memory;
    this.#whole = whole;
  }

  /**
   * The floats, to read and write. Ask for it each time: any later call may grow wasm memory, and
   * a view kept from before then has length 0.
   * @throws {@link PosencError} `DISPOSED`.
   */
  view(): NewFloats {
    const view = this.#memory.view(this.address("alloc", "buffer"), this.length);
    viewed.set(view, this.#whole ?? this);
    return view;
  }

  /**
   * Floats `from` to `to` (not included) of this buffer: the same memory, for caches and interleaved
   * layouts. Disposing a part frees nothing; disposing the whole ends its parts.
   *
   * @param from - First float, 0 to length.
   * @param to - One past the last float, `from` to length.
   * @throws {@link PosencError} `VALUE_RANGE`, `TYPE`, `DISPOSED`.
   */
  subarray(from: number, to: number = this.length): FloatBuffer {
    const address = this.address("subarray", "buffer");
    const end = integer("subarray", "to", to);
    if (end > this.length) fail("VALUE_RANGE", "subarray", "to", `at most ${this.length}`, to);
    const start = integer("subarray", "from", from);
    if (start > end) fail("VALUE_RANGE", "subarray", "from", `at most ${end}`, from);
    const part = (address + 4 * start) as Pointer;
    return new FloatBuffer(this.#memory, part, end - start, this.#whole ?? this);
  }

  /** True after `dispose()` of this buffer or of the one it is a part of. */
  override get disposed(): boolean {
    return super.disposed || (this.#whole?.disposed ?? false);
  }

  /** @internal */
  override address(owner: string, field: string): Pointer {
    this.#whole?.address(owner, field);
    return super.address(owner, field);
  }

  /** Whether it is memory of that instance. @internal */
  belongsTo(memory: Memory): boolean {
    return this.#memory === memory;
  }
}

/**
 * A trained table that an encoding reads: the caller's buffer, or an own copy of an array.
 * @internal
 */
export class HeldTable {
  readonly length: number;
  readonly #buffer: FloatBuffer;
  readonly #isCopy: boolean;

  constructor(buffer: FloatBuffer, isCopy: boolean) {
    this.length = buffer.length;
    this.#buffer = buffer;
    this.#isCopy = isCopy;
  }

  /** Throws DISPOSED when the caller disposed its buffer. */
  address(owner: string, field: string): Pointer {
    return this.#buffer.address(owner, field);
  }

  dispose(): void {
    if (this.#isCopy) this.#buffer.dispose();
  }
}

/** Scratch that stays for the next call: enough for one token's queries of most models. */
const ARENA_BYTES = 256 * 1024;

/**
 * Wasm memory. The only code that knows heap views and malloc; no view outlives a call.
 *
 * A verb takes addresses from `input`, `output`, `positions` and `scratch`, calls the module, and
 * calls `close()` in a `finally`, which gives all scratch back.
 * @internal
 */
export class Memory {
  readonly module: WasmModule;
  readonly free: (address: Pointer) => void;
  readonly #arena: Pointer;
  #used = 0;
  #extra: Pointer[] = [];
  #floats = new Float32Array(0);

  constructor(module: WasmModule) {
    this.module = module;
    this.free = (address) => module._free(address);
    this.#arena = this.#allocate(ARENA_BYTES, "load", "memory");
  }

  /** A buffer of zeros. */
  alloc(length: number): FloatBuffer {
    const size = count("alloc", "length", length);
    const address = this.#allocate(4 * size, "alloc", "length");
    const buffer = new FloatBuffer(this, address, size);
    this.view(address, size).fill(0);
    return buffer;
  }

  /** A trained table for an encoding to hold. */
  hold(owner: string, field: string, values: Floats): HeldTable {
    const own = this.#own(owner, field, values);
    if (values instanceof FloatBuffer) return new HeldTable(values, false);
    const { length } = values;
    const address = this.#allocate(4 * length, owner, field);
    this.view(address, length).set(own === 0 ? values : this.view(own, length));
    return new HeldTable(new FloatBuffer(this, address, length), true);
  }

  view(address: Pointer, length: number): NewFloats {
    return new Float32Array(this.#heap().buffer, address, length);
  }

  /** The address of a call's input. */
  input(owner: string, field: string, x: Floats): Pointer {
    const own = this.#own(owner, field, x);
    if (own !== 0) return own;
    const values = x as Float32Array;
    const address = this.scratch(4 * values.length, owner, field);
    this.#heap().set(values, address / 4);
    return address;
  }

  /** The address of memory for a call's output; `give` brings it to the caller afterwards. */
  output(owner: string, field: string, out: Floats): Pointer {
    const own = this.#own(owner, field, out);
    return own !== 0 ? own : this.scratch(4 * out.length, owner, field);
  }

  /** Copies an output to the caller's array, unless it was written there already. */
  give(out: Floats, address: Pointer): void {
    if (out instanceof FloatBuffer || out.buffer === this.#heap().buffer) return;
    out.set(this.view(address, out.length));
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

  /** Memory until `close()`. */
  scratch(bytes: number, owner: string, field: string): Pointer {
    const address = this.#arena + this.#used;
    const room = Math.ceil(bytes / 16) * 16;
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
  made(owner: string, make: () => Pointer, table?: HeldTable): Pointer {
    try {
      this.ensure(owner);
      const address = make();
      if (address === 0) throw this.#error();
      return address;
    } catch (error) {
      table?.dispose();
      throw error;
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
    if (!isFloat32Array(x))
      fail("TYPE", owner, field, "a Float32Array or a buffer from alloc()", x);
    if (x.length === 0 && isDetached(x)) {
      const what = `${owner}: ${snakeCase(field)} is detached, as views kept from before memory grew are`;
      throw new PosencError("TYPE", field, what);
    }
    return (x.buffer === this.#heap().buffer ? x.byteOffset : 0) as Pointer;
  }

  /** All of memory as floats. Growing memory detaches the view, whose length is then 0. */
  #heap(): NewFloats {
    if (this.#floats.length === 0) this.#floats = new Float32Array(this.module.wasmMemory.buffer);
    return this.#floats;
  }

  #allocate(bytes: number, owner: string, field: string): Pointer {
    if (bytes > MAX_SIZE) fail("SIZE_LIMIT", owner, field, "smaller than 2 GiB", `${bytes} bytes`);
    const address = this.module._malloc(Math.max(bytes, 1));
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

/** True for arrays of other realms too (frames, test runners), where instanceof is not. */
function isFloat32Array(x: unknown): x is Float32Array {
  return x instanceof Float32Array || (ArrayBuffer.isView(x) && tag(x) === "Float32Array");
}

function tag(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

function isDetached(x: Float32Array): boolean {
  try {
    new Uint8Array(x.buffer);
    return false;
  } catch {
    return true;
  }
}

/** The number of a kind of positions in wasm/bindings, 0 for what is none. */
function positionKind(values: unknown): number {
  if (Array.isArray(values)) return 3;
  if (!ArrayBuffer.isView(values)) return 0;
  return Math.max(0, ["", "Int32Array", "BigInt64Array", "Float64Array"].indexOf(tag(values)));
}

function copyNumbers(
  owner: string,
  field: string,
  values: readonly unknown[],
  target: Float64Array,
): void {
  for (let index = 0; index < target.length; ++index) {
    const value = values[index];
    if (typeof value !== "number") {
      fail("TYPE", owner, field, `numbers, but [${index}] is ${describe(value)}`, values);
    }
    target[index] = value;
  }
}
