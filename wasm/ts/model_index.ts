/** What the entries model_web.ts and model_node.ts export beside `readModel`. */
export { CODES, type Code, PosencError } from "./errors.js";
export type { LoadOptions, WasmSource } from "./load.js";
export {
  type JsonValue,
  MODEL_SITES,
  Model,
  type ModelAttention,
  type ModelConfig,
  ModelEncoding,
  type ModelEncodingData,
  type ModelSite,
  type ModelSource,
  type ModelWarning,
  type ReadModelOptions,
} from "./model.js";
