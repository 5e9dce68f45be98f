import { Alibi, type AlibiConfig } from "./alibi.js";
import { type AttentionArgs, attention } from "./attention.js";
import type { FloatBuffer, Floats, NewFloats, StorageType } from "./float_buffer.js";
import { Learned, type LearnedConfig } from "./learned.js";
import { Memory } from "./memory.js";
import type { Model, ModelConfig, ReadModelOptions } from "./model.js";
import type { WasmModule } from "./module.js";
import { Rope } from "./rope.js";
import type { RopeConfig } from "./rope_config.js";
import { Sinusoidal, type SinusoidalConfig } from "./sinusoidal.js";
import { T5, type T5Config } from "./t5.js";

/**
 * The library, as `load()` gives it. Encodings and buffers own wasm memory: call their `dispose()`
 * when they are no longer needed.
 */
export interface Posenc {
  /** The version of the library: that of the package. */
  readonly version: string;
  /** The kernels in use: "wasm". */
  readonly kernel: string;

  /**
   * Floats in wasm memory, all 0; calls that take it copy nothing.
   *
   * @param length - How many floats, less than 2 GiB of them.
   * @param type - How they are stored, "float32" when not given.
   * @throws {@link PosencError} `SIZE_LIMIT`, `OUT_OF_MEMORY`, `VALUE_RANGE` or `TYPE`.
   */
  alloc<Type extends StorageType = "float32">(length: number, type?: Type): FloatBuffer<Type>;

  /**
   * Sinusoidal encoding.
   * @throws {@link PosencError} `VALUE_RANGE`, `OUT_OF_MEMORY` or `TYPE`.
   */
  sinusoidal(config: SinusoidalConfig): Sinusoidal;

  /**
   * Learned absolute positions.
   * @throws {@link PosencError} `VALUE_RANGE`, `SHAPE`, `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`.
   */
  learned(config: LearnedConfig): Learned;

  /**
   * Rotary position embedding.
   * @throws {@link PosencError} `VALUE_RANGE`, `OUT_OF_MEMORY` or `TYPE`.
   */
  rope(config: RopeConfig): Rope;

  /**
   * Attention with linear biases.
   * @throws {@link PosencError} `VALUE_RANGE`, `OUT_OF_MEMORY` or `TYPE`.
   */
  alibi(config: AlibiConfig): Alibi;

  /**
   * T5's relative position bias.
   * @throws {@link PosencError} `VALUE_RANGE`, `SHAPE`, `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`.
   */
  t5(config: T5Config): T5;

  /**
   * softmax(q k^T * scale + terms) v, without materialising what it need not. A query that sees no
   * key gets zeros. The workspace is the library's own.
   *
   * @param q - [heads, queryCount, headDim].
   * @param k - [kvHeads, keyCount, headDim].
   * @param v - [kvHeads, keyCount, valueDim].
   * @returns `args.out`, or a new array: [heads, queryCount, valueDim].
   * @throws {@link PosencError} `VALUE_RANGE`, `SHAPE`, `SIZE_LIMIT`, `OVERLAP`, `OUT_OF_MEMORY`,
   * `TYPE` or `DISPOSED`; nothing is written then.
   *
   * @example
   * ```ts
   * const distances = alibi.distances(1 - keyCount, 2 * keyCount - 1);
   * const terms = { distances, firstDistance: 1 - keyCount };
   * const args = { heads: 32, queryCount, keyCount, headDim: 128, causal: true, terms };
   * const out = posenc.attention(q, k, v, args);
   * ```
   */
  attention<Out extends Floats = NewFloats>(
    q: Floats,
    k: Floats,
    v: Floats,
    args: AttentionArgs<Out>,
  ): Out;

  /**
   * The position encodings that a published model's config.json asks for; `create` of each makes
   * it. The reader is a module of its own, loaded on first use.
   *
   * @param config - The text of the file, or the object that JSON.parse made of it.
   * @throws {@link PosencError} `MALFORMED` with the path of the field that is wrong; `TYPE`,
   * `SIZE_LIMIT`, `OUT_OF_MEMORY` or `WASM_LOAD`.
   *
   * @example
   * ```ts
   * const model = await posenc.model(await (await fetch("config.json")).text());
   * const [encoding] = model.at(0);
   * const rope = encoding.create<Rope>();
   * ```
   */
  model(config: ModelConfig, options?: ReadModelOptions): Promise<Model>;
}

/** The entry of "posenc/model" for a host, loaded on first use. @internal */
export type ModelEntry = () => Promise<{
  readModel(config: ModelConfig, options: ReadModelOptions): Promise<Model>;
}>;

/** The API over a module. @internal */
export function posencOf(module: WasmModule, modelEntry: ModelEntry): Posenc {
  return Object.freeze(coreOf(new Memory(module), modelEntry));
}

/** @internal */
export function coreOf(memory: Memory, modelEntry: ModelEntry): Posenc {
  const { module } = memory;
  return {
    version: memory.text(module.version()),
    kernel: memory.text(module.kernel()),
    alloc: <Type extends StorageType>(length: number, type?: Type) =>
      memory.alloc(length, type ?? ("float32" as Type)),
    sinusoidal: (config) => new Sinusoidal(memory, config),
    learned: (config) => new Learned(memory, config),
    rope: (config) => new Rope(memory, config),
    alibi: (config) => new Alibi(memory, config),
    t5: (config) => new T5(memory, config),
    attention: <Out extends Floats>(q: Floats, k: Floats, v: Floats, args: AttentionArgs<Out>) =>
      attention(memory, q, k, v, args, () => module) as Out,
    async model(config, options) {
      return (await modelEntry()).readModel(config, { posenc: this, ...options });
    },
  };
}
