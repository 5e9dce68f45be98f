// posenc/fast in Node: with relaxed SIMD where this Node has it, and without. tests/browser/fast
// runs it where every machine has it.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { load as loadAll } from "posenc/all";
import { load, PosencError } from "posenc/fast";
import { calls, partOfBound, probabilitiesOf } from "./fast_cases.mjs";

const moduleAt = (name) => readFile(new URL(import.meta.resolve(`posenc/${name}.wasm`)));
const isError = (code, field) => (error) =>
  error instanceof PosencError && error.code === code && error.field === field;
const { validate } = WebAssembly;
const all = await loadAll();
const here = await load();
const isRelaxed = validate(await moduleAt("posenc_fast"));

/** What a host without relaxed SIMD loads: 129 is in its instructions alone. */
async function loadWithout(options) {
  WebAssembly.validate = (bytes) => !bytes.includes(129) && validate(bytes);
  try {
    return await load(options);
  } finally {
    WebAssembly.validate = validate;
  }
}

test("says which numerics and kernels answer", () => {
  assert.equal(here.numerics, isRelaxed ? "fast" : "reproducible");
  assert.equal(here.kernel, isRelaxed ? "wasm-relaxed" : "wasm");
  assert.equal(here.version, all.version);
});

test("the modules of the other entries hold no relaxed SIMD", async () => {
  // Node 20 refuses it; newer ones take it, and then this shows nothing.
  assert.equal(isRelaxed, Number(process.versions.node.split(".")[0]) > 20);
  for (const name of ["posenc", "posenc_all", "posenc_model"]) {
    assert.ok(validate(await moduleAt(name)), name);
  }
});

describe("without relaxed SIMD", async () => {
  const fast = await loadWithout();

  test("it says so, and is one instance", async () => {
    assert.deepEqual([fast.numerics, fast.kernel], ["reproducible", "wasm"]);
    assert.equal(await loadWithout(), fast);
    assert.equal(await loadWithout({ wasm: new Uint8Array(1) }), fast);
  });

  for (const call of calls) {
    test(`gives the bits of posenc/all: ${call.name}`, () => {
      const [one, other] = [fast, all].map((posenc) => {
        const probabilities = probabilitiesOf(call);
        return [
          posenc.attention(call.q, call.k, call.v, { ...call.args, probabilities }),
          probabilities,
        ];
      });
      assert.deepEqual(one, other);
    });
  }

  test("reads posenc_all.wasm from where it is told", async () => {
    const allWasm = await moduleAt("posenc_all");
    const other = await loadWithout({ allWasm });
    assert.notEqual(other, fast);
    assert.equal(other.numerics, "reproducible");
    await assert.rejects(loadWithout({ allWasm: "/nowhere" }), isError("WASM_LOAD", "allWasm"));
    await assert.rejects(loadWithout({ allWasm: 5 }), { message: /^load: all_wasm must be/ });
  });
});

for (const call of calls) {
  test(`is within its bound: ${call.name}`, () => {
    const probabilities = probabilitiesOf(call);
    const out = here.attention(call.q, call.k, call.v, { ...call.args, probabilities });
    const part = partOfBound(call, out, probabilities);
    assert.ok(part <= 1, `${part}`);
  });
}

test("refuses what posenc/all refuses, and goes on", async () => {
  const [{ q, k, v, args }] = calls;
  const expected = here.attention(q, k, v, args);
  const refused = [
    [{ windows: 1 }, "TYPE", "windows"],
    [{ headDim: 0 }, "VALUE_RANGE", "headDim"],
    [{ keyCount: 3 }, "SHAPE", "k"],
    [{ out: q }, "OVERLAP", "out"],
  ];
  for (const [more, code, field] of refused) {
    assert.throws(() => here.attention(q, k, v, { ...args, ...more }), isError(code, field));
    assert.deepEqual(here.attention(q, k, v, args), expected);
  }
  const foreign = all.alloc(q.length);
  assert.throws(() => here.attention(foreign, k, v, args), isError("TYPE", "q"));
  foreign.dispose();
});

test("takes buffers of its own and 16-bit data", () => {
  const [{ q, k, v, args }] = calls;
  const own = here.alloc(q.length);
  own.view().set(q);
  const out = here.alloc(q.length, "bfloat16");
  here.attention(own, k, v, { ...args, out });
  const high = new Uint16Array(here.attention(q, k, v, args).buffer).filter((_, i) => i % 2);
  out.view().forEach((half, i) => void assert.ok(Math.abs(half - high[i]) <= 1));
  for (const buffer of [own, out]) buffer.dispose();
});
