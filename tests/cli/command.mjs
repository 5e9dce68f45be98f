// Both builds of the command, and running them.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Program and first arguments of each build. */
export const builds = {
  native: [join(root, "build/native/posenc")],
  npx: [process.execPath, join(root, "dist/cli.mjs")],
};

/** Debian's Python, the one that has NumPy. */
const python = "/usr/bin/python3";

/** Runs a build: { status, signal, stdout, stderr }, standard output as bytes. */
export function posenc(build, args, { env = {}, ...options } = {}) {
  const [program, ...first] = builds[build];
  const run = spawnSync(program, [...first, ...args], {
    env: { ...process.env, ...env },
    maxBuffer: 2 ** 28,
    ...options,
  });
  if (run.error) throw run.error;
  return { ...run, stderr: String(run.stderr) };
}

/** Starts a build without waiting for it. */
export function start(build, args) {
  const [program, ...first] = builds[build];
  return spawn(program, [...first, ...args], { stdio: "ignore" });
}

/** Runs a shell script in which "$@" is a build and its arguments. */
export function shell(build, script, args, options = {}) {
  const run = spawnSync("sh", ["-c", script, "sh", ...builds[build], ...args], options);
  return { ...run, stderr: String(run.stderr) };
}

/** A folder that lasts as long as the tests of a file. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "posenc-cli-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs Python with NumPy as `np`, and returns what it prints. */
export function numpy(script, ...args) {
  const run = spawnSync(python, ["-c", `import sys, numpy as np\n${script}`, ...args], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (run.status !== 0) throw new Error(run.error?.message ?? run.stderr);
  return run.stdout;
}

/** A .npy file of float32 values, written by hand. */
export function writeNpy(
  path,
  shape,
  values,
  { type = "'<f4'", version = 1, order = "False" } = {},
) {
  const text = `{'descr': ${type}, 'fortran_order': ${order}, 'shape': (${shape.join(", ")},), }\n`;
  const lengthBytes = version === 1 ? 2 : 4;
  const header = Buffer.alloc(8 + lengthBytes);
  header.write("\x93NUMPY", "latin1");
  header.writeUInt8(version, 6);
  header.writeUIntLE(text.length, 8, lengthBytes);
  const data = Buffer.from(Float32Array.from(values).buffer);
  writeFileSync(path, Buffer.concat([header, Buffer.from(text), data]));
}
