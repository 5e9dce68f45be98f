// The benchmark runs from end to end, without installing anything and without a judgement on time.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { graphs } from "../../bench/peers/graphs.mjs";
import { Graph } from "../../bench/peers/onnx.mjs";
import { limitMakers } from "../../bench/subjects/limits.mjs";
import { secondsOf } from "../../bench/subjects/measure.mjs";
import { subjects } from "../../bench/subjects.mjs";
import { workloads } from "../../bench/workloads.mjs";
import { root } from "../../wasm/toolchain/process.mjs";

const folder = mkdtempSync(join(tmpdir(), "posenc-bench-"));
after(() => rmSync(folder, { recursive: true }));

function bench(...words) {
  const command = [join(root, "bench/run.mjs"), ...words];
  return spawnSync(process.execPath, command, { cwd: root, encoding: "utf8" });
}

test("npm run bench measures both builds and a peer in turn, and writes results.json", () => {
  const out = join(folder, "results.json");
  const only = "^(rope/decode|(alibi|t5)/distances|curve/rope/length=256)";
  const peers = ["--peers", "plain JavaScript"];
  const { status, stdout, stderr } = bench(
    ...["--built", "--quick", "--rounds", "2", "--only", only, "--out", out, ...peers],
  );
  assert.equal(status, 0, stdout + stderr);
  assert.doesNotMatch(stdout, /not timed/);
  const { machine, noise, limits, results, quick } = JSON.parse(readFileSync(out, "utf8"));
  assert.ok(quick && machine.processor && machine.kernels.wasm === "wasm");
  assert.ok(noise.load_before >= 0 && limits.length > 0);
  const found = results.map(({ workload, build, subject }) => `${workload} ${build} ${subject}`);
  for (const name of ["rope/decode_ready", "alibi/distances", "t5/distances"]) {
    assert.ok(found.includes(`${name} native posenc`), name);
    assert.ok(found.includes(`${name} wasm posenc`), name);
    assert.ok(found.includes(`${name} wasm plain JavaScript`), name);
  }
  assert.ok(results.every(({ median_s, rounds }) => median_s > 0 && rounds === 2));
  const curve = results.find(({ workload }) => workload === "curve/rope/length=256");
  assert.ok(curve.share_of_limit > 0);
});

test("Options that are wrong are refused with a sentence", () => {
  const refused = { "--rounds": "0", "--only": "^nothing$", "--peers": "Nobody" };
  for (const [option, value] of Object.entries(refused)) {
    const { status, stderr } = bench("--built", option, value);
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`${value.replace(/\W/g, ".")}[^]*Usage: npm run bench`));
  }
});

test("Every workload has a name of its own, and floors of builds and peers that exist", () => {
  const names = workloads.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  const measures = ["best", "share", "of full", "of fast", ...subjects.map(({ name }) => name)];
  for (const { name, floors = [], bytes, flops, tolerance } of workloads) {
    assert.ok((bytes ?? flops) > 0 && tolerance > 0, name);
    for (const [build, measure, floor, goal] of floors) {
      assert.ok(["wasm", "native"].includes(build) && measures.includes(measure), name);
      assert.ok(measure.startsWith("of ") ? goal <= floor : goal >= floor, name);
    }
  }
});

test("What a page may import imports nothing of Node's", () => {
  const subjectsFolder = join(root, "bench/subjects");
  for (const file of readdirSync(subjectsFolder)) {
    const source = readFileSync(join(subjectsFolder, file), "utf8");
    const imports = [...source.matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map((match) => match[1]);
    assert.deepEqual(
      imports.filter((name) => !/^\.\/\w+\.mjs$/.test(name)),
      [],
    );
    assert.doesNotMatch(source, /\bprocess\.|\brequire\(/);
  }
});

test("The loops of the limits in WebAssembly run", async () => {
  for (const [kind, make] of Object.entries(limitMakers)) {
    const workload = make({ stores: "plain", bytes: 5000, flops: 5000 });
    // Relaxed SIMD is not there on older hosts.
    if (kind !== "limit_fused_multiply_add") assert.ok((await secondsOf(workload, 2)) >= 0, kind);
  }
});

test("Every graph of the onnxruntime peers can be written", () => {
  const shape = { heads: 2, length: 8, dim: 4, pairs: 2, from: 3, to: 5, reach: 2, position: 7 };
  const words = { layout: "half", place: "in", storage: "float32", form: "written" };
  for (const [kind, waysOf] of Object.entries(graphs)) {
    const ways = waysOf({ ...shape, ...words, table: "ready", lookup: "ids", terms: "alibi" });
    assert.ok(ways.length > 0, kind);
    for (const { step } of ways) {
      const graph = new Graph();
      assert.match(step(graph, "x", 0), /^value_\d+$/);
      assert.ok(graph.encode().length > 50);
    }
  }
});

test("The Python peers are Python", () => {
  const peers = join(root, "bench/peers");
  const read = "import ast, sys; [ast.parse(open(path).read()) for path in sys.argv[1:]]";
  const scripts = readdirSync(peers).filter((name) => name.endsWith(".py"));
  const paths = scripts.map((name) => join(peers, name));
  const { status, stderr } = spawnSync("python3", ["-c", read, ...paths], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.ok(paths.length > 0);
});
