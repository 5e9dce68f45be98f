import type { AllModule } from "./all_module.js";
import { type AttentionScoresArgs, attentionScores } from "./attention_scores.js";
import { Cope, type CopeConfig } from "./cope.js";
import { Deberta, type DebertaConfig } from "./deberta.js";
import { Decomposed, type DecomposedConfig } from "./decomposed.js";
import type { Floats, NewFloats } from "./float_buffer.js";
import type { Memory } from "./memory.js";
import { Pope, type PopeConfig } from "./pope.js";
import { Shaw, type ShawConfig } from "./shaw.js";
import {
  type RelativeShiftArgs,
  relativeShift,
  TransformerXl,
  type TransformerXlConfig,
} from "./transformer_xl.js";

/**
 * Encodings that are added to the scores from content and positions. All of their makers throw
 * {@link PosencError} `VALUE_RANGE`, `SHAPE`, `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`.
 */
export interface RelativeEncodings {
  /** Clipped relative positions in keys and values. */
  shaw(config: ShawConfig): Shaw;
  /** Disentangled attention. */
  deberta(config: DebertaConfig): Deberta;
  /** Transformer-XL's relative attention, and XLNet's. */
  transformerXl(config: TransformerXlConfig): TransformerXl;
  /** Decomposed 2-D relative positions: SAM, MViTv2. */
  decomposed(config: DecomposedConfig): Decomposed;
  /** Contextual position encoding. */
  cope(config: CopeConfig): Cope;
  /** Polar position embedding. */
  pope(config: PopeConfig): Pope;

  /**
   * What attention's softmax reads: q k^T * scale + terms; -Infinity where a causal query does not
   * see the key. Error and workspace as of `attention`.
   *
   * @param q - [heads, queryCount, headDim].
   * @param k - [kvHeads, keyCount, headDim].
   * @returns `args.out`, or a new array: [heads, queryCount, keyCount].
   * @throws {@link PosencError} as `attention`.
   */
  attentionScores<Out extends Floats = NewFloats>(
    q: Floats,
    k: Floats,
    args: AttentionScoresArgs<Out>,
  ): Out;

  /**
   * Transformer-XL's pad-and-reshape shift: out[i, j] is element i * keys + j + queries of the rows
   * of x with a zero before each. For comparison with published code; right only where key
   * j <= i + keys - queries.
   *
   * @param x - [queries, keys].
   * @returns `args.out`, or a new array.
   * @throws {@link PosencError} `SHAPE`, `OVERLAP`, `SIZE_LIMIT`, `OUT_OF_MEMORY`, `TYPE` or
   * `DISPOSED`.
   */
  relativeShift<Out extends Floats = NewFloats>(x: Floats, args: RelativeShiftArgs<Out>): Out;
}

/** The encodings over a module. @internal */
export function relativeEncodingsOf(memory: Memory<AllModule>): RelativeEncodings {
  return {
    shaw: (config) => new Shaw(memory, config),
    deberta: (config) => new Deberta(memory, config),
    transformerXl: (config) => new TransformerXl(memory, config),
    decomposed: (config) => new Decomposed(memory, config),
    cope: (config) => new Cope(memory, config),
    pope: (config) => new Pope(memory, config),
    attentionScores: <Out extends Floats>(q: Floats, k: Floats, args: AttentionScoresArgs<Out>) =>
      attentionScores(memory, q, k, args) as Out,
    relativeShift: <Out extends Floats>(x: Floats, args: RelativeShiftArgs<Out>) =>
      relativeShift(memory, x, args) as Out,
  };
}
