// The workloads of WebAssembly and JavaScript run in a page, from the modules that Node runs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inPage } from "../browser/page.mjs";

/** Runs in the page: rope by posenc and in plain JavaScript, and the limit beside them. */
async function measureInPage() {
  const { load } = await import("/dist/all_web.js");
  const { posencMakers } = await import("/bench/subjects/posenc.mjs");
  const { plainMakers } = await import("/bench/subjects/plain.mjs");
  const { limitMakers } = await import("/bench/subjects/limits.mjs");
  const { resultsOf, secondsOf } = await import("/bench/subjects/measure.mjs");
  const posenc = posencMakers(await load());
  const words = { layout: "half", place: "in", storage: "float32" };
  const shape = { ...words, heads: 2, length: 16, dim: 64 };
  const workloads = [posenc, plainMakers].map((makers) => makers.rope(shape));
  workloads.push(limitMakers.limit_modify({ stores: "plain", bytes: 2 * 4 * 2 * 16 * 64 }));
  const seconds = [];
  for (const workload of workloads) seconds.push(await secondsOf(workload, 100));
  const results = [];
  for (const workload of workloads.slice(0, 2)) results.push([...(await resultsOf(workload))[0]]);
  return { seconds, results };
}

test("A page measures posenc, plain JavaScript and a limit", async () => {
  const { seconds, results } = await inPage(measureInPage);
  assert.ok(seconds.length === 3 && seconds.every((value) => value >= 0));
  const [posenc, plain] = results;
  assert.equal(posenc.length, 2 * 16 * 64);
  posenc.forEach((value, i) => void assert.ok(Math.abs(value - plain[i]) < 1e-6));
});
