// What the builds leave behind and how large it may be: the one place where these names stand.

/** Programs of the native build, in build/native. */
export const nativePrograms = ["posenc", "conformance"];

/** The command's JavaScript, in build/wasm; minified on its way to dist. */
export const commandGlue = [];

/** The command's WebAssembly, in build/wasm; copied to dist as it is. */
export const commandModules = [];

/** Limits in bytes after brotli, of what a browser loads. */
export const limits = {
  wasm: { files: ["posenc.wasm"], bytes: 60_000 },
  // The entry and everything it imports.
  javascript: { entry: "web.js", bytes: 15_000 },
};
