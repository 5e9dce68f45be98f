// The relative family in posenc/all, by rows of distances: every verb reaches the library, 16-bit data
// is read and written as it lies, refusals come back as they are, and memory is given back.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { load } from "posenc/all";
import { refused } from "./refusals.mjs";
import { floats, long, short, two, using } from "./relative_support.mjs";

const posenc = await load();

const shawConfig = {
  headDim: 1,
  maxRelativePosition: 1,
  keys: floats(1, 2, 3),
  values: floats(10, 20, 30),
};

describe("shaw", () => {
  test("scores and values by the clipped distance", () => {
    using(posenc.shaw(shawConfig), (shaw) => {
      assert.deepEqual(shaw.config, { headDim: 1, maxRelativePosition: 1, valueDim: 1 });
      assert.deepEqual([...shaw.index(two)], [1, 2, 0, 1]);
      assert.deepEqual(shaw.scores(floats(1, 10), two), floats(2, 3, 10, 20));
      assert.deepEqual(shaw.scores(floats(1, 10), { ...two, scale: 0.5 }), floats(1, 1.5, 5, 10));
      const out = floats(1, 2);
      assert.equal(shaw.addValues(floats(0.5, 0.5, 1, 0), two, out), out);
      assert.deepEqual(out, floats(26, 12));
    });
  });

  test("16-bit data, and a buffer for values that is read where it lies", () => {
    const values = posenc.alloc(3, "bfloat16");
    values.view().set(short(10, 20, 30).values);
    using(posenc.shaw({ ...shawConfig, keys: short(1, 2, 3), values }), (shaw) => {
      assert.deepEqual(shaw.scores(short(1, 10), two), floats(2, 3, 10, 20));
      const out = short(1, 2);
      shaw.addValues(short(0.5, 0.5, 1, 0), two, out);
      assert.deepEqual(long(out), [26, 12]);
      values.view().set(short(20, 40, 60).values);
      shaw.addValues(short(0.5, 0.5, 1, 0), two, out);
      assert.deepEqual(long(out), [76, 32]);
      values.dispose();
      refused(() => shaw.scores(short(1, 10), two), "DISPOSED", "values", "values was disposed");
    });
  });

  test("what it refuses", () => {
    const make = (config) => posenc.shaw({ ...shawConfig, ...config });
    refused(() => make({ headDim: 0 }), "VALUE_RANGE", "headDim", "1 to 4096, got 0");
    refused(() => make({ headDim: NaN }), "VALUE_RANGE", "headDim", "whole number");
    refused(() => make({ keys: undefined }), "TYPE", "keys", "got undefined");
    refused(() => make({ keys: floats(1) }), "SHAPE", "keys", "(2m+1) * head_dim = 3 * 1 = 3");
    refused(() => make({ values: [1, 2, 3] }), "TYPE", "values", "a Float32Array or a buffer");
    refused(() => make({ heads: 2 }), "TYPE", "heads", "there is no option");
    using(make({ values: undefined }), (shaw) => {
      const q = floats(1, 10);
      const weights = new Float32Array(4);
      refused(() => shaw.addValues(weights, two, q), "SHAPE", "values", "got 0");
      refused(() => shaw.scores(floats(1), two), "SHAPE", "q", "= 2 elements, got 1");
      refused(() => shaw.scores(q, { ...two, scale: NaN }), "VALUE_RANGE", "scale", "nan");
      refused(() => shaw.scores(q, { ...two, scale: "1" }), "TYPE", "scale", "a number");
      refused(() => shaw.scores(q, { ...two, heads: 1 }), "TYPE", "heads", "no option");
      refused(() => shaw.scores(q, two.queries), "TYPE", "length", "no option");
      refused(() => shaw.scores(q, { ...two, out: floats(1) }), "SHAPE", "out", "got 1");
      refused(() => shaw.scores(q, { ...two, out: short(0, 0, 0, 0) }), "TYPE", "out", "float32");
      const lap = new Float32Array(5);
      const over = { ...two, out: lap.subarray(1) };
      refused(() => shaw.scores(lap.subarray(0, 2), over), "OVERLAP", "out", "overlaps");
      const half = { queries: { positions: [0, 0.5] }, keys: { length: 2 } };
      refused(() => shaw.index(half), "POSITION_RANGE", "queries", "0.5");
      assert.deepEqual(shaw.scores(q, two), floats(2, 3, 10, 20));
    });
  });
});

const debertaConfig = {
  heads: 1,
  headDim: 2,
  p2c: false,
  maxRelativePositions: 2,
  relEmbeddings: floats(1, 0, 2, 0, 3, 0, 4, 0),
};

