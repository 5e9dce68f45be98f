/**
 * The module, where the host imports WebAssembly (Cloudflare Workers):
 * `load({ wasm: module })`. Elsewhere `load()` finds the file itself.
 */
declare const module: WebAssembly.Module;
export default module;
