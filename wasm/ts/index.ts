/** What the entries web.ts and node.ts export beside `load`. */
export type { Additive } from "./additive.js";
export {
  ALIBI_DEFAULTS,
  ALIBI_FORMS,
  ALIBI_SLOPES,
  type Alibi,
  type AlibiConfig,
  type AlibiForm,
  type AlibiSlopes,
} from "./alibi.js";
export {
  AXIAL_BANDS,
  AXIAL_ORDERS,
  type Axial,
  type AxialBands,
  type AxialOrder,
  type Mrope,
  type OneAxis,
  ROPE_AXES,
  type RopeAxes,
  type RopeAxesType,
} from "./axes.js";
export type { Bias, ScoreBias, ScorePositions } from "./bias.js";
export * from "./common_index.js";
export { LEARNED_DEFAULTS, type Learned, type LearnedConfig } from "./learned.js";
export type {
  JsonValue,
  Model,
  ModelAttention,
  ModelConfig,
  ModelEncoding,
  ModelEncodingData,
  ModelSite,
  ModelSource,
  ModelWarning,
  ReadModelOptions,
} from "./model.js";
export type { Posenc } from "./posenc.js";
export type {
  PositionArray,
  PositionList,
  PositionRange,
  PositionsInput,
} from "./positions.js";
export type { Rope } from "./rope.js";
export {
  type FullRopeConfig,
  ROPE_ANGLES,
  ROPE_DEFAULTS,
  type RopeAngles,
  type RopeConfig,
  type Xpos,
} from "./rope_config.js";
export { ROPE_LAYOUTS, type RopeLayout } from "./rope_layout.js";
export type { Angles } from "./rope_tables.js";
export {
  type RerotateArgs,
  ROTARY_ORDERS,
  ROTARY_SIDES,
  type RotaryArgs,
  type RotaryOrder,
  type RotaryPairArgs,
  type RotaryPositions,
  type RotaryShape,
  type RotarySide,
} from "./rotary_args.js";
export {
  type CustomFrequencies,
  type Doubles,
  type DynamicNtk,
  type Linear,
  type Llama3,
  type LongRope,
  type NoScaling,
  type Proportional,
  ROPE_SCALINGS,
  type RopeScaling,
  type RopeScalingType,
  type StaticNtk,
  type Yarn,
} from "./scaling.js";
export {
  ODD_WIDTHS,
  type OddWidth,
  SINUSOIDAL_DEFAULTS,
  SINUSOIDAL_LAYOUTS,
  SINUSOIDAL_ORDERS,
  type Sinusoidal,
  type SinusoidalConfig,
  type SinusoidalLayout,
  type SinusoidalOrder,
} from "./sinusoidal.js";
export { type T5, T5_DEFAULTS, type T5Config } from "./t5.js";
