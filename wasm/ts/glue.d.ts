/** The JavaScript that Emscripten makes; the package step puts it here (wasm/ts/package.mjs). */
declare module "#glue" {
  interface GlueOptions {
    instantiateWasm(
      imports: WebAssembly.Imports,
      receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): object;
  }
  export default function createModule(
    options: GlueOptions,
  ): Promise<import("./module.js").WasmModule>;
}
