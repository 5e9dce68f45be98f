import createModule from "#glue";
import { type LoadOptions, loader } from "./load.js";
import type { WasmModule } from "./module.js";
import { readUrl } from "./node_file.js";
import { type Posenc, posencOf } from "./posenc.js";

export * from "./index.js";

const beside = () => new URL("posenc.wasm", import.meta.url);
const apiOf = (module: WasmModule) => posencOf(module, () => import("./model_node.js"));
const loadHere = loader({ createModule, apiOf, beside }, readUrl);

/**
 * Loads the WebAssembly module and gives the library. Without options every call gives the same
 * instance; posenc.wasm is read from beside the JavaScript.
 *
 * @throws {@link PosencError} `SIMD_MISSING`; `WASM_LOAD` with the way to mend it; `TYPE`.
 *
 * @example
 * ```ts
 * import { load } from "posenc";
 * const posenc = await load();
 * ```
 */
export function load(options?: LoadOptions): Promise<Posenc> {
  return loadHere(options);
}
