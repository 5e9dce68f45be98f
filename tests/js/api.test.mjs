// What each class does: shapes, defaults, outputs and a few values that are exact by definition.
// Whether all values are right is judged by the vectors and by parity with the native build. Rope:
// api_rope.test.mjs.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { LEARNED_DEFAULTS, load, SINUSOIDAL_DEFAULTS } from "posenc";

const posenc = await load();
const range = (length, first = 0) => Float32Array.from({ length }, (_, i) => first + i);

describe("library", () => {
  test("says its version and kernel", () => {
    assert.match(posenc.version, /^\d+\.\d+\.\d+$/);
    assert.equal(posenc.kernel, "wasm");
  });
});

describe("sinusoidal", () => {
  test("writes [positions, dim] to a new array", () => {
    const table = posenc.sinusoidal({ dim: 4 }).table({ length: 3 });
    assert.ok(table instanceof Float32Array);
    assert.equal(table.length, 12);
    assert.deepEqual([...table.subarray(0, 4)], [0, 1, 0, 1]);
  });

  test("writes to the caller's array or buffer, with the same values", () => {
    const sinusoidal = posenc.sinusoidal({ dim: 6, layout: "half" });
    const positions = { offset: 5, length: 3 };
    const array = new Float32Array(18);
    const buffer = posenc.alloc(18);
    assert.equal(sinusoidal.table(positions, array), array);
    assert.equal(sinusoidal.table(positions, buffer), buffer);
    assert.deepEqual(array, sinusoidal.table(positions));
    assert.deepEqual(buffer.view(), array);
  });

  test("takes positions of every kind", () => {
    const sinusoidal = posenc.sinusoidal({ dim: 8 });
    const expected = sinusoidal.table({ offset: -1, length: 3 });
    const kinds = [
      new Int32Array([-1, 0, 1]),
      new BigInt64Array([-1n, 0n, 1n]),
      new Float64Array([-1, 0, 1]),
      [-1, 0, 1],
    ];
    for (const positions of kinds) assert.deepEqual(sinusoidal.table({ positions }), expected);
    assert.deepEqual(sinusoidal.table({ offset: -1n, length: 3 }), expected);
    assert.equal(sinusoidal.table({ positions: [0.5] })[0], Math.fround(Math.sin(0.5)));
  });

  test("adds the table in place", () => {
    const sinusoidal = posenc.sinusoidal({ dim: 4 });
    const table = sinusoidal.table({ length: 2 });
    const x = new Float32Array(8).fill(2);
    assert.equal(sinusoidal.add(x, { length: 2 }), x);
    assert.deepEqual(
      x,
      table.map((value) => value + 2),
    );
  });

  test("takes every published form", () => {
    const ggml = posenc.sinusoidal({ dim: 4, layout: "half", order: "cosine_first", scale: 2 });
    assert.deepEqual([...ggml.table({ length: 1 })], [2, 2, 0, 0]);
    const padded = posenc.sinusoidal({ dim: 2, paddingPosition: 1 });
    assert.deepEqual([...padded.table({ positions: [1, 0] })], [0, 0, 0, 1]);
    const scaled = posenc.sinusoidal({ dim: 2, positionScale: 1000 });
    assert.deepEqual(scaled.table({ positions: [0.5] }), scaled.table({ positions: [0.5] }));
    assert.deepEqual([...scaled.frequencies()], [1000]);
    const t2t = { dim: 8, layout: "half", minTimescale: 1, maxTimescale: 8 };
    const steps = [...posenc.sinusoidal(t2t).frequencies()];
    for (const [i, step] of [1, 0.5, 0.25, 0.125].entries()) {
      assert.ok(Math.abs(steps[i] - step) < 1e-15);
    }
  });

  test("fills its config in", () => {
    const { config } = posenc.sinusoidal({ dim: 10, base: 100, oddWidth: undefined });
    const expected = { ...SINUSOIDAL_DEFAULTS, dim: 10, base: 100, frequencyDenominator: 10 };
    assert.deepEqual(config, expected);
    assert.ok(Object.isFrozen(config));
  });
});

