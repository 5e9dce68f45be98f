// What the build needs of the system, as Debian packages; only missing ones are installed.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { capture, Failure, succeeds, which } from "./process.mjs";

const buildPackages = ["cmake", "ninja-build", "g++", "python3"];
const libraryPackages = [
  "libgtest-dev",
  "libgmock-dev",
  "libbenchmark-dev",
  "nlohmann-json3-dev",
  "libcli11-dev",
];
const formatter = "clang-format-19";
/**
 * The first that there is. From 21 on clang-tidy leaves the headers of the system alone, which takes
 * a third of the time; Debian 12 has 22 among its security updates.
 */
export const linters = ["clang-tidy-22", "clang-tidy-19"];
const testPackages = ["chromium", "fonts-dejavu-core", "python3-numpy"];
// Debian 13's Emscripten, unpacked on Debian 12, compiles with Debian 12's own LLVM 19.
const llvmPackages = ["clang-19", "lld-19", "llvm-19"];
const arm64Packages = ["g++-aarch64-linux-gnu", "qemu-user"];

/** "12", "13" on Debian, "testing" where it has no number yet, undefined elsewhere. */
export function debianRelease() {
  if (!existsSync("/etc/os-release")) return undefined;
  const text = readFileSync("/etc/os-release", "utf8");
  const field = (name) => new RegExp(`^${name}="?([^"\\n]*)"?$`, "m").exec(text)?.[1];
  return field("ID") === "debian" ? (field("VERSION_ID") ?? "testing") : undefined;
}

/** Installs what is missing; `hasEmscripten` says that a usable em++ is on PATH already. */
export function installPackages({ arm64, hasEmscripten }) {
  if (!which("dpkg-query") || !which("apt-get")) return checkOtherSystem(arm64);
  return ensurePackages(neededPackages({ arm64, hasEmscripten }));
}

/** Installs those packages that are missing. */
export function ensurePackages(needed) {
  const missing = missingPackages(needed);
  if (missing.length === 0) return `all ${needed.length} are there`;
  const byHand = `Run by hand, as root:\n  apt-get update && apt-get install -y --no-install-recommends ${missing.join(" ")}\nthen npm run setup again.`;
  const apt = ["apt-get", "-o", "DPkg::Lock::Timeout=600"];
  const asRoot = rootPrefix(byHand);
  console.log(`  installing ${missing.join(" ")}`);
  const run = (command) => capture([...asRoot, ...command], { remedy: byHand });
  // An earlier run that was killed may have left packages half configured.
  run(["dpkg", "--configure", "-a"]);
  run([...apt, "update"]);
  const known = missing.map((name) => (name === linters[0] ? availableLinter() : name));
  run([...apt, "install", "-y", "--fix-broken", "--no-install-recommends", ...known]);
  return `installed ${missing.length} of ${needed.length}`;
}

function neededPackages({ arm64, hasEmscripten }) {
  const packages = [...buildPackages, ...libraryPackages, ...testPackages, formatter];
  packages.push(linters.slice(1).some(which) ? availableLinter() : linters[0]);
  const release = debianRelease();
  const isNewer = release !== undefined && release !== "12";
  if (isNewer) packages.push("libxsimd-dev");
  if (isNewer && !hasEmscripten) packages.push("emscripten");
  if (release === "12" && !hasEmscripten) packages.push(...llvmPackages);
  if (arm64) packages.push(...arm64Packages);
  return packages;
}

function availableLinter() {
  const isKnown = (name) => which(name) || succeeds(["apt-cache", "show", name]);
  return linters.find(isKnown) ?? linters[0];
}

function missingPackages(packages) {
  const query = ["-W", "-f", "$" + "{Package} $" + "{db:Status-Status}\\n", ...packages];
  // dpkg-query's status is 1 as soon as one package is unknown: its output is what counts.
  const { stdout } = spawnSync("dpkg-query", query, { encoding: "utf8" });
  const installed = new Set(
    stdout.split("\n").flatMap((line) => (line.endsWith(" installed") ? line.split(" ")[0] : [])),
  );
  return packages.filter((name) => !installed.has(name));
}

function rootPrefix(byHand) {
  const environment = ["env", "DEBIAN_FRONTEND=noninteractive"];
  if (process.getuid() === 0) return environment;
  if (which("sudo") && succeeds(["sudo", "-n", "true"])) return ["sudo", "-n", ...environment];
  throw new Failure(
    "Debian packages are missing, and this user is neither root nor has sudo without a password.",
    byHand,
  );
}

/** Without apt nothing is installed: the programs must be there, and the message says which. */
function checkOtherSystem(arm64) {
  const programs = [
    "cmake",
    "ninja",
    "c++",
    "python3",
    "em++",
    formatter,
    linters.find(which) ?? linters[0],
    "chromium",
  ];
  if (arm64) programs.push("aarch64-linux-gnu-g++", "qemu-aarch64");
  const missing = programs.filter((program) => !which(program));
  if (missing.length === 0) return "not a Debian system, but every program is on PATH";
  throw new Failure(
    "This is not a Debian system, so nothing can be installed for you.",
    `Put these on PATH by hand: ${missing.join(", ")}\nand install the headers of GoogleTest, Google Benchmark, nlohmann-json, CLI11 and xsimd 13.`,
  );
}
