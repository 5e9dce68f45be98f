// What attention in posenc/all has beside posenc's: values, refusals, and its gradient.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { load, PosencError } from "posenc/all";

const posenc = await load();
const floats = (...values) => Float32Array.from(values);
const isError = (code, field) => (error) =>
  error instanceof PosencError && error.code === code && error.field === field;

const args = { queryCount: 1, keyCount: 2, headDim: 1, scale: 1 };
const q = floats(1);
const k = floats(3, -3);
const v = floats(1, 0);
const weightOf = (more) => posenc.attention(q, k, v, { ...args, ...more })[0];
const near = (got, expected) => assert.ok(Math.abs(got - expected) < 1e-6, `${got}, ${expected}`);
const logistic = (x) => 1 / (1 + Math.exp(-x));

describe("attention in posenc/all", () => {
  test("does what posenc's does", () => near(weightOf({}), logistic(6)));
  test("a window hides far keys", () => {
    assert.equal(weightOf({ window: 1 }), 0);
    near(weightOf({ window: 2 }), logistic(6));
  });
  test("a mask hides keys", () => {
    assert.equal(weightOf({ keyMask: Uint8Array.of(1, 0) }), 1);
    assert.equal(weightOf({ keyMask: Uint8Array.of(0, 0) }), 0);
  });
  test("a soft cap comes before the bias", () => {
    const capped = 4 * Math.tanh(3 / 4);
    near(weightOf({ softcap: 4 }), logistic(2 * capped));
    near(weightOf({ softcap: 4, terms: { bias: floats(0, 5) } }), logistic(2 * capped - 5));
  });

  test("rotation inside is rotation before, bit for bit", () => {
    const rope = posenc.rope({ headDim: 4 });
    const x = Float32Array.from({ length: 12 }, (_, i) => Math.sin(i));
    const { cos, sin } = rope.angles({ offset: 5, length: 3 });
    const rotary = { queryCos: cos, querySin: sin, keyCos: cos, keySin: sin };
    const shape = { queryCount: 3, keyCount: 3, headDim: 4 };
    const rotated = rope.apply(x.slice(), { offset: 5 });
    const inside = posenc.attention(x, x, x, { ...shape, rotary });
    assert.deepEqual(inside, posenc.attention(rotated, rotated, x, shape));
    rope.dispose();
  });

  test("Shaw's rows as terms are its scores as a bias", () => {
    const keys = floats(1, 2, 4);
    const shaw = posenc.shaw({ headDim: 1, maxRelativePosition: 1, keys });
    const places = { queries: { offset: 1, length: 1 }, keys: { length: 2 } };
    const bias = shaw.scores(q, { ...places, scale: 1 });
    const distances = { queries: { length: 1 }, keys: { offset: -1, length: 2 } };
    const index = shaw.index(distances);
    const relative = { index, firstDistance: -1, rowCount: 3, keys };
    assert.equal(weightOf({ terms: { relative } }), weightOf({ terms: { bias } }));
    const values = floats(10, 20, 40);
    const weight = weightOf({ terms: { bias } });
    near(
      weightOf({ terms: { relative: { ...relative, values } } }),
      weight + 10 * weight + 20 * (1 - weight),
    );
    shaw.dispose();
  });

  const refusals = {
    "a window that is no whole number": [{ window: 1.5 }, "VALUE_RANGE", "window"],
    "a soft cap below 0": [{ softcap: -1 }, "VALUE_RANGE", "softcap"],
    "a mask of other numbers": [{ keyMask: [1, 0] }, "TYPE", "keyMask"],
    "a mask of wrong length": [{ keyMask: new Uint8Array(3) }, "SHAPE", "keyMask"],
    "tables that are missing": [{ rotary: {} }, "TYPE", "queryCos"],
    "a misspelt option": [{ windows: 1 }, "TYPE", "windows"],
    "a misspelt term": [{ terms: { relatives: {} } }, "TYPE", "relatives"],
    "an index that is no Int32Array": [
      { terms: { relative: { index: [0], rowCount: 1, keys: floats(1) } } },
      "TYPE",
      "relativeIndex",
    ],
    "an index beyond the rows": [
      {
        terms: {
          relative: {
            index: Int32Array.of(0, 1),
            firstDistance: -1,
            rowCount: 1,
            keys: floats(1),
          },
        },
      },
      "VALUE_RANGE",
      "relativeIndex",
    ],
  };
  for (const [what, [more, code, field]] of Object.entries(refusals)) {
    test(`refuses ${what}`, () => {
      assert.throws(() => weightOf(more), isError(code, field));
      near(weightOf({}), logistic(6));
    });
  }
});

describe("the gradient of attention", () => {
  test("of two keys is that of the logistic function", () => {
    const w = logistic(6);
    const gradients = {
      q: new Float32Array(1),
      k: new Float32Array(2),
      v: new Float32Array(2),
      bias: new Float32Array(2),
    };
    posenc.attentionBackward(q, k, v, floats(2), { ...args, gradients });
    const slope = 2 * w * (1 - w);
    near(gradients.q[0], slope * 6);
    near(gradients.k[0], slope);
    near(gradients.v[0], 2 * w);
    near(gradients.bias[1], -slope);
  });

  test("goes to buffers and 16-bit arrays too", () => {
    const buffer = posenc.alloc(1);
    const short = { type: "bfloat16", values: new Uint16Array(2) };
    posenc.attentionBackward(q, k, v, floats(2), { ...args, gradients: { q: buffer, v: short } });
    near(buffer.view()[0], 12 * logistic(6) * logistic(-6));
    assert.ok(short.values[0] > 0);
    buffer.dispose();
  });

  test("refuses gradients of another shape, of terms that are not there, and overlaps", () => {
    const call = (gradients) =>
      posenc.attentionBackward(q, k, v, floats(2), { ...args, gradients });
    assert.throws(() => call({ q: new Float32Array(2) }), isError("SHAPE", "qGradient"));
    assert.throws(
      () => call({ distances: new Float32Array(2) }),
      isError("SHAPE", "distancesGradient"),
    );
    assert.throws(() => call({ k }), isError("OVERLAP", "kGradient"));
    assert.throws(() => call({ x: k }), isError("TYPE", "x"));
    assert.throws(() => call(undefined), isError("TYPE", "gradients"));
  });
});