describe("learned", () => {
  const rows = range(12);

  test("copies rows of the table", () => {
    const learned = posenc.learned({ rows, dim: 3 });
    assert.equal(learned.maxPositions, 4);
    assert.deepEqual(learned.config, { ...LEARNED_DEFAULTS, dim: 3 });
    assert.deepEqual([...learned.table({ positions: [3, 0] })], [9, 10, 11, 0, 1, 2]);
  });

  test("starts at rowOffset", () => {
    const learned = posenc.learned({ rows, dim: 3, rowOffset: 2 });
    assert.equal(learned.maxPositions, 2);
    assert.deepEqual([...learned.table({ length: 1 })], [6, 7, 8]);
  });

  test("keeps a copy of an array and uses a buffer where it lies", () => {
    const array = rows.slice();
    const buffer = posenc.alloc(12);
    buffer.view().set(rows);
    const copied = posenc.learned({ rows: array, dim: 12 });
    const viewed = posenc.learned({ rows: buffer, dim: 12 });
    array.fill(-1);
    buffer.view().fill(-1);
    assert.equal(copied.table({ length: 1 })[5], 5);
    assert.equal(viewed.table({ length: 1 })[5], -1);
  });

  test("adds rows in place", () => {
    const learned = posenc.learned({ rows, dim: 3 });
    const x = posenc.alloc(3);
    x.view().fill(1);
    assert.equal(learned.add(x, { offset: 1, length: 1 }), x);
    assert.deepEqual([...x.view()], [4, 5, 6]);
  });
});

describe("alibi", () => {
  test("has slopes of powers of two", () => {
    assert.deepEqual(posenc.alibi({ heads: 2 }).slopes(), new Float64Array([1 / 16, 1 / 256]));
    assert.deepEqual([...posenc.alibi({ heads: 3 }).slopes()].slice(0, 2), [1 / 16, 1 / 256]);
  });

  test("writes the bias [heads, queries, keys]", () => {
    const alibi = posenc.alibi({ heads: 1 });
    const bias = alibi.bias({ queries: { length: 2 }, keys: { length: 2 } });
    assert.deepEqual(bias, new Float32Array([0, -Infinity, -1 / 256, 0]));
    const symmetric = posenc.alibi({ heads: 1, form: "symmetric" });
    const out = posenc.alloc(4);
    assert.equal(symmetric.bias({ queries: { length: 2 }, keys: { positions: [0, 1] } }, out), out);
    assert.deepEqual(out.view(), new Float32Array([0, -1 / 256, -1 / 256, 0]));
  });

  test("takes the slopes of MPT, of some heads and of the caller", () => {
    const mpt = posenc.alibi({ heads: 2, alibiBiasMax: 2 });
    assert.deepEqual([...mpt.slopes()], [0.5, 0.25]);
    assert.deepEqual([...posenc.alibi({ heads: 3, alibiHeads: 1 }).slopes()], [1 / 256, 0, 0]);
    const custom = posenc.alibi({ heads: 2, customSlopes: [0.5, 2] });
    assert.deepEqual([...custom.keyBias({ offset: 1, length: 1 })], [0.5, 2]);
    assert.deepEqual([...custom.falconKeyBias({ offset: 1, length: 1 })], [0.5, 2]);
  });

  test("sums the gradient of its slopes", () => {
    const positions = { queries: { length: 2 }, keys: { length: 2 } };
    const alibi = posenc.alibi({ heads: 1 });
    assert.deepEqual([...alibi.slopeGradient(positions, range(4))], [-2]);
  });

  test("writes distances and the key form", () => {
    const alibi = posenc.alibi({ heads: 2 });
    const distances = alibi.distances(-2, 3);
    assert.deepEqual(distances, new Float32Array([-1 / 8, -1 / 16, 0, -1 / 128, -1 / 256, 0]));
    assert.deepEqual(alibi.distances(-2n, 3, posenc.alloc(6)).view(), distances);
    const keys = alibi.keyBias({ length: 2 });
    assert.deepEqual(keys, new Float32Array([0, 1 / 16, 0, 1 / 256]));
  });
});

