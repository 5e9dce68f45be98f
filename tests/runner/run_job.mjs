// Runs one job in a process of its own, and says in a line what came of it.
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { dirname, relative } from "node:path";
import { root } from "../../wasm/toolchain/process.mjs";

const minutesAllowed = 15;
const linesShown = 100;

/** Runs { name, command, report, count } and returns { passed, failed }. */
export async function runJob(job) {
  const begin = performance.now();
  const log = job.report.replace(/\.\w+$/, ".log");
  mkdirSync(dirname(log), { recursive: true });
  // A report of an earlier run must not be taken for this one's.
  rmSync(job.report, { force: true });
  const ending = await runToLog(job, log);
  const result = countResults(job, ending);
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  const skipped = result.skipped > 0 ? `, ${result.skipped} skipped` : "";
  const note = result.note ? `: ${result.note}` : "";
  if (result.failed > 0) showLog(log);
  console.log(
    `${job.name}: ${result.passed} passed, ${result.failed} failed${skipped} (${seconds} s)${note}`,
  );
  return result;
}

function runToLog(job, log) {
  const [program, ...rest] = job.command;
  const output = openSync(log, "w");
  return new Promise((resolve) => {
    const child = spawn(program, rest, {
      cwd: root,
      stdio: ["ignore", output, output],
      timeout: minutesAllowed * 60_000,
      killSignal: "SIGKILL",
    });
    child.on("error", (error) => resolve(error.message));
    child.on("exit", (status, signal) => {
      resolve(status === 0 ? "" : `ended with ${signal ? `signal ${signal}` : `status ${status}`}`);
    });
  }).finally(() => closeSync(output));
}

/** The report's numbers; a process that failed although its tests passed counts as one failure. */
function countResults(job, ending) {
  let result;
  try {
    result = job.count();
  } catch (error) {
    return { passed: 0, failed: 1, skipped: 0, note: ending || `no report: ${error.message}` };
  }
  if (ending && result.failed === 0) return { ...result, failed: 1, note: ending };
  return result;
}

function showLog(log) {
  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  if (lines.length > linesShown) console.log(`... (all of it in ${relative(root, log)})`);
  console.log(lines.slice(-linesShown).join("\n"));
}
