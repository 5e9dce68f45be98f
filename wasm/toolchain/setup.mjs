// The one set-up step: `npm run setup`, and the first thing that build, start and test do.
// Plain Node: it runs before any npm package is there. `--arm64` adds the cross compiler and qemu.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installPackages } from "./debian.mjs";
import { emscriptenOnPath, findToolchain } from "./emscripten.mjs";
import { linkToolchain } from "./links.mjs";
import { capture, Failure, isScript, main, root, which } from "./process.mjs";

/** Makes the machine and the checkout ready; each step says what it did and how long it took. */
export function setUp({ arm64 = false } = {}) {
  const begin = performance.now();
  step("Node", checkNode);
  step("Debian packages", () =>
    installPackages({ arm64, hasEmscripten: Boolean(emscriptenOnPath()) }),
  );
  step("npm packages", installNpmPackages);
  const toolchain = step("Emscripten", () => {
    const found = findToolchain();
    return Object.assign(found, { note: `${found.version} in ${found.folder}` });
  });
  step("build/toolchain", () => linkToolchain(toolchain));
  console.log(`set-up done in ${seconds(begin)}`);
}

function step(name, body) {
  const begin = performance.now();
  console.log(`set-up: ${name}`);
  const result = body();
  console.log(`  ${result.note ?? result} (${seconds(begin)})`);
  return result;
}

function seconds(begin) {
  return `${((performance.now() - begin) / 1000).toFixed(1)} s`;
}

function checkNode() {
  const [major] = process.versions.node.split(".").map(Number);
  if (major < 20) {
    throw new Failure(
      `Node ${process.versions.node} is too old.`,
      "Install Node 20 or newer, then npm run setup again.",
    );
  }
  if (!which("npm"))
    throw new Failure("npm is not on PATH.", "Install npm, then npm run setup again.");
  return `${process.versions.node}`;
}

/** `npm ci` empties node_modules first, so the stamp inside it dies with an interrupted run. */
function installNpmPackages() {
  const lock = readFileSync(join(root, "package-lock.json"));
  const hash = createHash("sha256").update(lock).digest("hex");
  const stamp = join(root, "node_modules/.posenc-lock-hash");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return "match package-lock.json";
  console.log("  npm ci");
  capture(["npm", "ci", "--prefer-offline"], {
    remedy:
      "npm could not install the packages of package-lock.json. With a network, run by hand: npm ci",
  });
  writeFileSync(stamp, hash);
  return "installed";
}

if (isScript(import.meta.url)) {
  await main(() => setUp({ arm64: process.argv.includes("--arm64") }));
}
