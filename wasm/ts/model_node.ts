import createModule from "#glue-model";
import { loader } from "./load.js";
import { configText, Model, type ModelConfig, type ReadModelOptions } from "./model.js";
import type { ModelModule } from "./model_module.js";
import { ModelReader } from "./model_reader.js";
import { readUrl } from "./node_file.js";

export * from "./model_index.js";

const beside = () => new URL("posenc_model.wasm", import.meta.url);
const apiOf = (module: ModelModule) => new ModelReader(module);
const loadHere = loader({ createModule, apiOf, beside }, readUrl);

/**
 * Reads a published model's config.json: which position encodings it asks for, in which layers,
 * with every parameter and where each came from. The module is loaded once, on first use.
 *
 * @param config - The text of the file, or the object that JSON.parse made of it. Texts may hold
 * NaN and Infinity, as Python writes them.
 * @throws {@link PosencError} `MALFORMED` with the path of the field that is wrong; `TYPE`,
 * `SIZE_LIMIT`, `OUT_OF_MEMORY`, `SIMD_MISSING` or `WASM_LOAD`.
 */
export async function readModel(config: ModelConfig, options?: ReadModelOptions): Promise<Model> {
  const text = configText(config);
  return new Model(await loadHere(options), text, options?.posenc);
}
