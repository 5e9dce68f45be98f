// What the builds leave behind and how large it may be: the one place where these names stand.

/** Programs of the native build, in build/native. */
export const nativePrograms = ["posenc", "conformance"];

/** The command for Node, in build/wasm; its JavaScript is minified on its way to dist. */
export const command = { glue: "posenc-cli.mjs", module: "posenc-cli.wasm" };

/** Limits in bytes after brotli, of what a browser loads. */
export const limits = {
  wasm: { files: ["posenc.wasm"], bytes: 60_000 },
  // The entry and everything it imports.
  javascript: { entry: "web.js", bytes: 15_000 },
};
