// What each class does: shapes, defaults, outputs and a few values that are exact by definition.
// Whether all values are right is judged by the vectors and by parity with the native build.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { LEARNED_DEFAULTS, load, ROPE_DEFAULTS, ROPE_SCALINGS, SINUSOIDAL_DEFAULTS } from "posenc";

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

describe("rope", () => {
  const rope = posenc.rope({ headDim: 8 });

  test("fills its config in", () => {
    assert.deepEqual(rope.config, { ...ROPE_DEFAULTS, headDim: 8, rotaryDim: 8 });
    const scaling = { type: "linear", factor: 4 };
    assert.deepEqual(posenc.rope({ headDim: 8, rotaryDim: 4, scaling }).config.scaling, scaling);
  });

  test("gives its frequencies in double", () => {
    const frequencies = posenc
      .rope({ headDim: 4, scaling: { type: "linear", factor: 2 } })
      .invFreq();
    assert.deepEqual(frequencies, new Float64Array([0.5, 0.005]));
  });

  test("leaves position 0 as it is", () => {
    const x = range(16);
    assert.equal(rope.apply(x, { positions: [0, 0] }), x);
    assert.deepEqual(x, range(16));
  });

  test("rotates in place, out of place, in buffers and with tables to the same bits", () => {
    const x = range(2 * 3 * 8, 1);
    const args = { heads: 2, offset: 7 };
    const inPlace = rope.apply(x.slice(), args);
    const out = new Float32Array(x.length);
    assert.equal(rope.apply(x, { ...args, out }), out);
    assert.deepEqual(out, inPlace);
    assert.deepEqual(x, range(2 * 3 * 8, 1));

    const buffer = posenc.alloc(x.length);
    buffer.view().set(x);
    assert.equal(rope.apply(buffer, args), buffer);
    assert.deepEqual(buffer.view(), inPlace);

    const { cos, sin } = rope.angles({ offset: 7, length: 3 });
    assert.deepEqual(rope.rotate(x.slice(), cos, sin, { heads: 2 }), inPlace);
    assert.deepEqual(rope.rotate(x, cos, sin, { heads: 2, out: posenc.alloc(48) }).view(), inPlace);
  });

  test("writes angles to the caller's buffers", () => {
    const out = { cos: posenc.alloc(8), sin: new Float32Array(8) };
    assert.equal(rope.angles({ length: 2 }, out), out);
    const { cos, sin } = rope.angles({ length: 2 });
    assert.deepEqual(out.cos.view(), cos);
    assert.deepEqual(out.sin, sin);
  });

  test("takes positions of each sequence of a batch", () => {
    const x = range(2 * 3 * 8);
    const positions = new Int32Array([0, 1, 2, 5, 6, 7]);
    const whole = rope.apply(x.slice(), { batch: 2, positions });
    const first = rope.apply(x.slice(0, 24), { offset: 0 });
    const second = rope.apply(x.slice(24), { offset: 5 });
    assert.deepEqual(whole, Float32Array.of(...first, ...second));
  });

  test("reads heads and tokens in either order, and by strides", () => {
    const [heads, length, headDim] = [2, 3, 8];
    const headsFirst = range(heads * length * headDim);
    const lengthFirst = new Float32Array(headsFirst.length);
    for (let head = 0; head < heads; ++head) {
      for (let token = 0; token < length; ++token) {
        const from = (head * length + token) * headDim;
        lengthFirst.set(
          headsFirst.subarray(from, from + headDim),
          (token * heads + head) * headDim,
        );
      }
    }
    const strided = lengthFirst.slice();
    const expected = rope.apply(headsFirst, { heads, offset: 3 });
    rope.apply(lengthFirst, { heads, offset: 3, order: "length_first" });
    const strides = { headStride: headDim, lengthStride: heads * headDim };
    rope.apply(strided, { heads, length, offset: 3, ...strides });
    assert.deepEqual(strided, lengthFirst);
    assert.deepEqual(lengthFirst.subarray(8, 16), expected.subarray(24, 32));
  });

  test("takes every scaling", () => {
    const headDim = 8;
    const plain = [...rope.invFreq()];
    const ones = Array(4).fill(1);
    const trained = { originalMaxPositionEmbeddings: 64 };
    const factors = { shortFactor: ones, longFactor: new Float64Array(4).fill(2), ...trained };
    const scalings = {
      none: {},
      linear: { factor: 1 },
      static_ntk: { factor: 1 },
      dynamic_ntk: { factor: 2, maxPositionEmbeddings: 64 },
      yarn: { factor: 1, ...trained },
      long_rope: factors,
      llama3: { factor: 1 },
      proportional: {},
      custom_frequencies: { invFreq: plain },
    };
    assert.deepEqual(Object.keys(scalings), ROPE_SCALINGS);
    for (const [type, options] of Object.entries(scalings)) {
      const scaled = posenc.rope({ headDim, scaling: { type, ...options } });
      for (const [i, frequency] of scaled.invFreq().entries()) {
        assert.ok(Math.abs(frequency / plain[i] - 1) < 1e-14, `${type}: ${frequency}`);
      }
      assert.equal(scaled.attentionFactor, 1);
      assert.equal(scaled.config.scaling.type, type);
    }
    const long = posenc.rope({ headDim, length: 65, scaling: { type: "long_rope", ...factors } });
    assert.equal(long.invFreq()[0], plain[0] / 2);
    long.setLength(64);
    assert.equal(long.invFreq()[0], plain[0]);
    const yarn = { type: "yarn", factor: 4, ...trained, attentionFactor: 1.5 };
    assert.equal(posenc.rope({ headDim, scaling: yarn }).attentionFactor, 1.5);
    assert.equal(posenc.rope({ headDim: 16 }).softmaxScale, 0.25);
    assert.equal(posenc.rope({ headDim, scaling: { type: "llama3" } }).config.scaling.factor, 8);
  });

  test("turns each pair by the position of its axis", () => {
    const axes = { type: "mrope", sections: [2, 1, 1] };
    const mrope = posenc.rope({ headDim: 8, axes });
    assert.equal(mrope.axisCount, 3);
    const same = mrope.apply(range(16), { positions: [3, 4, 3, 4, 3, 4] });
    assert.deepEqual(same, rope.apply(range(16), { offset: 3 }));
    const { cos } = mrope.angles({ positions: [0, 0, 0, 0, 1, 1] });
    assert.deepEqual([...cos.subarray(0, 3)], [1, 1, 1]);
    assert.ok(cos[3] < 1);
    const axial = posenc.rope({ headDim: 8, axes: { type: "axial" } });
    assert.equal(axial.apply(range(8), { positions: [1, 2] }).length, 8);
  });

  test("rotates queries and keys together", () => {
    const args = { heads: 2, offset: 4 };
    const q = posenc.alloc(2 * 3 * 8);
    q.view().set(range(48));
    const k = range(24);
    rope.applyBoth(q, k, { ...args, kvHeads: 1 });
    assert.deepEqual(q.view(), rope.apply(range(48), args));
    assert.deepEqual(k, rope.apply(range(24), { offset: 4 }));
  });

  test("moves cached keys to other positions", () => {
    const keys = rope.apply(range(24, 1), { offset: 100 });
    rope.rerotate(keys, { offset: 100, to: { offset: 0 } });
    const fresh = rope.apply(range(24, 1), { offset: 0 });
    for (const [i, value] of keys.entries()) assert.ok(Math.abs(value - fresh[i]) < 1e-4);
    const linear = posenc.rope({ headDim: 8, scaling: { type: "linear", factor: 2 } });
    const scaled = linear.rerotate(keys, { from: rope, to: { positions: [0, 2, 4] } });
    for (const [i, value] of scaled.entries()) assert.ok(Math.abs(value - fresh[i]) < 1e-4);
  });

  test("decays with xPos, keys inversely to queries", () => {
    const xpos = posenc.rope({ headDim: 8, xpos: { scaleBase: 4 } });
    const q = xpos.apply(range(8, 1), { offset: 4 });
    const k = xpos.apply(range(8, 1), { offset: 4, side: "key" });
    assert.ok(q[0] / k[0] < 1);
    const centred = posenc.rope({ headDim: 8, xpos: { origin: null } });
    assert.deepEqual(centred.config.xpos, { scaleBase: 512, origin: null });
    assert.deepEqual(centred.apply(range(8), { offset: 0 }), range(8));
  });

  test("turns back", () => {
    const x = range(8, 1);
    const turned = rope.unapply(rope.apply(x.slice(), { offset: 9 }), { offset: 9 });
    for (const [i, value] of turned.entries()) assert.ok(Math.abs(value - x[i]) < 1e-5);
    const gradient = rope.backward(x.slice(), { offset: 9 });
    assert.deepEqual(gradient, rope.unapply(x.slice(), { offset: 9 }));
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
