import {
  type AttentionMoreArgs,
  type AttentionMoreModule,
  attentionMore,
} from "./attention_more.js";
import { PosencError } from "./errors.js";
import type { FloatBuffer, Floats, NewFloats, StorageType } from "./float_buffer.js";
import { hasSimd, type Library, type LoadOptions, loader, type ReadUrl } from "./load.js";
import { Memory } from "./memory.js";

/** Attention with fast numerics, as `load()` of "posenc/fast" gives it. */
export interface PosencFast {
  /** The version of the library: that of the package. */
  readonly version: string;

  /** The kernels in use: "wasm-relaxed", or "wasm" where the host has no relaxed SIMD. */
  readonly kernel: string;

  /**
   * How products are summed.
   *
   * - `fast`: by the host's relaxed multiply-add, which rounds once where the processor can fuse and
   *   twice elsewhere. Results differ between processors, hosts and from `posenc`; the error bound
   *   is the same.
   * - `reproducible`: where the host has no relaxed SIMD. The bits of "posenc/all", from its module.
   */
  readonly numerics: "fast" | "reproducible";

  /**
   * Floats in wasm memory, all 0; calls that take it copy nothing. Buffers belong to this module:
   * those of "posenc" and "posenc/all" are refused here.
   *
   * @param length - How many floats, less than 2 GiB of them.
   * @param type - How they are stored, "float32" when not given.
   * @throws {@link PosencError} `SIZE_LIMIT`, `OUT_OF_MEMORY`, `VALUE_RANGE` or `TYPE`.
   */
  alloc<Type extends StorageType = "float32">(length: number, type?: Type): FloatBuffer<Type>;

  /**
   * softmax(q k^T * scale + terms) v, as `attention` of "posenc/all": the same arguments, order and
   * memory. A query that sees no key gets zeros.
   *
   * Error, with either numerics and u = 2^-24, while nothing overflows or falls below 2^-126: a
   * score is within (headDim + 2) u sum |q_i k_i scale|, beside that of rotation, soft cap and
   * terms; a probability within (keyCount / 16 + ln keyCount + 9 + d) u of itself, where d is how
   * far its score lies below the largest of the row; and a sum of the output beside that within
   * keyCount u sum |p_j v_j|.
   *
   * @param q - [heads, queryCount, headDim].
   * @param k - [kvHeads, keyCount, headDim].
   * @param v - [kvHeads, keyCount, valueDim].
   * @returns `args.out`, or a new array: [heads, queryCount, valueDim].
   * @throws {@link PosencError} `VALUE_RANGE`, `SHAPE`, `SIZE_LIMIT`, `POSITION_RANGE`, `OVERLAP`,
   * `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`; nothing is written then.
   *
   * @example
   * ```ts
   * const out = fast.attention(q, k, v, { heads: 32, queryCount, keyCount, headDim: 128 });
   * ```
   */
  attention<Out extends Floats = NewFloats>(
    q: Floats,
    k: Floats,
    v: Floats,
    args: AttentionMoreArgs<Out>,
  ): Out;
}

/** Options of `load` of "posenc/fast". */
export interface FastLoadOptions extends LoadOptions {
  /**
   * posenc_all.wasm, as `wasm` is posenc_fast.wasm: read instead where the host has no relaxed SIMD.
   * @defaultValue the file that lies beside the JavaScript
   */
  readonly allWasm?: LoadOptions["wasm"];
}

/** A module, and where its file lies. @internal */
export type FastModule = Omit<Library<AttentionMoreModule, PosencFast>, "apiOf">;

/** i32x4.relaxed_trunc_f32x4_s: hosts have all of relaxed SIMD or nothing. */
const RELAXED = [253, 129, 2];

/**
 * The `load` of a host, with the module of "posenc/fast" and that of "posenc/all".
 * @internal
 */
export function fastLoader(
  relaxed: FastModule,
  all: FastModule,
  read: ReadUrl,
): (options?: FastLoadOptions) => Promise<PosencFast> {
  const loadFast = loader({ ...relaxed, apiOf: (module) => apiOf(module, "fast") }, read);
  const loadAll = loader({ ...all, apiOf: (module) => apiOf(module, "reproducible") }, read);
  return (options) => {
    if (hasSimd(...RELAXED)) return loadFast(options);
    return loadAll({ wasm: options?.allWasm }).catch((error: unknown) => {
      throw error instanceof PosencError && error.field === "wasm" ? ofAll(error) : error;
    });
  };
}

/** An error of the option `wasm` as one of `allWasm`. */
function ofAll({ code, message, cause }: PosencError): PosencError {
  return new PosencError(code, "allWasm", message.replace("load: wasm", "load: all_wasm"), {
    cause,
  });
}

function apiOf(module: AttentionMoreModule, numerics: PosencFast["numerics"]): PosencFast {
  const memory = new Memory(module);
  return Object.freeze<PosencFast>({
    version: memory.text(module.version()),
    kernel: memory.text(module.kernel()),
    numerics,
    alloc: <Type extends StorageType>(length: number, type?: Type) =>
      memory.alloc(length, type ?? ("float32" as Type)),
    attention: <Out extends Floats>(
      q: Floats,
      k: Floats,
      v: Floats,
      args: AttentionMoreArgs<Out>,
    ) => attentionMore(memory, q, k, v, args) as Out,
  });
}
