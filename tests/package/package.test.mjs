// The package as npm would publish it: packed, installed into an empty folder, imported, required,
// bundled, judged by publint, and within its size.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build as esbuild } from "esbuild";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { build as vite } from "vite";
import { measureSizes } from "../../wasm/toolchain/sizes.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "posenc-package-"));
const consumer = join(folder, "consumer");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
let packed;

before(() => {
  const [report] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", folder], root));
  packed = report;
  mkdirSync(consumer);
  writeFileSync(join(consumer, "package.json"), JSON.stringify({ private: true }));
  const flags = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  run("npm", ["install", ...flags, join(folder, packed.filename)], consumer);
});

after(() => rmSync(folder, { recursive: true, force: true }));

test("holds the built files and nothing else, in less than 1 MB", () => {
  const names = packed.files.map(({ path }) => path);
  const expected =
    /^(LICENSE|README\.md|CHANGELOG\.md|package\.json|dist\/[\w.-]+\.(d\.ts|m?js|wasm))$/;
  assert.deepEqual(
    names.filter((name) => !expected.test(name)),
    [],
  );
  for (const name of ["LICENSE", "README.md", "CHANGELOG.md"])
    assert.ok(names.includes(name), name);
  assert.ok(packed.size < 1_000_000, `${packed.size} bytes`);
});

test("needs no other package and runs no script when it is installed", () => {
  for (const field of ["dependencies", "peerDependencies", "optionalDependencies"]) {
    assert.equal(manifest[field], undefined);
  }
  for (const name of ["preinstall", "install", "postinstall", "prepare"]) {
    assert.equal(manifest.scripts[name], undefined);
  }
  assert.deepEqual(readdirSync(join(consumer, "node_modules")).filter(isVisible), ["posenc"]);
});

const use = `.then(async ({ load }) => {
  const posenc = await load();
  console.log(posenc.version, posenc.sinusoidal({ dim: 2 }).table({ length: 1 }).join());
});`;
const printed = `${manifest.version} 0,1\n`;

test("import works", () => {
  assert.equal(node(["--input-type=module", "--eval", `import("posenc")${use}`]), printed);
});

test("require() works where Node can require modules (20.19 and newer)", () => {
  const script = `Promise.resolve(require("posenc"))${use}`;
  if (!process.features.require_module) return;
  assert.equal(node(["--no-warnings", "--input-type=commonjs", "--eval", script]), printed);
});

test("posenc/all is a superset with the same errors", () => {
  const script = `
    import * as core from "posenc";
    import * as all from "posenc/all";
    const posenc = await core.load();
    const whole = await all.load();
    const missing = [core, posenc].flatMap((has, i) =>
      Object.keys(has).filter((name) => !(name in [all, whole][i])));
    console.log(missing.length, core.PosencError === all.PosencError);
    console.log(whole.sinusoidal({ dim: 2 }).table({ length: 1 }).join());
  `;
  assert.equal(node(["--input-type=module", "--eval", script]), "0 true\n0,1\n");
});

test("the modules themselves and package.json can be found", () => {
  const script = `
    for (const name of [
      "posenc/posenc.wasm",
      "posenc/posenc_all.wasm",
      "posenc/posenc_fast.wasm",
      "posenc/posenc_model.wasm",
      "posenc/package.json",
    ]) {
      console.log(import.meta.resolve(name).split("node_modules/")[1]);
    }
  `;
  const found = node(["--input-type=module", "--eval", script]);
  assert.equal(
    found,
    `${["", "_all", "_fast", "_model"].map((name) => `posenc/dist/posenc${name}.wasm\n`).join("")}posenc/package.json\n`,
  );
});

test("posenc/model reads a config", () => {
  const script = `
    import { readModel } from "posenc/model";
    const model = await readModel({ model_type: "llama", hidden_size: 64, num_attention_heads: 2 });
    console.log(model.encodings[0].encoding);
  `;
  assert.equal(node(["--input-type=module", "--eval", script]), "rope\n");
});

test("posenc/fast attends, with the same errors", () => {
  const script = `
    import { PosencError } from "posenc";
    import * as fast from "posenc/fast";
    const posenc = await fast.load();
    const ones = new Float32Array(2).fill(1);
    const out = posenc.attention(ones, ones, ones, { queryCount: 1, keyCount: 1, headDim: 2 });
    console.log(out.join(), fast.PosencError === PosencError);
  `;
  assert.equal(node(["--input-type=module", "--eval", script]), "1,1 true\n");
});

test("publint has nothing to say", async () => {
  const { messages, pkg } = await publint({ pkgDir: root, strict: true });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg)),
    [],
  );
});

for (const entry of ["posenc", "posenc/all", "posenc/fast"])
  test(`esbuild bundles ${entry} for browsers without Node's modules`, async () => {
    const { outputFiles, warnings } = await esbuild({
      stdin: { contents: `export { load } from "${entry}";`, resolveDir: consumer },
      bundle: true,
      write: false,
      format: "esm",
    });
    assert.deepEqual(warnings, []);
    assert.doesNotMatch(outputFiles[0].text, /node:/);
  });

for (const entry of ["posenc", "posenc/all", "posenc/fast"])
  test(`Vite bundles ${entry} and copies its module, and one for later`, async () => {
    writeFileSync(
      join(consumer, "index.html"),
      '<!doctype html><script type="module" src="/main.js"></script>',
    );
    writeFileSync(
      join(consumer, "main.js"),
      `import { load } from "${entry}"; load().then(({ kernel }) => console.log(kernel));`,
    );
    await vite({ root: consumer, logLevel: "error", build: { outDir: "out" } });
    const assets = readdirSync(join(consumer, "out/assets"));
    const modules = assets.filter((name) => name.endsWith(".wasm"));
    assert.equal(modules.length, 2, assets.join());
    const script = assets.find((name) => /^index-.*\.js$/.test(name));
    const text = readFileSync(join(consumer, "out/assets", script), "utf8");
    assert.ok(modules.some((name) => text.includes(name)));
    assert.ok(!modules.some((name) => text.includes(name) && name.includes("model")));
    assert.doesNotMatch(text, /node:/);
  });

for (const { name, bytes, limit } of measureSizes(join(root, "dist"))) {
  test(`${name} is at most ${limit} bytes after brotli`, () => {
    assert.ok(bytes <= limit, `${bytes} bytes`);
  });
}

function isVisible(name) {
  return !name.startsWith(".");
}

function node(args) {
  return run(process.execPath, args, consumer);
}

function run(command, args, cwd) {
  const { stdout, stderr, status } = spawnSync(command, args, { cwd, encoding: "utf8" });
  assert.equal(status, 0, `${command} ${args.join(" ")}\n${stderr}`);
  return stdout;
}
