// build/toolchain: the one place where the CMake side finds what set-up found.
//
// Each link is to one library's folder alone. The system's include folder as a whole must never
// reach em++: it would mix glibc's headers into WebAssembly.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Failure, root } from "./process.mjs";

const folder = join(root, "build/toolchain");
const systemIncludes = ["/usr/include", "/usr/local/include", "/opt/homebrew/include"];
const googletestSources = ["/usr/src/googletest", "/usr/local/src/googletest"];

/** Makes or renews the links and the Emscripten configuration. */
export function linkToolchain(toolchain) {
  const links = {
    emscripten: toolchain.folder,
    "xsimd/include/xsimd": toolchain.xsimd,
    "nlohmann/include/nlohmann": firstThatExists(
      "nlohmann",
      systemIncludes.map((path) => join(path, "nlohmann")),
    ),
    "cli11/include/CLI": firstThatExists(
      "CLI11",
      systemIncludes.map((path) => join(path, "CLI")),
    ),
    googletest: firstThatExists("GoogleTest's sources", googletestSources),
  };
  removeForeignObjects(toolchain);
  let changes = 0;
  for (const [name, target] of Object.entries(links)) changes += link(join(folder, name), target);
  changes += writeConfig(join(folder, "emscripten.config"), toolchain);
  return changes === 0 ? "up to date" : `${changes} links renewed`;
}

/** What another Emscripten compiled must not be linked with this one's libraries. */
function removeForeignObjects(toolchain) {
  const before = currentTarget(join(folder, "emscripten"));
  if (before === undefined || before === toolchain.folder) return;
  rmSync(join(root, "build/wasm"), { recursive: true, force: true });
}

function firstThatExists(name, candidates) {
  const found = candidates.find((path) => existsSync(path));
  if (found) return found;
  throw new Failure(
    `${name} was not found.`,
    `Install it so that one of these is there: ${candidates.join(", ")}`,
  );
}

/** Replaces by renaming, so that a build that reads at the same time sees the old or the new. */
function link(path, target) {
  if (currentTarget(path) === target) return 0;
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}`;
  symlinkSync(target, temporary);
  renameSync(temporary, path);
  return 1;
}

function currentTarget(path) {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** The first line names what the rest was made for: reading it again is all a second run does. */
function writeConfig(path, toolchain) {
  const heading = `# Emscripten ${toolchain.version} in ${toolchain.folder}, Node in ${process.execPath}`;
  if (existsSync(path) && readFileSync(path, "utf8").startsWith(`${heading}\n`)) return 0;
  const lines = [heading, ...toolchain.config(), `NODE_JS = '${process.execPath}'`];
  writeFileSync(`${path}.${process.pid}`, `${lines.join("\n")}\n`);
  renameSync(`${path}.${process.pid}`, path);
  return 1;
}
