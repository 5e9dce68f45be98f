// `npm run bench`: set-up, builds and peers, then every workload by every subject, round by round; a
// table, and build/bench/results.json.
//
//   --only REGEX      workloads whose name matches     --rounds N    11 when not given
//   --peers none      posenc alone, or a list of names: NumPy,PyTorch
//   --quick           short samples, for a first look; never quote these
//   --built           without set-up, builds and installing
//   --out FILE       where the results go, build/bench/results.json when not given
//   --kernels ...     Google Benchmark over the kernels of each architecture; more options are its own
//   --readme          writes the table of README.md from build/bench/results.json, measures nothing
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "../wasm/toolchain/build.mjs";
import { Failure, main, root, run } from "../wasm/toolchain/process.mjs";
import { setUp } from "../wasm/toolchain/setup.mjs";
import { machineOf, watchLoad } from "./machine.mjs";
import { measureWorkload } from "./measure.mjs";
import { installPeers } from "./peers/install.mjs";
import { withSection } from "./readme.mjs";
import { noiseOf, resultsOf, unjudged } from "./statistics.mjs";
import { subjects } from "./subjects.mjs";
import { tableOf } from "./table.mjs";
import { WorkerProcess } from "./worker_process.mjs";
import { workloads } from "./workloads.mjs";

const folder = join(root, "build/bench");
const resultsFile = join(folder, "results.json");
const usage =
  "Usage: npm run bench -- [--only REGEX] [--rounds N] [--peers none|NAME,NAME] [--quick] [--built] [--out FILE] | --kernels ... | --readme";

await main(async () => {
  const words = process.argv.slice(2);
  if (words[0] === "--kernels") return runKernels(words.slice(1));
  const options = readOptions(words);
  if (options.readme) return writeReadme();
  if (!options.built) {
    setUp();
    await build(["native", "wasm", "package"], {
      native: ["posenc_bench_worker"],
      wasm: [
        "posenc_wasm",
        "posenc_all_wasm",
        "posenc_fast_wasm",
        "posenc_model_wasm",
        "posenc-cli",
      ],
    });
  }
  await measureAll(options);
});

function readOptions(args) {
  const text = { type: "string" };
  const flag = { type: "boolean", default: false };
  const words = { only: text, rounds: text, peers: text, out: text };
  const options = { ...words, quick: flag, built: flag, readme: flag };
  try {
    const { values } = parseArgs({ args, options });
    const rounds = Number(values.rounds ?? (values.quick ? 3 : 11));
    if (!Number.isInteger(rounds) || rounds < 1) {
      throw new Error(`--rounds must be a whole number of at least 1, got ${values.rounds}`);
    }
    const pattern = new RegExp(values.only ?? "");
    const chosen = workloads.filter(({ name }) => pattern.test(name));
    if (chosen.length === 0) throw new Error(`no workload matches ${values.only}`);
    return { ...values, rounds, chosen, wanted: wantedPeers(values.peers) };
  } catch (error) {
    throw new Failure(error.message, usage);
  }
}

/** Whether a subject takes part. */
function wantedPeers(list) {
  const names = list === "none" ? [] : list?.split(",");
  const known = subjects.map(({ name }) => name);
  for (const name of names ?? []) {
    if (!known.includes(name)) throw new Error(`no peer is called ${name}: ${known.join(", ")}`);
  }
  return ({ name, numerics }) => numerics !== undefined || !names || names.includes(name);
}

function runKernels(words) {
  setUp();
  return build(["native"], { native: ["posenc_bench"] }).then(() =>
    run([join(root, "build/native/bench/posenc_bench"), ...words]),
  );
}

function writeReadme() {
  const path = join(root, "README.md");
  const results = JSON.parse(readFileSync(resultsFile, "utf8"));
  writeFileSync(path, withSection(readFileSync(path, "utf8"), results));
}

