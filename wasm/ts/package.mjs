// The TypeScript step of the build: dist/ from wasm/ts and what Emscripten left in build/wasm.
//
//   dist/web.js, dist/node.js   the package's two entries, Emscripten's glue inside, minified
//   dist/*.d.ts                 types, with their documentation
//   dist/posenc.wasm
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
  const entries = { web: "browser", node: "node" };
  for (const [entry, platform] of Object.entries(entries)) {
    await build({
      entryPoints: [join(root, "wasm/ts", `${entry}.ts`)],
      outfile: join(dist, `${entry}.js`),
      alias: { "#glue": join(wasm, "posenc.mjs") },
      bundle: true,
      platform,
      format: "esm",
      target: "es2022",
      minify: true,
      legalComments: "none",
    });
  }
  copyFileSync(join(wasm, "posenc.wasm"), join(dist, "posenc.wasm"));
  copyFileSync(join(root, "wasm/ts/posenc.wasm.d.ts"), join(dist, "posenc.wasm.d.ts"));
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
