// Running other programs, and failing with a sentence that says what to do by hand.
import { spawnSync } from "node:child_process";
import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the checkout. */
export const root = fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "");

/** A failure that the reader can act on: its message is printed without a stack. */
export class Failure extends Error {
  constructor(problem, remedy = "") {
    super(remedy ? `${problem}\n${remedy}` : problem);
  }
}

/** Runs a command with its output on the terminal; throws a Failure if it does not succeed. */
export function run(command, { cwd = root, env = {}, remedy = "" } = {}) {
  const [program, ...rest] = command;
  const result = spawnSync(program, rest, {
    cwd,
    env: { ...process.env, ...env },
    stdio: "inherit",
  });
  if (result.status !== 0)
    throw new Failure(`failed (${reason(result)}): ${command.join(" ")}`, remedy);
}

/** Runs a command quietly and returns its standard output; on failure it is shown, shortened. */
export function capture(command, { cwd = root, env = {}, remedy = "" } = {}) {
  const [program, ...rest] = command;
  const result = spawnSync(program, rest, {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (result.status === 0) return result.stdout;
  const output = shorten(`${result.stdout ?? ""}${result.stderr ?? ""}`.trim().split("\n"));
  throw new Failure(`failed (${reason(result)}): ${command.join(" ")}\n${output}`, remedy);
}

/** Whether a command can be started and succeeds. */
export function succeeds(command) {
  return spawnSync(command[0], command.slice(1), { stdio: "ignore" }).status === 0;
}

/** The full path of a program on PATH, or undefined. */
export function which(program) {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder || ".", program);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // not in this folder
    }
  }
  return undefined;
}

/** Whether the module with this URL is the script that Node was started with. */
export function isScript(url) {
  return fileURLToPath(url) === realpathSync(process.argv[1]);
}

/** Runs the main function of a script; a Failure ends it with its message and status 1. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(`\n${error.message}`);
    process.exitCode = 1;
  }
}

/** The first lines tend to name the cause, the last ones the consequence. */
function shorten(lines) {
  const kept = lines.length <= 30 ? lines : [...lines.slice(0, 10), "...", ...lines.slice(-20)];
  return kept.join("\n");
}

function reason(result) {
  return (
    result.error?.message ?? (result.signal ? `signal ${result.signal}` : `status ${result.status}`)
  );
}
