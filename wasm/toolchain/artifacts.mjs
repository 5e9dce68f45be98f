// What the builds leave behind and how large it may be: the one place where these names stand.

/** Programs of the native build, in build/native. */
export const nativePrograms = ["posenc", "conformance"];

/** Emscripten's JavaScript, in build/wasm; minified on its way to dist. */
export const glue = ["posenc-web.mjs", "posenc-node.mjs", "posenc-cli.mjs"];

/** WebAssembly modules, in build/wasm; copied to dist as they are. */
export const modules = ["posenc-web.wasm", "posenc-node.wasm", "posenc-cli.wasm"];

/** Limits in bytes after brotli, of what a browser loads. */
export const limits = {
  wasm: { files: ["posenc-web.wasm"], bytes: 60_000 },
  // The entry and everything it imports.
  javascript: { entry: "web.js", bytes: 15_000 },
};
