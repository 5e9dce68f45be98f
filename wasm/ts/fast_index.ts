/** What the entries fast_web.ts and fast_node.ts export beside `load`. */
export type { AttentionArgs, ScoreTerms } from "./attention.js";
export type {
  AttentionMoreArgs,
  RelativeTerms,
  RotaryTables,
  ScoreTermsMore,
} from "./attention_more.js";
export { CODES, type Code, PosencError } from "./errors.js";
export type { FastLoadOptions, PosencFast } from "./fast.js";
export {
  type Float16Values,
  type FloatBuffer,
  type Floats,
  type Floats32,
  type NewFloats,
  type RawFloats,
  STORAGE_TYPES,
  type StorageType,
  type ViewOf,
} from "./float_buffer.js";
export type { LoadOptions, WasmSource } from "./load.js";
export type { Owned } from "./owned.js";
export { ROPE_LAYOUTS, type RopeLayout } from "./rope_layout.js";
