// Installs the peers. None of them is needed to use or to build posenc, so what cannot be installed
// is named and left out.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensurePackages } from "../../wasm/toolchain/debian.mjs";
import { capture, root, which } from "../../wasm/toolchain/process.mjs";

// Debian's reference BLAS has no kernels; OpenBLAS chooses its own at run time.
const debianPackages = ["python3-numpy", "python3-torch", "libopenblas0-pthread"];

const installers = {
  npm: installNpmPackages,
  debian: installDebianPackages,
};

/** Reasons, by `needs` of subjects.mjs, why something could not be installed. */
export function installPeers(needs) {
  const problems = {};
  for (const name of needs) {
    try {
      console.log(`bench: peers from ${name}: ${installers[name]()}`);
    } catch (error) {
      problems[name] = error.message;
    }
  }
  return problems;
}

/** Elsewhere the worker says whether Python has them. */
function installDebianPackages() {
  if (!which("dpkg-query") || !which("apt-get")) return "not a Debian system, nothing installed";
  return ensurePackages(debianPackages);
}

function installNpmPackages() {
  const folder = join(root, "bench/peers");
  const lock = readFileSync(join(folder, "package-lock.json"), "utf8");
  const stamp = join(folder, "node_modules/.posenc-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return "match package-lock.json";
  capture(["npm", "ci", "--prefer-offline"], { cwd: folder });
  writeFileSync(stamp, lock);
  return "installed";
}
