// Decomposed, contextual and polar positions and attention's scores in posenc/all: values, 16-bit data
// and refusals.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { load } from "posenc/all";
import { refused } from "./refusals.mjs";
import { floats, long, short, using } from "./relative_support.mjs";

const posenc = await load();

const sides = { queryHeight: 1, queryWidth: 2, keyHeight: 1, keyWidth: 2, headDim: 1 };

describe("decomposed", () => {
  test("a row and a column of tables", () => {
    const tables = { tableH: short(10), tableW: floats(1, 2, 3) };
    using(posenc.decomposed({ ...sides, ...tables }), (decomposed) => {
      assert.deepEqual(decomposed.config, sides);
      assert.deepEqual(decomposed.scores(floats(1, 2)), floats(12, 11, 26, 24));
      const out = posenc.alloc(4);
      assert.equal(decomposed.scores(short(1, 2), out), out);
      assert.deepEqual(out.view(), floats(12, 11, 26, 24));
      out.dispose();
      refused(() => decomposed.scores(floats(1)), "SHAPE", "q", "got 1");
      refused(() => decomposed.scores(floats(1, 2), short(0, 0, 0, 0)), "TYPE", "out", "float32");
      const x = floats(1, 2, 0, 0);
      refused(() => decomposed.scores(x.subarray(0, 2), x), "OVERLAP", "out", "overlaps");
      assert.deepEqual(decomposed.scores(floats(1, 2)), floats(12, 11, 26, 24));
    });
    const make = (config) => posenc.decomposed({ ...sides, ...tables, ...config });
    refused(() => make({ keyWidth: 0 }), "VALUE_RANGE", "keyWidth", "1 to 2048, got 0");
    refused(() => make({ keyWidth: "2" }), "TYPE", "keyWidth", "a whole number");
    refused(() => make({ tableW: floats() }), "VALUE_RANGE", "tableW", "got 0");
    refused(() => make({ headDim: 2 }), "SHAPE", "tableH", "got 1");
  });
});

describe("cope", () => {
  const config = { headDim: 1, maxPos: 4, table: floats(0, 1, 2, 3) };
  const last = { queries: { positions: [1] }, keys: { length: 2 } };
  const [q, logits] = [floats(2), floats(0, 0)];

  test("positions are sums of gates", () => {
    using(posenc.cope(config), (cope) => {
      assert.deepEqual(cope.config, { headDim: 1, maxPos: 4, causal: true });
      assert.deepEqual(cope.positions(logits, last), floats(1, 0.5));
      assert.deepEqual(cope.scores(q, logits, last), floats(2, 1));
      const first = { ...last, queries: { length: 1 } };
      assert.deepEqual(cope.scores(q, logits, first), floats(1, -Infinity));
      const out = short(0, 0);
      assert.deepEqual(long(cope.positions(short(0, 0), { ...last, out })), [1, 0.5]);
      assert.deepEqual(cope.scores(short(2), short(0, 0), last), floats(2, 1));
    });
    const table = short(0, 1, 2, 3);
    using(posenc.cope({ ...config, table, causal: false }), (cope) => {
      const first = { ...last, queries: { length: 1 } };
      assert.deepEqual(cope.scores(q, logits, first), floats(2, 1));
    });
  });

  test("what it refuses", () => {
    refused(() => posenc.cope({ ...config, maxPos: 5000 }), "VALUE_RANGE", "maxPos", "got 5000");
    refused(() => posenc.cope({ ...config, maxPos: 3 }), "SHAPE", "table", "got 4");
    refused(() => posenc.cope({ ...config, causal: 0 }), "TYPE", "causal", "true or false");
    refused(() => posenc.cope({ ...config, table: [1] }), "TYPE", "table", "a Float32Array");
    using(posenc.cope(config), (cope) => {
      refused(() => cope.positions(floats(0), last), "SHAPE", "logits", "got 1");
      refused(() => cope.scores(floats(1, 2), logits, last), "SHAPE", "q", "got 2");
      refused(() => cope.scores(q, logits, { ...last, out: logits }), "OVERLAP", "out", "overlaps");
      const lost = { ...last, queries: { positions: [NaN] } };
      refused(() => cope.positions(logits, lost), "POSITION_RANGE", "queries", "nan");
      assert.deepEqual(cope.scores(q, logits, last), floats(2, 1));
    });
  });
});

describe("pope", () => {
  const config = { heads: 1, headDim: 1 };

  test("magnitudes at angles", () => {
    const delta = floats(-1);
    using(posenc.pope({ ...config, delta }), (pope) => {
      assert.deepEqual(pope.config, { ...config, base: 10000 });
      const magnitude = Math.log(2);
      const at = (angle) => floats(magnitude * Math.cos(angle), magnitude * Math.sin(angle));
      assert.deepEqual(pope.embedQueries(floats(0), { length: 1 }), at(0));
      assert.deepEqual(pope.embedQueries(floats(0), { positions: [2] }), at(2));
      assert.deepEqual(pope.embedKeys(floats(0), { positions: [2] }), at(1));
      const out = { type: "float16", values: new Uint16Array(2) };
      assert.equal(pope.embedKeys(short(0), { positions: [1] }, out), out);
      assert.deepEqual([...out.values], [0x398c, 0]);
    });
  });

  test("what it refuses", () => {
    refused(() => posenc.pope({ ...config, base: NaN }), "VALUE_RANGE", "base", "nan");
    refused(() => posenc.pope({ ...config, delta: floats(1, 2) }), "SHAPE", "delta", "got 2");
    refused(() => posenc.pope({ ...config, delta: [0] }), "TYPE", "delta", "a Float32Array");
    using(posenc.pope(config), (pope) => {
      const one = floats(0);
      refused(() => pope.embedKeys(floats(1, 2), { length: 1 }), "SHAPE", "x", "got 2");
      refused(() => pope.embedKeys(one, { length: 1 }, one), "OVERLAP", "out", "overlaps");
      refused(
        () => pope.embedKeys(one, { positions: [NaN] }),
        "POSITION_RANGE",
        "positions",
        "nan",
      );
      refused(
        () => pope.embedKeys(one, { positions: "1" }),
        "TYPE",
        "positions",
        "array of numbers",
      );
      assert.equal(pope.embedKeys(one, { length: 1 })[1], 0);
    });
  });
});

describe("attention scores", () => {
  const args = { queryCount: 1, keyCount: 2, headDim: 1 };
  const [q, k] = [floats(2), floats(3, 4)];

  test("are what softmax reads", () => {
    assert.deepEqual(posenc.attentionScores(q, k, args), floats(6, 8));
    const causal = { ...args, causal: true, queryOffset: 0, terms: { bias: floats(1, 1) } };
    assert.deepEqual(posenc.attentionScores(q, k, causal), floats(7, -Infinity));
    const out = short(0, 0);
    assert.equal(posenc.attentionScores(short(2), short(3, 4), { ...args, out }), out);
    assert.deepEqual(long(out), [6, 8]);
  });

  test("refuse what is wrong", () => {
    const call = (more) => posenc.attentionScores(q, k, { ...args, ...more });
    refused(() => call({ valueDim: 1 }), "TYPE", "valueDim", "no option");
    refused(() => call({ queryCount: 2 }), "SHAPE", "q", "got 1");
    refused(() => call({ out: k }), "OVERLAP", "out", "overlaps");
    refused(() => call({ terms: { bias: short(0, 0) } }), "TYPE", "bias", "float32");
    assert.deepEqual(call({}), floats(6, 8));
  });
});
