// Finds Emscripten and xsimd, or on Debian 12 unpacks Debian 13's packages into the user's cache.
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { debianRelease } from "./debian.mjs";
import { debian13Emscripten, debian13Xsimd } from "./debian13.mjs";
import { capture, Failure, which } from "./process.mjs";

const oldestEmscripten = [3, 1, 60];
const oldestXsimd = 13;

const emsdkByHand = `Put an Emscripten of ${oldestEmscripten.join(".")} or newer on PATH (an emsdk: its emsdk_env.sh does that), then npm run setup again.`;
const xsimdByHand = `Put the headers of xsimd ${oldestXsimd} or newer into /usr/local/include, then npm run setup again.`;

/** The folder of the Emscripten on PATH and its version, or undefined where none is new enough. */
export function emscriptenOnPath() {
  const command = which("em++");
  if (!command) return undefined;
  const beside = dirname(realpathSync(command));
  const folder = [beside, resolve(beside, "../libexec")].find((path) =>
    existsSync(join(path, "emscripten-version.txt")),
  );
  if (!folder) return undefined;
  const version = emscriptenVersion(folder);
  return isAtLeast(version, oldestEmscripten) ? { folder, version } : undefined;
}

/**
 * Where Emscripten and xsimd are: { folder, version, config, xsimd }. `config()` gives the lines of an
 * Emscripten configuration file, `xsimd` is the folder that contains xsimd.hpp.
 */
export function findToolchain() {
  const found = emscriptenOnPath();
  const canUnpack = debianRelease() === "12" && which("apt-get") !== undefined;
  if (found) {
    const xsimd = systemXsimd() ?? (canUnpack && debian13Xsimd(cacheFolder(), xsimdByHand));
    if (!xsimd) throw new Failure(`xsimd ${oldestXsimd} was not found.`, xsimdByHand);
    return { ...found, xsimd, config: () => configOf(found.folder) };
  }
  if (!canUnpack) throw new Failure("Emscripten was not found.", emsdkByHand);
  const { folder, config, xsimd } = debian13Emscripten(cacheFolder(), emsdkByHand);
  return { folder, version: emscriptenVersion(folder), config: () => config, xsimd };
}

function cacheFolder() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "posenc");
}

function emscriptenVersion(folder) {
  return readFileSync(join(folder, "emscripten-version.txt"), "utf8").replaceAll(/["\s]/g, "");
}

function isAtLeast(version, oldest) {
  const numbers = version.split(".").map((part) => Number.parseInt(part, 10));
  const differs = oldest.findIndex((part, index) => numbers[index] !== part);
  return differs < 0 || numbers[differs] > oldest[differs];
}

/** The configuration that this Emscripten works with already, in our own file. */
function configOf(folder) {
  const names = ["LLVM_ROOT", "LLVM_ADD_VERSION", "CLANG_ADD_VERSION", "BINARYEN_ROOT", "CACHE"];
  const lines = names.flatMap((name) => {
    const value = capture([join(folder, "em-config"), name], { remedy: emsdkByHand }).trim();
    return value === "" || value === "None" ? [] : `${name} = '${value}'`;
  });
  const frozen = capture([join(folder, "em-config"), "FROZEN_CACHE"]).trim() === "True";
  return [...lines, `FROZEN_CACHE = ${frozen ? "True" : "False"}`];
}

function systemXsimd() {
  const folders = ["/usr/local/include", "/usr/include", "/opt/homebrew/include"];
  return folders
    .map((folder) => join(folder, "xsimd"))
    .find((folder) => {
      const file = join(folder, "config/xsimd_config.hpp");
      if (!existsSync(file)) return false;
      const major = /XSIMD_VERSION_MAJOR (\d+)/.exec(readFileSync(file, "utf8"))?.[1];
      return Number(major) >= oldestXsimd;
    });
}