async function measureAll({ chosen, wanted, rounds, quick, built, out = resultsFile }) {
  mkdirSync(folder, { recursive: true });
  const samples = mkdtempSync(join(tmpdir(), "posenc-bench-"));
  const running = await startAll(subjects.filter(wanted), built);
  const pace = quick
    ? { rounds, sampleSeconds: 0.002, warmSeconds: 0.002, once: true }
    : { rounds, sampleSeconds: 0.02, warmSeconds: 0.15 };
  const endOfWatch = watchLoad();
  const results = [];
  const limits = [];
  const again = [];
  try {
    for (const [index, workload] of chosen.entries()) {
      console.log(`${index + 1}/${chosen.length} ${workload.name}`);
      const begin = performance.now();
      await renewFailed(running);
      const outcome = await measureWorkload(workload, running, { ...pace, folder: samples, log });
      results.push(...resultsOf(workload, outcome.measured));
      limits.push(...limitsIn(workload, outcome.measured));
      if (outcome.again) again.push(workload.name);
      const note = outcome.again ? ", run again" : "";
      console.log(`  ${((performance.now() - begin) / 1000).toFixed(1)} s${note}`);
    }
  } finally {
    for (const { worker } of running) worker.stop();
    rmSync(samples, { recursive: true });
  }
  const noise = noiseOf(results, { ...endOfWatch(), again });
  report({ machine: machineOf(running), quick, noise, limits, results }, out);
  const missing = unjudged(chosen, results);
  if (missing.length > 0) console.log(`floors without a figure: ${missing.join(", ")}`);
}

/** A subject that failed goes on with the next workload in a new process. */
async function renewFailed(running) {
  for (const one of running.filter(({ worker }) => worker.failed)) {
    one.worker.stop();
    one.worker = await WorkerProcess.start(one.subject.command());
  }
}

function log(line) {
  console.log(line);
}

async function startAll(chosen, built) {
  const needs = new Set(chosen.map((subject) => subject.needs).filter(Boolean));
  const problems = built ? {} : installPeers(needs);
  const running = [];
  for (const subject of chosen) {
    const { name, build: where, numerics, needs: source } = subject;
    try {
      if (problems[source]) throw new Error(problems[source]);
      running.push({ subject, worker: await WorkerProcess.start(subject.command()) });
      console.log(`${where} ${name}: ${JSON.stringify(running.at(-1).worker.hello)}`);
    } catch (error) {
      if (numerics === "reproducible") throw error;
      const who = numerics ? `${name}, ${numerics},` : name;
      console.log(`${where} ${who} is left out: ${error.message}`);
    }
  }
  return running;
}

function limitsIn(workload, measured) {
  return measured
    .filter(({ role }) => role === "limit")
    .map(({ build: where, subject, unit, samples }) => {
      const sorted = [...samples].sort((a, b) => a - b);
      const seconds = sorted[sorted.length >> 1];
      return { workload: workload.name, build: where, limit: subject, rate: unit / seconds };
    });
}

function report(all, out) {
  writeFileSync(out, `${JSON.stringify(all, null, 2)}\n`);
  const { machine, noise, results } = all;
  console.log(`\n${tableOf(results)}\n`);
  const { processor, cores, huge_pages, compiler, node, kernels } = machine;
  const pages = huge_pages ? `, huge pages ${huge_pages}` : "";
  console.log(`${processor}, ${cores} cores${pages}; ${compiler}; Node ${node}`);
  console.log(`kernels: native ${kernels.native}, wasm ${kernels.wasm}; one thread each`);
  console.log(machine.versions.join(", "));
  const percent = (share) => (share === null ? "?" : `${(100 * share).toFixed(1)} %`);
  console.log(
    `noise: load ${noise.load_before.toFixed(1)} to ${noise.load_after.toFixed(1)}, ` +
      `stolen ${percent(noise.stolen_share)}, median spread ${percent(noise.median_spread)}, ` +
      `${noise.run_again.length} workloads run again, ${noise.noisy.length} results still noisy`,
  );
  console.log(`written: ${out}`);
}
