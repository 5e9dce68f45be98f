import createModule from "#glue-all";
import { type PosencAll, posencAllOf } from "./all.js";
import type { AllModule } from "./all_module.js";
import { type LoadOptions, loader } from "./load.js";

export * from "./all_index.js";

// Bundlers look for this very expression.
const beside = () => new URL("posenc_all.wasm", import.meta.url);
const apiOf = (module: AllModule) => posencAllOf(module, () => import("./model_web.js"));
const loadHere = loader({ createModule, apiOf, beside }, (url) => fetch(url));

/**
 * Loads the WebAssembly module and gives the whole library. Without options every call gives the same
 * instance; posenc_all.wasm lies beside the JavaScript, and bundlers copy it.
 *
 * @throws {@link PosencError} `SIMD_MISSING`; `WASM_LOAD` with the way to mend it; `TYPE`.
 *
 * @example
 * ```ts
 * import { load } from "posenc/all";
 * const posenc = await load();
 * ```
 */
export function load(options?: LoadOptions): Promise<PosencAll> {
  return loadHere(options);
}
