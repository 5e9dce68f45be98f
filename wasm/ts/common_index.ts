/** What the entries "posenc", "posenc/all" and "posenc/fast" all export beside `load`. */
export type { AttentionArgs, ScoreTerms } from "./attention.js";
export { CODES, type Code, PosencError } from "./errors.js";
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