describe("deberta", () => {
  const [q, k] = [floats(1, 0, 1, 0), floats(2, 0, 4, 0)];

  test("scores of both terms, and their scale", () => {
    using(posenc.deberta(debertaConfig), (deberta) => {
      assert.equal(deberta.scale, 0.5);
      assert.equal(deberta.config.attSpan, 2);
      assert.deepEqual(deberta.scores(q, k, two), floats(1.5, 1, 2, 1.5));
      assert.deepEqual(deberta.scores(short(1, 0, 1, 0), k, two), floats(1.5, 1, 2, 1.5));
      assert.deepEqual([...deberta.relativePositions(two)], [0, -1, 1, 0]);
    });
    using(posenc.deberta({ ...debertaConfig, c2p: false, p2c: true }), (deberta) => {
      assert.deepEqual(deberta.scores(q, k, two), floats(3, 4, 4, 6));
    });
  });

  test("projections and the layer norm", () => {
    const weight = short(0, 1, 1, 0);
    const posKey = { weight, bias: floats(0, 8) };
    using(posenc.deberta({ ...debertaConfig, posKey }), (deberta) => {
      assert.deepEqual(deberta.scores(floats(0, 1, 1, 0), k, two), floats(5.5, 5, 0, 0));
    });
    const norm = { normWeight: floats(2, 2), normBias: floats(1, 1), normEps: 1e-30 };
    using(posenc.deberta({ ...debertaConfig, ...norm }), (deberta) => {
      assert.deepEqual(deberta.scores(q, k, two), floats(1.5, 1.5, 1.5, 1.5));
    });
  });

  test("buckets without a table", () => {
    const config = { heads: 1, headDim: 1, positionBuckets: 256, maxRelativePositions: 512 };
    using(posenc.deberta(config), (deberta) => {
      assert.equal(deberta.config.attSpan, 256);
      const distances = [0, 128, 129, -300, 10000, -(2 ** 53), 5n];
      const buckets = distances.map((distance) => deberta.bucket(distance));
      assert.deepEqual(buckets.slice(0, 3), [0, 128, 129]);
      assert.equal(buckets[3], -207);
      assert.equal(buckets[6], 5);
      assert.ok(buckets[4] > 256 && buckets[5] < -buckets[4]);
      refused(() => deberta.bucket(0.5), "VALUE_RANGE", "distance", "a whole number");
      refused(() => deberta.bucket("1"), "TYPE", "distance", "a bigint");
      const one = new Float32Array(2);
      refused(() => deberta.scores(one, one, two), "SHAPE", "relEmbeddings", "got none");
    });
  });

  test("what it refuses", () => {
    const make = (config) => posenc.deberta({ ...debertaConfig, ...config });
    refused(() => make({ c2p: false }), "VALUE_RANGE", "c2p", "got false for both");
    refused(() => make({ c2p: 1 }), "TYPE", "c2p", "true or false");
    refused(() => make({ positionBuckets: 5 }), "VALUE_RANGE", "maxRelativePositions", "got 2");
    refused(() => make({ relEmbeddings: q }), "SHAPE", "relEmbeddings", "got 4");
    refused(() => make({ normWeight: q }), "SHAPE", "normWeight", "got 4");
    refused(() => make({ posKey: { weight: floats(1) } }), "SHAPE", "posKey", "got 1");
    refused(() => make({ posQuery: { wieght: q } }), "TYPE", "wieght", "no option");
    refused(() => make({ posKey: { bias: [1, 2] } }), "TYPE", "posKey.bias", "a Float32Array");
    const norm = { normWeight: floats(1, 1), normBias: floats(1, 1), normEps: NaN };
    refused(() => make(norm), "VALUE_RANGE", "normEps", "nan");
    using(make({}), (deberta) => {
      refused(() => deberta.scores(q, floats(1), two), "SHAPE", "k", "got 1");
      refused(() => deberta.scores(q, k, { ...two, out: q }), "OVERLAP", "out", "overlaps");
      assert.deepEqual(deberta.scores(q, k, two), floats(1.5, 1, 2, 1.5));
    });
  });
});

const xlConfig = { heads: 1, headDim: 1, contentBias: floats(1), positionBias: floats(2) };
const segments = { segmentBias: floats(1), segmentEmbedding: floats(1, -1) };

