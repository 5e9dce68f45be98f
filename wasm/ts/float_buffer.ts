import { fail, integer } from "./check.js";
import type { Memory } from "./memory.js";
import type { Pointer } from "./module.js";
import { Owned } from "./owned.js";

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
