import { type LoadOptions, loader } from "./load.js";
import type { Posenc } from "./posenc.js";

export * from "./index.js";

// Bundlers look for this very expression.
const loadHere = loader(
  () => new URL("posenc.wasm", import.meta.url),
  (url) => fetch(url),
);

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
