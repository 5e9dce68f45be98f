/** The JavaScript that Emscripten makes; the package step puts it here (wasm/ts/package.mjs). */
declare module "#glue" {
  export default function createModule(
    options: import("./module.js").GlueOptions,
  ): Promise<import("./module.js").WasmModule>;
}

declare module "#glue-all" {
  export default function createModule(
    options: import("./module.js").GlueOptions,
  ): Promise<import("./all_module.js").AllModule>;
}

declare module "#glue-fast" {
  export default function createModule(
    options: import("./module.js").GlueOptions,
  ): Promise<import("./attention_more.js").AttentionMoreModule>;
}

declare module "#glue-model" {
  export default function createModule(
    options: import("./module.js").GlueOptions,
  ): Promise<import("./model_module.js").ModelModule>;
}
