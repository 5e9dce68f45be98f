import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type LoadOptions, loader } from "./load.js";
import type { Posenc } from "./posenc.js";

export * from "./index.js";

const loadHere = loader(() => new URL("posenc.wasm", import.meta.url), read);

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

/** Files by path or file: URL, anything else over the network. */
async function read(url: URL | string): Promise<ArrayBufferView | Response> {
  const text = String(url);
  if (/^(https?|data|blob):/.test(text)) return fetch(text);
  return readFile(text.startsWith("file:") ? fileURLToPath(text) : text);
}
