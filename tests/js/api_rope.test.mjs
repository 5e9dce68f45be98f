// What rope does: shapes, defaults, outputs and a few values that are exact by definition.
// Whether all values are right is judged by the vectors and by parity with the native build.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { load, ROPE_DEFAULTS, ROPE_SCALINGS } from "posenc";

const posenc = await load();
const range = (length, first = 0) => Float32Array.from({ length }, (_, i) => first + i);

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
