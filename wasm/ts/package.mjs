// The TypeScript step of the build: dist/ from wasm/ts and what Emscripten left in build/wasm.
//
//   dist/web.js, dist/node.js           "posenc" for browsers and for Node, minified
//   dist/all_web.js, dist/all_node.js   "posenc/all"; what entries share is in shared-*.js
//   dist/fast_web.js, fast_node.js      "posenc/fast"
//   dist/model_web.js, model_node.js    "posenc/model"
//   dist/*.d.ts                         types, with their documentation
//   dist/*.wasm                         the module of each
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import ts from "typescript";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Writes `dist` from the Emscripten build in `wasm`; throws when the types are wrong. */
export async function packageTypeScript(dist, wasm) {
  mkdirSync(dist, { recursive: true });
  emitTypes(dist);
  for (const [host, platform] of Object.entries({ web: "browser", node: "node" })) {
    await build({
      entryPoints: [host, `all_${host}`, `fast_${host}`, `model_${host}`].map((name) =>
        join(root, "wasm/ts", `${name}.ts`),
      ),
      outdir: dist,
      alias: {
        "#glue": join(wasm, "posenc.mjs"),
        "#glue-all": join(wasm, "posenc_all.mjs"),
        "#glue-fast": join(wasm, "posenc_fast.mjs"),
        "#glue-model": join(wasm, "posenc_model.mjs"),
      },
      // The glue would look for its script in the page, to find a file that it never looks for.
      define: { document: "undefined" },
      chunkNames: "shared-[hash]",
      bundle: true,
      splitting: true,
      platform,
      format: "esm",
      target: "es2022",
      minify: true,
      legalComments: "none",
    });
  }
  for (const name of ["posenc", "posenc_all", "posenc_fast", "posenc_model"]) {
    copyFileSync(join(wasm, `${name}.wasm`), join(dist, `${name}.wasm`));
    copyFileSync(join(root, "wasm/ts/posenc.wasm.d.ts"), join(dist, `${name}.wasm.d.ts`));
  }
}

function emitTypes(dist) {
  const config = join(root, "wasm/ts/tsconfig.json");
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: report };
  const parsed = ts.getParsedCommandLineOfConfigFile(config, { outDir: dist }, host);
  const program = ts.createProgram(parsed.fileNames, parsed.options);
  const { diagnostics } = program.emit();
  report(...ts.getPreEmitDiagnostics(program), ...diagnostics);
}

function report(...diagnostics) {
  if (diagnostics.length === 0) return;
  const host = { ...ts.sys, getNewLine: () => "\n", getCanonicalFileName: (name) => name };
  const text = ts.formatDiagnostics(diagnostics, {
    ...host,
    getCurrentDirectory: () => root,
  });
  throw new Error(`wasm/ts:\n${text}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await packageTypeScript(join(root, "dist"), join(root, "build/wasm"));
}
