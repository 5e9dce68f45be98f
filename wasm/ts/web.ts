import createModule from "#glue";
import { type LoadOptions, loader } from "./load.js";
import type { WasmModule } from "./module.js";
import { type Posenc, posencOf } from "./posenc.js";

export * from "./index.js";

// Bundlers look for this very expression.
const beside = () => new URL("posenc.wasm", import.meta.url);
const apiOf = (module: WasmModule) => posencOf(module, () => import("./model_web.js"));
const loadHere = loader({ createModule, apiOf, beside }, (url) => fetch(url));

/**
 * Loads the WebAssembly module and gives the library. Without options every call gives the same
 * instance; posenc.wasm lies beside the JavaScript, and bundlers copy it.
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
