// `npm run build`: set-up, then build/native, build/wasm and dist.
// `node wasm/toolchain/build.mjs native|wasm|package ...` runs those steps alone.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { command } from "./artifacts.mjs";
import { capture, Failure, isScript, main, root, run } from "./process.mjs";
import { setUp } from "./setup.mjs";
import { printSizes } from "./sizes.mjs";

const steps = {
  native: (targets) => buildPreset("release", targets),
  wasm: (targets) => buildPreset("wasm", targets),
  package: buildPackage,
};

/**
 * Runs the named steps, all of them by default; ninja skips what is up to date. `targets` of a step
 * are built alone, when they are given.
 */
export async function build(names = Object.keys(steps), targets = {}) {
  for (const name of names) {
    if (!(name in steps)) {
      throw new Failure(`No such step: ${name}.`, `Steps: ${Object.keys(steps).join(", ")}`);
    }
  }
  for (const [name, step] of Object.entries(steps)) {
    if (!names.includes(name)) continue;
    const begin = performance.now();
    console.log(`build: ${name}`);
    await step(targets[name]);
    console.log(`  ${name} done (${((performance.now() - begin) / 1000).toFixed(1)} s)`);
  }
}

function buildPreset(preset, targets) {
  capture(["cmake", "--preset", preset]);
  const alone = targets ? ["--target", ...targets] : [];
  run(["cmake", "--build", "--preset", preset, ...alone]);
}

/** dist: the API with its module (wasm/ts/package.mjs), and the command with its own. */
async function buildPackage() {
  const dist = join(root, "dist");
  const wasm = join(root, "build/wasm");
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  const { packageTypeScript } = await import("../ts/package.mjs");
  await packageTypeScript(dist, wasm);
  const { transform } = await import("esbuild");
  const source = readFileSync(join(wasm, command.glue), "utf8");
  const { code } = await transform(source, { minify: true, format: "esm", target: "es2022" });
  writeFileSync(join(dist, command.glue), code);
  copyFileSync(join(wasm, command.module), join(dist, command.module));
  copyFileSync(join(root, "src/cli/launcher.mjs"), join(dist, "cli.mjs"));
  printSizes(dist);
}

if (isScript(import.meta.url)) {
  await main(async () => {
    const names = process.argv.slice(2);
    if (names.length === 0) setUp();
    await build(names.length === 0 ? undefined : names);
  });
}
