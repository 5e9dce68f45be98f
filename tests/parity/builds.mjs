// The parity program as a build made it, run with each kernel that this machine can run.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { Failure, root } from "../../wasm/toolchain/process.mjs";

/** { name, command } of the program in a build folder, under the emulator that the build names. */
export function findBuild(folder) {
  const path = resolve(root, folder);
  const name = relative(join(root, "build"), path) || path;
  for (const file of ["parity", "parity.cjs"]) {
    const program = join(path, "tests/parity", file);
    if (!existsSync(program)) continue;
    const emulator = file.endsWith(".cjs") ? [process.execPath] : emulatorOf(path);
    return { name, command: [...emulator, program] };
  }
  throw new Failure(
    `No parity program in ${folder}.`,
    `Build it: cmake --preset ${name === "native" ? "release" : name}, then cmake --build ${folder}`,
  );
}

function emulatorOf(folder) {
  const cache = readFileSync(join(folder, "CMakeCache.txt"), "utf8");
  return /^CMAKE_CROSSCOMPILING_EMULATOR:\w+=(.+)$/m.exec(cache)?.[1].split(";") ?? [];
}

/** One entry per kernel of a build: { name, command }. */
export function withKernels(build) {
  const kernels = runProgram({ ...build }, ["--kernels"])
    .trim()
    .split("\n");
  return kernels.map((kernel) => ({
    name: `${build.name} ${kernel}`,
    kernel,
    command: [...build.command, "--kernel", kernel],
  }));
}

/** The names of all verbs. */
export function verbsOf(build) {
  return runProgram(build, ["--verbs"]).trim().split("\n");
}

/** A run's lines "verb/parameters hash", as a map of verbs to maps of cases to hashes. */
export function hashes(build, words = []) {
  const verbs = new Map();
  for (const line of runProgram(build, words).split("\n")) {
    if (line === "") continue;
    const end = line.lastIndexOf(" ");
    const name = line.slice(0, end);
    const verb = name.slice(0, name.indexOf("/"));
    if (!verbs.has(verb)) verbs.set(verb, new Map());
    if (verbs.get(verb).has(name)) throw new Failure(`Two cases have the name ${name}.`);
    verbs.get(verb).set(name, line.slice(end + 1));
  }
  return verbs;
}

/** The arrays that go in and out of a case: [{ role, name, type, shape, words }], words in hex. */
export function dump(build, name) {
  const lines = runProgram(build, ["--dump", name]).trim().split("\n");
  return lines.map((line) => {
    const [role, array, type, shape, ...words] = line.split(" ");
    return { role, name: array, type, shape: shape.split("x").map(Number), words };
  });
}

function runProgram(build, words) {
  const [program, ...rest] = [...build.command, ...words];
  const result = spawnSync(program, rest, { encoding: "utf8", maxBuffer: 1 << 30 });
  if (result.status === 0) return result.stdout;
  const reason = result.error?.message ?? result.signal ?? `status ${result.status}`;
  throw new Failure(`${[program, ...rest].join(" ")}: ${reason}`, firstLines(result.stderr ?? ""));
}

function firstLines(text) {
  const lines = text.trimEnd().split("\n");
  return lines.length <= 10 ? lines.join("\n") : [...lines.slice(0, 10), "..."].join("\n");
}
