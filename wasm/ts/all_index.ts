/** What the entries all_web.ts and all_node.ts export beside `load`. */
export type { AdditiveAt } from "./additive_at.js";
export type { PosencAll } from "./all.js";
export type { AttentionBackwardArgs, AttentionGradients } from "./attention_backward.js";
export type {
  AttentionMoreArgs,
  RelativeTerms,
  RotaryTables,
  ScoreTermsMore,
} from "./attention_more.js";
export type { AttentionScoresArgs } from "./attention_scores.js";
export { COPE_DEFAULTS, type Cope, type CopeConfig } from "./cope.js";
export {
  DEBERTA_DEFAULTS,
  type Deberta,
  type DebertaConfig,
  type DebertaProjection,
} from "./deberta.js";
export type { Decomposed, DecomposedConfig } from "./decomposed.js";
export {
  DETR_ORDERS,
  DETR_SINE_DEFAULTS,
  type DetrImages,
  type DetrOrder,
  type DetrSine,
  type DetrSineConfig,
} from "./detr_sine.js";
export {
  DYNAMIC_POSITION_BIAS_DEFAULTS,
  type DynamicPositionBias,
  type DynamicPositionBiasConfig,
} from "./dynamic_position_bias.js";
export { FIRE_DEFAULTS, type Fire, type FireConfig } from "./fire.js";
export {
  FORGETTING_BIAS_DEFAULTS,
  type ForgettingBias,
  type ForgettingBiasConfig,
} from "./forgetting_bias.js";
export type {
  GatedPositionBias,
  GatedPositionBiasArgs,
  GatedPositionBiasConfig,
} from "./gated_position_bias.js";
export {
  HIERARCHICAL_DEFAULTS,
  type Hierarchical,
  type HierarchicalConfig,
} from "./hierarchical.js";
export * from "./index.js";
export {
  GRID_SPACINGS,
  type GridSpacing,
  INTERPOLATE_DEFAULTS,
  INTERPOLATION_MODES,
  type Interpolate,
  type InterpolateConfig,
  type InterpolationMode,
} from "./interpolate.js";
export {
  KERPLE_DEFAULTS,
  KERPLE_KINDS,
  type Kerple,
  type KerpleConfig,
  type KerpleKind,
} from "./kerple.js";
export type { LayoutBoxes, LayoutBoxesConfig, LayoutTokens } from "./layout_boxes.js";
export type { MlpLayer } from "./mlp.js";
export {
  MULTISCALE_COMBINES,
  MULTISCALE_DEFAULTS,
  type Multiscale,
  type MultiscaleCombine,
  type MultiscaleConfig,
  type MultiscaleLevel,
} from "./multiscale.js";
export type { PermutePairs, PermutePairsArgs } from "./permute_pairs.js";
export { POPE_DEFAULTS, type Pope, type PopeConfig } from "./pope.js";
export type {
  LeftPaddingPositions,
  OptPositions,
  PositionIds,
  RobertaPositions,
} from "./position_ids.js";
export type { Relative, ScaledScoreArgs, ScoreArgs } from "./relative.js";
export type { RelativeEncodings } from "./relative_encodings.js";
export {
  GRID_COORDINATES,
  GRID_EXTENTS,
  type GridCoordinates,
  type GridExtent,
  type GridPositionsArgs,
  type MropePositionsArgs,
  type RotaryPositionRules,
} from "./rotary_positions.js";
export { SHAW_DEFAULTS, type Shaw, type ShawConfig } from "./shaw.js";
export {
  AXIS_ORDERS,
  type AxisOrder,
  CELL_ORDERS,
  type CellOrder,
  type Coordinates,
  type Grid,
  SINCOS_GRID_DEFAULTS,
  SINCOS_GRID_LAYOUTS,
  type SincosGrid,
  type SincosGridConfig,
  type SincosGridLayout,
} from "./sincos_grid.js";
export type { Swin, SwinConfig } from "./swin.js";
export {
  SWIN_COORDINATES,
  SWIN_CPB_DEFAULTS,
  type SwinCoordinates,
  type SwinCpb,
  type SwinCpbConfig,
} from "./swin_cpb.js";
export {
  TRAINABLE_LEARNED_DEFAULTS,
  type TrainableLearned,
  type TrainableLearnedConfig,
} from "./trainable_learned.js";
export {
  type RelativeShiftArgs,
  type SegmentArgs,
  TRANSFORMER_XL_DEFAULTS,
  type TransformerXl,
  type TransformerXlConfig,
  type TransformerXlScoreArgs,
} from "./transformer_xl.js";
