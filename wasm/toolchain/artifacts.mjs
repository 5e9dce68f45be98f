// What the builds leave behind and how large it may be: the one place where these names stand.

/** Programs of the native build, in build/native. */
export const nativePrograms = ["posenc", "conformance"];

/** The command for Node, in build/wasm; its JavaScript is minified on its way to dist. */
export const command = { glue: "posenc-cli.mjs", module: "posenc-cli.wasm" };

/** Limits in bytes after brotli, of what a browser loads: an entry with all it imports, a module. */
export const limits = [
  { name: "posenc: wasm", module: "posenc.wasm", bytes: 60_000 },
  { name: "posenc: javascript", entry: "web.js", bytes: 15_000 },
  { name: "posenc/all: wasm", module: "posenc_all.wasm", bytes: 110_000 },
  { name: "posenc/all: javascript", entry: "all_web.js", bytes: 30_000 },
  { name: "posenc/fast: wasm", module: "posenc_fast.wasm", bytes: 26_000 },
  { name: "posenc/fast: javascript", entry: "fast_web.js", bytes: 15_000 },
  { name: "posenc/model: wasm", module: "posenc_model.wasm", bytes: 60_000 },
  { name: "posenc/model: javascript", entry: "model_web.js", bytes: 15_000 },
];
