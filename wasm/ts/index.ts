/** What both entries, web.ts and node.ts, export beside `load`. */
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
export type { AttentionArgs, ScoreTerms } from "./attention.js";
export type { Bias, ScorePositions } from "./bias.js";
export { CODES, type Code, PosencError } from "./errors.js";
export { LEARNED_DEFAULTS, type Learned, type LearnedConfig } from "./learned.js";
export type { LoadOptions, WasmSource } from "./load.js";
export type { FloatBuffer, Floats, NewFloats } from "./memory.js";
export type { Owned } from "./owned.js";
export type { Posenc } from "./posenc.js";
export type {
  PositionArray,
  PositionList,
  PositionRange,
  PositionsInput,
} from "./positions.js";
export {
  type Angles,
  ROPE_DEFAULTS,
  ROPE_LAYOUTS,
  ROPE_SCALINGS,
  ROTARY_ORDERS,
  type Rope,
  type RopeConfig,
  type RopeLayout,
  type RopeScaling,
  type RotaryArgs,
  type RotaryOrder,
  type RotaryShape,
} from "./rope.js";
export {
  ODD_WIDTHS,
  type OddWidth,
  SINUSOIDAL_DEFAULTS,
  SINUSOIDAL_LAYOUTS,
  type Sinusoidal,
  type SinusoidalConfig,
  type SinusoidalLayout,
} from "./sinusoidal.js";
export { type T5, T5_DEFAULTS, type T5Config } from "./t5.js";