describe("t5", () => {
  test("has buckets of distances", () => {
    const t5 = posenc.t5({ heads: 1, bidirectional: true });
    const distances = [-200, -9, 0, 9, 200];
    const expected = new Int32Array([15, 8, 0, 24, 31]);
    assert.deepEqual(t5.buckets(distances), expected);
    assert.deepEqual(t5.buckets(Int32Array.from(distances)), expected);
    assert.deepEqual(t5.buckets(BigInt64Array.from(distances, BigInt)), expected);
    assert.equal(t5.bucket(-9), 8);
    assert.equal(t5.bucket(1n << 80n), 31);
    assert.equal(t5.bucket(-(1n << 80n)), 15);
    assert.deepEqual(t5.thresholds().slice(0, 10), [0, 1, 2, 3, 4, 5, 6, 7, 8, 12]);
  });

  test("writes values of its table", () => {
    const t5 = posenc.t5({ heads: 2, bidirectional: false, table: range(64) });
    assert.deepEqual([...t5.distances(-2, 4)], [4, 2, 0, 0, 5, 3, 1, 1]);
    const bias = t5.bias({ queries: { length: 2 }, keys: { length: 2 } });
    assert.deepEqual([...bias], [0, 0, 2, 0, 1, 1, 3, 1]);
    assert.deepEqual(t5.config, {
      heads: 2,
      bidirectional: false,
      numBuckets: 32,
      maxDistance: 128,
    });
  });
});

test("t5 sums the gradient of its table", () => {
  const t5 = posenc.t5({ heads: 1, bidirectional: false, table: range(32) });
  const positions = { queries: { length: 2 }, keys: { length: 2 } };
  const gradient = t5.tableGradient(positions, range(4, 1));
  assert.deepEqual([...gradient.subarray(0, 3)], [1 + 2 + 4, 3, 0]);
});

describe("attention", () => {
  const q = range(2);
  const k = new Float32Array(4);
  const v = new Float32Array([1, 2, 3, 4]);
  const args = { queryCount: 1, keyCount: 2, headDim: 2 };

  test("averages the values of keys that score alike", () => {
    assert.deepEqual([...posenc.attention(q, k, v, args)], [2, 3]);
    const out = posenc.alloc(2);
    assert.equal(posenc.attention(q, k, v, { ...args, out }), out);
    assert.deepEqual([...out.view()], [2, 3]);
  });

  test("writes probabilities where they are wanted", () => {
    const probabilities = new Float32Array(2);
    posenc.attention(q, k, v, { ...args, probabilities });
    assert.deepEqual([...probabilities], [0.5, 0.5]);
  });

  test("takes a bias in each form", () => {
    const far = -Infinity;
    const forms = [
      { bias: new Float32Array([0, far]) },
      { keyBias: new Float32Array([0, far]) },
      { distances: new Float32Array([0, far]), firstDistance: -1 },
    ];
    for (const terms of forms) {
      const expected = terms.distances ? [1, 2] : [1, 2];
      assert.deepEqual([...posenc.attention(q, k, v, { ...args, terms })], expected);
    }
  });

  test("is causal from queryOffset on", () => {
    const causal = posenc.attention(q, k, v, { ...args, causal: true, queryOffset: 0 });
    assert.deepEqual([...causal], [1, 2]);
  });

  test("shares key-value heads", () => {
    const shared = { ...args, heads: 2, kvHeads: 1, valueDim: 1, keyCount: 1 };
    const values = posenc.attention(
      new Float32Array(4),
      new Float32Array(2),
      v.slice(0, 1),
      shared,
    );
    assert.deepEqual([...values], [1, 1]);
  });
});
