import { fail, integer } from "./check.js";
import { sizeOf } from "./floats.js";
import type { Memory } from "./memory.js";
import type { CoreModule, Pointer } from "./module.js";
import { type Held, Owned } from "./owned.js";

/** How the elements of a tensor are stored. Sums, angles and slopes never take the storage type. */
export const STORAGE_TYPES = ["float32", "float16", "bfloat16"] as const;
/** One of {@link STORAGE_TYPES}. */
export type StorageType = (typeof STORAGE_TYPES)[number];

/** A `Float16Array`, of hosts that have it. */
export interface Float16Values extends ArrayBufferView {
  readonly length: number;
  readonly [Symbol.toStringTag]: "Float16Array";
}

/** 16-bit floats as they lie in memory, with their type named. */
export interface RawFloats {
  readonly type: "float16" | "bfloat16";
  readonly values: Uint16Array;
}

/** Float32 values, row-major: a typed array or a buffer. See {@link Floats}. */
export type Floats32 = Float32Array | FloatBuffer;

/**
 * The floats of a tensor, row-major: a typed array, copied in and out of wasm memory for each call,
 * or a buffer from `posenc.alloc(...)`, which is wasm memory and copies nothing. 16-bit values are
 * rounded to nearest even, once, at the end.
 */
export type Floats = Floats32 | Float16Values | RawFloats | FloatBuffer<"float16" | "bfloat16">;

/** What the library makes when it is given no `out`. */
export type NewFloats = Float32Array<ArrayBuffer>;

/** What a buffer shows of its memory: 16-bit values as they lie there. */
export type ViewOf<Type extends StorageType> = Type extends "float32"
  ? NewFloats
  : Uint16Array<ArrayBuffer>;

/** A buffer's view keeps its memory alive. */
const viewed = /* @__PURE__ */ new WeakMap<ArrayBufferView, FloatBuffer<StorageType>>();

/**
 * Floats in wasm memory, so that calls copy nothing. Made by `posenc.alloc(length, type)`.
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
export class FloatBuffer<Type extends StorageType = "float32"> extends Owned {
  /** How many floats it holds. */
  readonly length: number;
  /** How they are stored. */
  readonly type: Type;
  readonly #memory: Memory<CoreModule>;
  /** The buffer that owns the memory, for a part of one. */
  readonly #whole: FloatBuffer<Type> | undefined;

  /** @internal */
  constructor(
    memory: Memory<CoreModule>,
    address: Pointer,
    length: number,
    type: Type,
    whole?: FloatBuffer<Type>,
  ) {
    super(address, whole ? undefined : memory.free);
    this.length = length;
    this.type = type;
    this.#memory = memory;
    this.#whole = whole;
  }

  /**
   * The floats, to read and write. Ask for it each time: any later call may grow wasm memory, and
   * a view kept from before then has length 0.
   * @throws {@link PosencError} `DISPOSED`.
   */
  view(): ViewOf<Type> {
    const address = this.address("alloc", "buffer");
    const view = this.#memory.view(address, this.length, this.type) as ViewOf<Type>;
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
  subarray(from: number, to: number = this.length): FloatBuffer<Type> {
    const address = this.address("subarray", "buffer");
    const end = integer("subarray", "to", to);
    if (end > this.length) fail("VALUE_RANGE", "subarray", "to", `at most ${this.length}`, to);
    const start = integer("subarray", "from", from);
    if (start > end) fail("VALUE_RANGE", "subarray", "from", `at most ${end}`, from);
    const part = (address + bytesOf(this.type) * start) as Pointer;
    return new FloatBuffer(this.#memory, part, end - start, this.type, this.#whole ?? this);
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
  belongsTo(memory: Memory<CoreModule>): boolean {
    return this.#memory === memory;
  }
}

/** Bytes of an element. @internal */
export function bytesOf(type: StorageType): number {
  return type === "float32" ? 4 : 2;
}

/**
 * A trained table that an encoding reads: the caller's buffer, or an own copy of an array.
 * @internal
 */
export class HeldTable implements Held {
  /** As `sizeOf` says it. */
  readonly size: number;
  readonly #owner: string;
  readonly #field: string;
  readonly #buffer: FloatBuffer<StorageType>;
  readonly #isCopy: boolean;

  constructor(owner: string, field: string, buffer: FloatBuffer<StorageType>, isCopy: boolean) {
    this.size = sizeOf(buffer as Floats);
    this.#owner = owner;
    this.#field = field;
    this.#buffer = buffer;
    this.#isCopy = isCopy;
  }

  /** Throws DISPOSED when the caller disposed its buffer. */
  address(): Pointer {
    return this.#buffer.address(this.#owner, this.#field);
  }

  dispose(): void {
    if (this.#isCopy) this.#buffer.dispose();
  }
}