describe("transformer_xl", () => {
  const places = { queries: { offset: 1, length: 1 }, keys: { length: 2 }, firstDistance: 1 };
  const [q, k, r] = [floats(3), floats(5, 7), floats(10, 20)];

  test("scores by rows of distances, and segments", () => {
    using(posenc.transformerXl({ ...xlConfig, ...segments }), (xl) => {
      const scores = xl.scores(q, k, r, places);
      assert.deepEqual(scores, floats(55, 107));
      assert.deepEqual(xl.scores(short(3), short(5, 7), short(10, 20), places), scores);
      assert.deepEqual(xl.scores(q, k, r, { ...places, scale: 0.5 }), floats(27.5, 53.5));
      const ids = { querySegments: Int32Array.of(7), keySegments: Int32Array.of(7, 8) };
      assert.equal(xl.addSegments(q, ids, scores), scores);
      assert.deepEqual(scores, floats(59, 103));
      const list = { ...ids, keySegments: [7, 8] };
      refused(() => xl.addSegments(q, list, scores), "TYPE", "keySegments", "an Int32Array");
      const few = { ...ids, querySegments: Int32Array.of(7, 8) };
      refused(() => xl.addSegments(q, few, scores), "SHAPE", "q", "got 1");
      refused(() => xl.addSegments(q, ids, short(0, 0)), "TYPE", "out", "float32");
      assert.deepEqual(scores, floats(59, 103));
    });
  });

  test("sinusoid rows and their projection", () => {
    using(posenc.transformerXl({ ...xlConfig, dModel: 2, clampLen: 1 }), (xl) => {
      assert.deepEqual(xl.config, { heads: 1, headDim: 1, dModel: 2, base: 10000, clampLen: 1 });
      const [sin, cos] = [Math.fround(Math.sin(1)), Math.fround(Math.cos(1))];
      const rows = xl.rows(2n, 3);
      assert.deepEqual(rows, floats(sin, cos, sin, cos, 0, 1));
      assert.deepEqual(xl.project(rows, floats(1, 2)).length, 3);
      assert.deepEqual(xl.project(short(1, 2, 3, 4), floats(1, 2)), floats(5, 11));
      const out = short(0, 0);
      assert.deepEqual(long(xl.project(short(1, 2, 3, 4), short(1, 2), out)), [5, 11]);
      refused(() => xl.rows(2, 3, floats(1, 2)), "SHAPE", "out", "= 3 * 2 = 6 elements, got 2");
      refused(() => xl.rows(2 ** 51, 1), "POSITION_RANGE", "first", "1125899906842624");
      refused(() => xl.project(floats(1), floats(1, 2)), "SHAPE", "rows", "got 1");
      refused(() => xl.project(rows, floats(1)), "SHAPE", "weight", "got 1");
      refused(() => xl.project(rows, floats(1, 2), rows), "OVERLAP", "out", "overlaps");
    });
    using(posenc.transformerXl(xlConfig), (xl) => {
      refused(() => xl.rows(1, 2), "VALUE_RANGE", "dModel", "for sinusoid rows, got 0");
    });
  });

  test("what it refuses", () => {
    const make = (config) => posenc.transformerXl({ ...xlConfig, ...config });
    refused(() => make({ dModel: 3 }), "VALUE_RANGE", "dModel", "even");
    refused(() => make({ base: NaN }), "VALUE_RANGE", "base", "nan");
    refused(() => make({ clampLen: 0.5 }), "VALUE_RANGE", "clampLen", "whole");
    refused(() => make({ positionBias: floats(1, 2) }), "SHAPE", "positionBias", "got 2");
    refused(() => make({ positionBias: undefined }), "TYPE", "positionBias", "undefined");
    refused(() => make({ segmentBias: floats(1) }), "SHAPE", "segmentEmbedding", "got 0");
    const contentBias = posenc.alloc(1);
    using(make({ contentBias }), (xl) => {
      const call = (args) => xl.scores(q, k, r, { ...places, ...args });
      refused(() => call({ firstDistance: undefined }), "TYPE", "firstDistance", "undefined");
      refused(() => call({ queries: { length: 2 } }), "SHAPE", "q", "got 1");
      refused(() => call({ scale: Infinity }), "VALUE_RANGE", "scale", "inf");
      refused(() => call({ out: k }), "OVERLAP", "out", "overlaps");
      const ids = { querySegments: Int32Array.of(0), keySegments: Int32Array.of(0, 0) };
      refused(() => xl.addSegments(q, ids, floats(0, 0)), "SHAPE", "segmentEmbedding", "got 0");
      assert.deepEqual(call({}), floats(50, 100));
      contentBias.dispose();
      refused(() => call({}), "DISPOSED", "contentBias", "was disposed");
    });
  });

  test("the shift of published code", () => {
    const x = floats(1, 2, 3, 4, 5, 6);
    const shape = { queries: 2, keys: 3 };
    assert.deepEqual(posenc.relativeShift(x, shape), floats(2, 3, 0, 4, 5, 6));
    const out = short(0, 0, 0, 0, 0, 0);
    assert.deepEqual(long(posenc.relativeShift(x, { ...shape, out })), [2, 3, 0, 4, 5, 6]);
    refused(() => posenc.relativeShift(x, { queries: 2, keys: 2 }), "SHAPE", "x", "got 6");
    refused(() => posenc.relativeShift(x, { ...shape, out: x }), "OVERLAP", "out", "overlaps");
  });
});

test("a disposed encoding says so", () => {
  const shaw = posenc.shaw(shawConfig);
  shaw.dispose();
  shaw.dispose();
  refused(() => shaw.index(two), "DISPOSED", "", "shaw: this encoding was disposed");
});
