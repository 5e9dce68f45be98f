import assert from "node:assert/strict";
import { test } from "node:test";
import { largestDifference } from "../../bench/measure.mjs";
import { sectionOf, withSection } from "../../bench/readme.mjs";
import { median, noiseOf, quantile, resultsOf, spread, unjudged } from "../../bench/statistics.mjs";
import { ratio, tableOf, time } from "../../bench/table.mjs";
import { load, machine, measured, workload } from "./fixture.mjs";

const results = resultsOf(workload, measured);
const native = results.find(({ build, subject }) => build === "native" && subject === "posenc");
const wasm = results.find(({ build, subject }) => build === "wasm" && subject === "posenc");
const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual}`);

test("Median and quantiles lie between the samples they are between", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.equal(quantile([0, 10], 0.25), 2.5);
  assert.equal(median([5]), 5);
});

test("Spread is the middle half over the median", () => {
  assert.equal(spread([1, 2, 3, 4, 5]), 2 / 3);
  assert.equal(spread([7, 7, 7, 100]), (30.25 - 7) / 7);
  assert.equal(spread([7]), 0);
});

test("A result has its ratio to each peer of its build, and the best of them", () => {
  near(native.ratios.PyTorch, 2.5);
  near(native.ratios.NumPy, 4);
  near(native.ratio_to_best_peer, 2.5);
  assert.deepEqual(Object.keys(wasm.ratios), ["plain JavaScript"]);
});

test("The share is of the fastest limit of the same build", () => {
  near(native.share_of_limit, 0.8);
  assert.equal(native.limit.name, "modify plain");
  assert.equal(wasm.share_of_limit, null);
  near(results.find(({ subject }) => subject === "NumPy").share_of_limit, 0.2);
});

test("The fused multiply-add is a limit of the fast numerics alone", () => {
  const limits = ["multiply_add", "fused_multiply_add"].map((subject, i) => ({
    ...{ role: "limit", build: "native", subject, unit: 1e9, samples: [0.01 / (i + 1)] },
  }));
  const attention = { name: "attention", flops: 1e9, limit: "multiply_add" };
  const posenc = { role: "subject", build: "native", subject: "posenc", samples: [0.02] };
  const shares = ["reproducible", "fast"].map((numerics) => {
    const [result] = resultsOf(attention, [{ ...posenc, numerics }, ...limits]);
    return result.share_of_limit;
  });
  assert.deepEqual(shares, [0.5, 0.25]);
});

test("Floors are met when all of them are, those of time when it is less", () => {
  assert.deepEqual(native.floor, { best: 2, NumPy: 3, share: 0.5, "of full": 0.6 });
  near(native.reached["of full"], 0.5);
  assert.deepEqual([native.met, native.goal_met], [true, false]);
  assert.deepEqual([wasm.met, wasm.goal_met], [false, false]);
  const [alone] = resultsOf({ ...workload, floors: [] }, measured);
  assert.deepEqual([alone.floor, alone.met], [null, null]);
});

test("A floor without its peer is not judged", () => {
  const floors = [["native", "onnxruntime-node", 2, 3]];
  const [result] = resultsOf({ ...workload, floors }, measured);
  assert.deepEqual([result.floor, result.met], [null, null]);
  assert.deepEqual(unjudged([{ ...workload, floors }], [result]), [
    "rope/half/in_place native onnxruntime-node reproducible",
  ]);
  assert.deepEqual(unjudged([workload], results), ["rope/half/in_place native best fast"]);
});

test("Results that disagree with themselves are named", () => {
  const noise = noiseOf(results, load);
  assert.deepEqual(noise.noisy, ["rope/half/in_place native NumPy"]);
  assert.equal(noise.median_spread, 0);
});

test("The table has a line for each result, ties and floors said", () => {
  const lines = tableOf(results).split("\n");
  assert.equal(lines.length, 1 + results.length);
  assert.match(lines[1], /native +posenc +1 ms .* 8 GB\/s +0\.8 .*best 2\.5 \(2 -> 4\).* floor$/);
  assert.match(lines[3], /NumPy +4 ms +50 % noisy .* 4 x faster$/);
  assert.match(lines[4], /wasm +posenc .*NO$/);
  assert.match(lines[5], /plain JavaScript .* tie \(1\.10\)$/);
});

test("Times and ratios are short and have a unit", () => {
  assert.deepEqual([2, 0.0123, 4.5e-6, 2.1e-7].map(time), ["2 s", "12.3 ms", "4.5 us", "210 ns"]);
  assert.deepEqual([0.5, 0.8, 1.29, 1.3, 12.34].map(ratio), [
    "2 x slower",
    "tie (0.80)",
    "tie (1.29)",
    "1.3 x faster",
    "12 x faster",
  ]);
});

test("The README's section names machine, command and noise, and is replaced alone", () => {
  const all = { machine, noise: noiseOf(results, load), results, quick: false };
  const marks = ["<!-- bench: written by npm run bench -- --readme -->", "<!-- bench: end -->"];
  const readme = `before\n${marks[0]}\nold\n${marks[1]}\nafter\n`;
  const once = withSection(readme, all);
  assert.ok(once.startsWith(`before\n${marks[0]}\n`) && once.endsWith(`${marks[1]}\nafter\n`));
  assert.ok(!once.includes("old"));
  assert.equal(withSection(once, all), once);
  for (const part of ["npm run bench", "A processor", "NumPy 1.24.2", "load 0.5 to 1.0"]) {
    assert.ok(once.replaceAll("\n", " ").includes(part), part);
  }
  assert.match(
    once,
    /\| 2 ms \| tie \(1\.10\) with plain JavaScript \| 1 ms, 0\.80 of the limit \| 2\.5 x faster than PyT/,
  );
  for (const line of once.split("\n")) assert.ok(line.startsWith("|") || line.length <= 100, line);
  assert.throws(() => withSection("no marks", all), /no lines/);
  assert.throws(() => sectionOf({ ...all, quick: true }), /--quick/);
});

test("Results are compared element by element, and none are equal to nothing", () => {
  const floats = (...values) => Float32Array.from(values);
  assert.equal(largestDifference(floats(1, 2), floats(1, 4)), 2);
  assert.equal(largestDifference(floats(1), floats(1, 2)), Number.POSITIVE_INFINITY);
  assert.equal(largestDifference(floats(Number.NaN), floats(1)), Number.POSITIVE_INFINITY);
  assert.equal(largestDifference(floats(), floats()), Number.POSITIVE_INFINITY);
});
