import type { AllModule } from "./all_module.js";
import { type AttentionBackwardArgs, attentionBackward } from "./attention_backward.js";
import { type AttentionMoreArgs, attentionMore } from "./attention_more.js";
import { DetrSine, type DetrSineConfig } from "./detr_sine.js";
import { DynamicPositionBias, type DynamicPositionBiasConfig } from "./dynamic_position_bias.js";
import { Fire, type FireConfig } from "./fire.js";
import type { Floats, NewFloats } from "./float_buffer.js";
import { ForgettingBias, type ForgettingBiasConfig } from "./forgetting_bias.js";
import { GatedPositionBias, type GatedPositionBiasConfig } from "./gated_position_bias.js";
import { Hierarchical, type HierarchicalConfig } from "./hierarchical.js";
import { Interpolate, type InterpolateConfig } from "./interpolate.js";
import { Kerple, type KerpleConfig } from "./kerple.js";
import { LayoutBoxes, type LayoutBoxesConfig } from "./layout_boxes.js";
import { Memory } from "./memory.js";
import { Multiscale, type MultiscaleConfig } from "./multiscale.js";
import { type PermutePairs, permutePairsOf } from "./permute_pairs.js";
import { coreOf, type ModelEntry, type Posenc } from "./posenc.js";
import { type PositionIds, positionIdsOf } from "./position_ids.js";
import { type RelativeEncodings, relativeEncodingsOf } from "./relative_encodings.js";
import { type RotaryPositionRules, rotaryPositionsOf } from "./rotary_positions.js";
import { SincosGrid, type SincosGridConfig } from "./sincos_grid.js";
import { Swin, type SwinConfig } from "./swin.js";
import { SwinCpb, type SwinCpbConfig } from "./swin_cpb.js";
import { TrainableLearned, type TrainableLearnedConfig } from "./trainable_learned.js";

/** The whole library, as `load()` of "posenc/all" gives it. */
export interface PosencAll extends Posenc, RelativeEncodings {
  /**
   * Learned absolute positions, with a scale and their gradient.
   * @throws {@link PosencError} `VALUE_RANGE`, `SHAPE`, `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`.
   */
  learned(config: TrainableLearnedConfig): TrainableLearned;

  /**
   * A trained table that reaches the square of its length.
   * @throws {@link PosencError} `VALUE_RANGE`, `SHAPE`, `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`.
   */
  hierarchical(config: HierarchicalConfig): Hierarchical;

  /**
   * Sinusoidal encoding of several positions at once.
   * @throws {@link PosencError} `VALUE_RANGE`, `OUT_OF_MEMORY` or `TYPE`.
   */
  multiscale(config: MultiscaleConfig): Multiscale;

  /**
   * Sinusoidal encoding of the cells of an image or a volume.
   * @throws {@link PosencError} `VALUE_RANGE`, `OUT_OF_MEMORY` or `TYPE`.
   */
  sincosGrid(config: SincosGridConfig): SincosGrid;

  /**
   * DETR's sinusoidal encoding of padded images.
   * @throws {@link PosencError} `VALUE_RANGE`, `OUT_OF_MEMORY` or `TYPE`.
   */
  detrSine(config?: DetrSineConfig): DetrSine;

  /**
   * LayoutLM's sum of the tables of a box.
   * @throws {@link PosencError} `VALUE_RANGE`, `SHAPE`, `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`.
   */
  layoutBoxes(config: LayoutBoxesConfig): LayoutBoxes;

  /**
   * Trained tables brought to another length or grid.
   * @throws {@link PosencError} `VALUE_RANGE`, `SIZE_LIMIT`, `OUT_OF_MEMORY` or `TYPE`.
   */
  interpolate(config: InterpolateConfig): Interpolate;

  /** Positions of tokens in padded batches, by the rules of published models. */
  readonly positionIds: PositionIds;

  /** Conversion of query and key weights between pair layouts. */
  readonly permutePairs: PermutePairs;

  /** Positions of images, of prompts with images, and of ragged batches. */
  readonly rotaryPositions: RotaryPositionRules;

  /**
   * KERPLE's kernels of the distance.
   * @throws {@link PosencError} `VALUE_RANGE`, `SHAPE`, `OUT_OF_MEMORY` or `TYPE`.
   */
  kerple(config: KerpleConfig): Kerple;

  /**
   * FIRE, a network of the distance in proportion to the query's position.
   * @throws {@link PosencError} `VALUE_RANGE`, `SHAPE`, `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`.
   */
  fire(config: FireConfig): Fire;

