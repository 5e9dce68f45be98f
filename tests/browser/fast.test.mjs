// posenc/fast with relaxed SIMD, which Chromium has on every machine.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inPage } from "./page.mjs";

/** Runs in the page: each call with fast numerics, and whether posenc/all gives other bits. */
async function attendInPage() {
  const { load } = await import("/dist/fast_web.js");
  const { calls, partOfBound, probabilitiesOf } = await import("/tests/js/fast_cases.mjs");
  const fast = await load();
  const before = performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname);
  const { load: loadAll } = await import("/dist/all_web.js");
  const all = await loadAll();
  const parts = calls.map((call) => {
    const probabilities = probabilitiesOf(call);
    const out = fast.attention(call.q, call.k, call.v, { ...call.args, probabilities });
    const reproducible = all.attention(call.q, call.k, call.v, call.args);
    return {
      name: call.name,
      part: partOfBound(call, out, probabilities),
      differs: out.some((value, i) => value !== reproducible[i]),
    };
  });
  const refused = [];
  try {
    fast.attention(new Float32Array(2), new Float32Array(2), new Float32Array(2), { headDim: 0 });
  } catch ({ code, field }) {
    refused.push(code, field);
  }
  const one = { queryCount: 1, keyCount: 1, headDim: 2 };
  const ones = new Float32Array(2).fill(1);
  const after = [...fast.attention(ones, ones, ones, one)];
  const { numerics, kernel } = fast;
  return { numerics, kernel, before, parts, refused, after };
}

test("relaxed SIMD answers within the bound, from its own module alone", async () => {
  const { numerics, kernel, before, parts, refused, after } = await inPage(attendInPage);
  assert.deepEqual([numerics, kernel], ["fast", "wasm-relaxed"]);
  assert.deepEqual(
    before.filter((path) => path.endsWith(".wasm")),
    ["/dist/posenc_fast.wasm"],
  );
  for (const { name, part } of parts) assert.ok(part <= 1, `${name}: ${part}`);
  assert.ok(parts.some(({ differs }) => differs));
  assert.deepEqual(refused, ["TYPE", "queryCount"]);
  assert.deepEqual(after, [1, 1]);
});
