// clang-tidy over every source that the native and the WebAssembly build compile. A source that
// passed is not looked at again until it, a header of this tree that it includes, its compiler
// command or .clang-tidy changes.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative, resolve } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { linters } from "../../wasm/toolchain/debian.mjs";
import { capture, root, which } from "../../wasm/toolchain/process.mjs";
import { treeFiles } from "./files.mjs";

const linter = linters.find(which);
const passedFolder = join(root, "build/lint");
const settings = [
  capture([linter, "--version"]),
  ...treeFiles(".clang-tidy").map((name) => readFileSync(join(root, name), "utf8")),
].join("\n");

// Warnings are the compilers' to judge, also where a build made them errors; and GCC's flags and
// precompiled headers mean nothing to clang.
const judgedHereAlone = ["-Wno-error", "-Wno-unknown-warning-option", "-Wno-ignored-gch"];

describe("clang-tidy", { concurrency: availableParallelism() }, () => {
  const native = sources("build/native");
  const names = new Set(native.map(({ file }) => file));
  const wasm = sources("build/wasm").filter(({ file }) => !names.has(file));
  for (const source of [...native, ...wasm]) test(relative(root, source.file), () => lint(source));
});

/** What a build compiles of this tree: [{ build, file, command, dependencies }]. */
function sources(build) {
  const commands = JSON.parse(readFileSync(join(root, build, "compile_commands.json"), "utf8"));
  const dependencies = readDependencies(build);
  const isOurs = ({ file }) => file.startsWith(`${root}/`) && !file.startsWith(`${root}/build/`);
  return commands.filter(isOurs).map(({ file, command }) => {
    const object = / -o (\S+)/.exec(command)[1];
    return { build, file, command, dependencies: dependencies.get(object) ?? [] };
  });
}

/** ninja knows which files each object was made from: object -> files of this tree. */
function readDependencies(build) {
  const text = capture(["ninja", "-C", build, "-t", "deps"]);
  const blocks = text.split(/\n\n/).map((block) => block.split("\n"));
  return new Map(
    blocks.map(([heading, ...files]) => [
      heading.split(":")[0],
      files
        .map((name) => resolve(root, build, name.trim()))
        .filter((path) => path.startsWith(`${root}/`) && !path.includes("/build/toolchain/")),
    ]),
  );
}

async function lint({ build, file, command, dependencies }) {
  const hash = createHash("sha256").update(settings).update(command);
  for (const path of dependencies) hash.update(readFileSync(path));
  const passed = join(passedFolder, hash.digest("hex"));
  // Without its dependencies nobody knows whether a source has changed.
  if (dependencies.length > 0 && existsSync(passed)) return;
  const flags = build === "build/wasm" ? emscriptenFlags() : [];
  const extra = [...flags, ...judgedHereAlone].map((flag) => `--extra-arg=${flag}`);
  try {
    await promisify(execFile)(linter, ["--quiet", "-p", build, ...extra, file], { cwd: root });
  } catch (error) {
    throw new Error(`${error.stdout || error.message}`);
  }
  mkdirSync(passedFolder, { recursive: true });
  writeFileSync(passed, "");
}

/** What em++ adds to the command of its clang. */
function emscriptenFlags() {
  const config = readFileSync(join(root, "build/toolchain/emscripten.config"), "utf8");
  const cache = /^CACHE = '(.*)'$/m.exec(config)[1];
  return ["--target=wasm32-unknown-emscripten", `--sysroot=${cache}/sysroot`, "-DEMSCRIPTEN"];
}