  /**
   * A network of the distance.
   * @throws {@link PosencError} as `fire`.
   */
  dynamicPositionBias(config: DynamicPositionBiasConfig): DynamicPositionBias;

  /**
   * Swin's window bias.
   * @throws {@link PosencError} as `fire`.
   */
  swin(config: SwinConfig): Swin;

  /**
   * Swin v2's continuous position bias.
   * @throws {@link PosencError} as `fire`.
   */
  swinCpb(config: SwinCpbConfig): SwinCpb;

  /**
   * WavLM's gate of a position bias.
   * @throws {@link PosencError} as `fire`.
   */
  gatedPositionBias(config: GatedPositionBiasConfig): GatedPositionBias;

  /**
   * The data-dependent decay of the forgetting transformer.
   * @throws {@link PosencError} `VALUE_RANGE`, `OUT_OF_MEMORY` or `TYPE`.
   */
  forgettingBias(config: ForgettingBiasConfig): ForgettingBias;

  /**
   * softmax(q k^T * scale + terms) v, in this order: rotation of q and k, products times scale, soft
   * cap, terms, masks, softmax. Memory grows with keyCount, and not with its square, unless the
   * probabilities are asked for. A query that sees no key gets zeros.
   *
   * @param q - [heads, queryCount, headDim].
   * @param k - [kvHeads, keyCount, headDim].
   * @param v - [kvHeads, keyCount, valueDim].
   * @returns `args.out`, or a new array: [heads, queryCount, valueDim].
   * @throws {@link PosencError} `VALUE_RANGE`, `SHAPE`, `SIZE_LIMIT`, `POSITION_RANGE`, `OVERLAP`,
   * `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`; nothing is written then.
   */
  attention<Out extends Floats = NewFloats>(
    q: Floats,
    k: Floats,
    v: Floats,
    args: AttentionMoreArgs<Out>,
  ): Out;

  /**
   * The gradient of `attention`: from that of its output to those of what it read, which are
   * written, not added. Probabilities are computed anew; memory grows with keyCount, and not with
   * its square, unless the gradient of every score is asked for.
   *
   * @param q - As of the call, as are k, v and the args.
   * @param outGradient - [heads, queryCount, valueDim].
   * @throws {@link PosencError} as `attention`; nothing is written then.
   *
   * @example
   * ```ts
   * const gradients = { q: new Float32Array(q.length), distances: new Float32Array(count * heads) };
   * posenc.attentionBackward(q, k, v, outGradient, { ...args, gradients });
   * const one = { offset: 0, length: 1 };
   * const keys = { offset: firstDistance, length: count };
   * const slopes = alibi.slopeGradient({ queries: one, keys }, gradients.distances);
   * ```
   */
  attentionBackward(
    q: Floats,
    k: Floats,
    v: Floats,
    outGradient: Floats,
    args: AttentionBackwardArgs,
  ): void;
}

/** The API over a module. @internal */
export function posencAllOf(module: AllModule, modelEntry: ModelEntry): PosencAll {
  const memory = new Memory(module);
  return Object.freeze<PosencAll>({
    ...coreOf(memory, modelEntry),
    learned: (config) => new TrainableLearned(memory, config),
    hierarchical: (config) => new Hierarchical(memory, config),
    multiscale: (config) => new Multiscale(memory, config),
    sincosGrid: (config) => new SincosGrid(memory, config),
    detrSine: (config) => new DetrSine(memory, config),
    layoutBoxes: (config) => new LayoutBoxes(memory, config),
    interpolate: (config) => new Interpolate(memory, config),
    positionIds: positionIdsOf(memory),
    ...relativeEncodingsOf(memory),
    permutePairs: permutePairsOf(memory),
    rotaryPositions: rotaryPositionsOf(memory),
    kerple: (config) => new Kerple(memory, config),
    fire: (config) => new Fire(memory, config),
    dynamicPositionBias: (config) => new DynamicPositionBias(memory, config),
    swin: (config) => new Swin(memory, config),
    swinCpb: (config) => new SwinCpb(memory, config),
    gatedPositionBias: (config) => new GatedPositionBias(memory, config),
    forgettingBias: (config) => new ForgettingBias(memory, config),
    attention: <Out extends Floats>(
      q: Floats,
      k: Floats,
      v: Floats,
      args: AttentionMoreArgs<Out>,
    ) => attentionMore(memory, q, k, v, args) as Out,
    attentionBackward: (q, k, v, outGradient, args) =>
      attentionBackward(memory, q, k, v, outGradient, args),
  });
}
