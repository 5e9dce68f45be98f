// Compares vector evaluators with the expected outputs, and with one another as text.
//   node tests/vectors/check.mjs --eval COMMAND [--eval COMMAND ...] [FILE.json ...]
// runs each COMMAND once per file (all files of this folder when none is named), prints what differs
// and, as its last line, `N passed, N failed`.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

/** How far a value may be off, per file: the largest of the three is allowed. */
const tolerances = {
  additive: { absolute: 2e-9, ulps: 1 },
  alibi: { ulps: 1 },
  attention: { absolute: 1e-6, relative: 1e-6, ulps: 2 },
  attention_more: { absolute: 1e-6, relative: 2e-6, ulps: 2 },
  bias_more: { absolute: 1e-6, relative: 2e-6, ulps: 2 },
  gradients: { absolute: 2e-6, relative: 4e-6, ulps: 4 },
  interp: { absolute: 6e-7, ulps: 2 },
  relative: { absolute: 2e-9, ulps: 1 },
  relative_more: { absolute: 1e-6, relative: 2e-6, ulps: 2 },
  rope_angles: { absolute: 2e-9, ulps: 1 },
  rope_apply: { absolute: 6e-7, relative: 1e-6, ulps: 1 },
  rope_params: { relative: 1e-13 },
  rotary_more: { absolute: 6e-7, relative: 1e-6, ulps: 1 },
  sinusoidal: { absolute: 2e-9, ulps: 1 },
};

const words = { inf: Infinity, "-inf": -Infinity, "-0": -0 };

/** Every vector file of this folder. */
export function vectorFiles() {
  const folder = fileURLToPath(new URL(".", import.meta.url));
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => join(folder, name));
}

/** The evaluator's output for a file, or why there is none: { text, results, failure }. */
export function evaluate(command, file) {
  const [program, ...rest] = command.split(" ");
  const run = spawnSync(program, [...rest, file], { encoding: "utf8", maxBuffer: 2 ** 30 });
  try {
    return { text: run.stdout, results: JSON.parse(run.stdout) };
  } catch {
    const why = run.error?.message ?? `status ${run.status}, ${run.stderr.slice(0, 300)}`;
    return { text: "", results: [], failure: `${command}: no JSON (${why})` };
  }
}

/** What is wrong with the result of a case of `file`, "" when nothing is. */
export function fault(file, expected, result) {
  if (result?.name !== expected.name) return `no result, but one for ${result?.name}`;
  if (result.error) return `${result.error.code}: ${result.error.message}`;
  const tolerance = tolerances[basename(file, ".json")];
  for (const [name, want] of Object.entries(expected.outputs)) {
    const why = tensorFault(want, result.outputs[name], tolerance);
    if (why) return `${name}: ${why}`;
  }
  return "";
}

function tensorFault(want, got, tolerance) {
  if (got === undefined) return "is missing";
  if (typeof want === "number") return valueFault(want, got, tolerance);
  if (String(want.shape) !== String(got.shape)) return `shape ${got.shape}, not ${want.shape}`;
  if (want.data.length !== got.data.length) return `${got.data.length} values`;
  for (const [index, value] of want.data.entries()) {
    const why = valueFault(value, got.data[index], tolerance);
    if (why) return `value ${index} ${why}`;
  }
  return "";
}

function valueFault(wanted, gotten, { absolute = 0, relative = 0, ulps = 0 }) {
  const want = words[wanted] ?? wanted;
  const got = words[gotten] ?? gotten;
  if (want === got) return "";
  const allowed = Math.max(absolute, relative * Math.abs(want), ulps * ulpOf(want));
  // A comparison that NaN and words fail too.
  if (Number.isFinite(want) && Math.abs(got - want) <= allowed) return "";
  return `is ${gotten}, not ${wanted}`;
}

/** The distance from a number to the next float32, a millionth more for its own rounding. */
function ulpOf(value) {
  const bits = new Uint32Array(1);
  const float = new Float32Array(bits.buffer);
  float[0] = Math.abs(value);
  const here = float[0];
  bits[0] += 1;
  return (float[0] - here) * 1.000001;
}

function checkFile(commands, file) {
  const cases = JSON.parse(readFileSync(file, "utf8"));
  const outputs = commands.map((command) => evaluate(command, file));
  const faults = outputs.flatMap(({ results }, i) =>
    cases
      .map((expected, index) => [expected.name, fault(file, expected, results[index])])
      .filter(([, why]) => why)
      .map(([name, why]) => `${commands[i]}: ${name}: ${why}`),
  );
  if (outputs.some(({ text }) => text !== outputs[0].text)) faults.push("the outputs differ");
  for (const { failure } of outputs) if (failure) console.log(`${basename(file)}: ${failure}`);
  for (const why of faults) console.log(`${basename(file)}: ${why}`);
  const checks = cases.length * commands.length + (commands.length > 1 ? 1 : 0);
  return { checks, failed: faults.length };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    options: { eval: { type: "string", multiple: true } },
    allowPositionals: true,
  });
  if (!values.eval) {
    console.error("usage: check.mjs --eval COMMAND [--eval COMMAND ...] [FILE.json ...]");
    process.exit(2);
  }
  let passed = 0;
  let failed = 0;
  for (const file of positionals.length > 0 ? positionals : vectorFiles()) {
    const result = checkFile(values.eval, file);
    passed += result.checks - result.failed;
    failed += result.failed;
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
