import createModule from "#glue-fast";
import { type FastLoadOptions, fastLoader, type PosencFast } from "./fast.js";
import type { GlueOptions } from "./module.js";
import { readUrl } from "./node_file.js";

export * from "./fast_index.js";

const relaxed = { createModule, beside: () => new URL("posenc_fast.wasm", import.meta.url) };
const all = {
  createModule: async (options: GlueOptions) => (await import("#glue-all")).default(options),
  beside: () => new URL("posenc_all.wasm", import.meta.url),
};
const loadHere = fastLoader(relaxed, all, readUrl);

/**
 * Loads attention with relaxed SIMD: posenc_fast.wasm, or where the host has none (below Chrome 114,
 * Firefox 146 and Node 22; Safari) posenc_all.wasm, whose results are reproducible; `numerics` says
 * which. One of the two is read, from beside the JavaScript. Without options every call gives the
 * same instance.
 *
 * @throws {@link PosencError} `SIMD_MISSING`; `WASM_LOAD` with the way to mend it; `TYPE`.
 *
 * @example
 * ```ts
 * import { load } from "posenc/fast";
 * const fast = await load();
 * ```
 */
export function load(options?: FastLoadOptions): Promise<PosencFast> {
  return loadHere(options);
}
