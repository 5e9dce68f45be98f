// The biases of posenc/all through the package: exact values, 16-bit data, refusals and memory.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/all";

const posenc = await load();
const floats = (...values) => Float32Array.from(values);
const bits = (...values) => ({ type: "bfloat16", values: Uint16Array.from(values) });
const pair = { queries: { length: 2 }, keys: { length: 2 } };
const ln2 = Math.fround(Math.log(2));
/** In bfloat16: 1, 2, 3 and -Infinity. */
const [one, two, three, hidden] = [0x3f80, 0x4000, 0x4040, 0xff80];

/** An encoding, disposed after use. */
function using(encoding, use) {
  try {
    return use(encoding);
  } finally {
    encoding.dispose();
  }
}

/** An `out` of bfloat16, filled by `write`. */
function written(length, write) {
  const out = bits(...new Array(length).fill(0));
  assert.equal(write(out), out);
  return [...out.values];
}

const line = [{ weight: floats(2), bias: floats(1) }];
const kerple = (config) => posenc.kerple({ heads: 1, p: [1], a: [1], ...config });
const fire = (config) =>
  posenc.fire({ heads: 1, c: 1, eps: 0, layers: [{ weight: floats(1) }], ...config });
const dynamic = (config) => posenc.dynamicPositionBias({ heads: 1, layers: line, ...config });
const swin = (config) => posenc.swin({ windowHeight: 1, windowWidth: 2, heads: 1, ...config });
const swinCpb = (config) =>
  posenc.swinCpb({ windowHeight: 1, windowWidth: 2, heads: 1, ...config });
const zeros = { gateWeight: new Float32Array(8), gateBias: new Float32Array(8) };
const gated = (config) =>
  posenc.gatedPositionBias({ heads: 1, headDim: 1, ...zeros, gateConst: floats(4), ...config });
const forgetting = (config) => posenc.forgettingBias({ heads: 1, ...config });

test("kerple's kernels of the distance", () => {
  using(kerple(), (encoding) => {
    assert.deepEqual([...encoding.distances(-1, 3)], [-ln2, 0, -Infinity]);
    assert.deepEqual([...encoding.bias(pair)], [0, -Infinity, -ln2, 0]);
    const { kind, causal, minimum, pMaximum } = encoding.config;
    assert.deepEqual([kind, causal, minimum, pMaximum], ["log", true, 0, Infinity]);
  });
  const power = { kind: "power", causal: false, p: Float64Array.of(-9), a: [-1], minimum: 2 };
  using(kerple(power), (encoding) => {
    assert.deepEqual([...encoding.distances(-1, 4)], [-2, 0, -2, -8]);
    const out = written(3, (to) => encoding.distances(-1, 3, to));
    assert.deepEqual(out, [two | 0x8000, 0, two | 0x8000]);
  });
  using(kerple({ kind: "power", p: [9], pMaximum: 1 }), (encoding) => {
    assert.deepEqual([...encoding.distances(-3, 1)], [-3]);
  });
});

test("kerple's gradient is that of p, then that of a", () => {
  using(kerple({ heads: 2, p: [1, 1], a: [1, 1] }), (encoding) => {
    const gradient = floats(7, 7, 1, 7, 7, 7, 2, 7);
    const both = [-ln2, -2 * ln2, -0.5, -1];
    assert.deepEqual([...encoding.gradient(pair, gradient)], both);
    const half = bits(0, 0, one, 0, 0, 0, two, 0);
    const buffer = posenc.alloc(4);
    assert.equal(encoding.gradient(pair, half, buffer), buffer);
    assert.deepEqual([...buffer.view()], both);
    buffer.dispose();
  });
});

test("fire is in proportion to the query's position", () => {
  using(fire(), (encoding) => {
    assert.deepEqual([...encoding.bias(pair)], [0, -Infinity, 1, 0]);
    assert.equal(encoding.distances, undefined);
    assert.deepEqual(
      written(4, (to) => encoding.bias(pair, to)),
      [0, hidden, one, 0],
    );
    assert.deepEqual(encoding.config, { heads: 1, causal: true, c: 1, threshold: 0, eps: 0 });
  });
  using(fire({ layers: [{ weight: bits(two), bias: bits(one) }], causal: false }), (encoding) => {
    const query = { positions: [1] };
    assert.deepEqual([...encoding.bias({ queries: query, keys: { length: 3 } })], [3, 1, 3]);
  });
});

test("a network of the distance", () => {
  using(dynamic(), (encoding) => {
    assert.deepEqual([...encoding.distances(-1, 3)], [3, 1, -1]);
    assert.deepEqual([...encoding.bias(pair)], [1, -1, 3, 1]);
    const out = written(3, (to) => encoding.distances(-1, 3, to));
    assert.deepEqual(out, [three, one, one | 0x8000]);
  });
  using(dynamic({ logDistance: true, layers: [{ weight: floats(1) }] }), (encoding) => {
    assert.deepEqual([...encoding.distances(-1, 3)], [ln2, 0, -ln2]);
  });
  const silu = [{ weight: floats(1, -1), bias: floats(0, 0) }, { weight: floats(1, 1) }];
  using(dynamic({ layers: silu }), (encoding) => {
    const x = 3;
    const sum = x / (1 + Math.exp(-x)) - x / (1 + Math.exp(x));
    assert.deepEqual([...encoding.distances(-x, 1)], [Math.fround(sum)]);
  });
});

test("swin's index and table", () => {
  using(swin({ table: floats(10, 20, 30) }), (encoding) => {
    assert.deepEqual(encoding.index(), Int32Array.of(1, 0, 2, 1));
    assert.deepEqual([...encoding.bias()], [20, 10, 30, 20]);
    const buffer = posenc.alloc(4);
    assert.equal(encoding.bias(buffer), buffer);
    assert.deepEqual([...buffer.view()], [20, 10, 30, 20]);
    buffer.dispose();
  });
  using(swin({ table: bits(one, two, three) }), (encoding) => {
    assert.deepEqual([...encoding.bias()], [2, 1, 3, 2]);
    assert.deepEqual(
      written(4, (to) => encoding.bias(to)),
      [two, one, three, two],
    );
  });
});

test("swin v2's coordinates and network", () => {
  const far = Math.fround(Math.log2(9) / 3);
  using(swinCpb(), (encoding) => {
    assert.deepEqual([...encoding.coordinates()], [0, -far, 0, 0, 0, far]);
    assert.deepEqual([...encoding.biasFromOutput(new Float32Array(3))], [8, 8, 8, 8]);
    const out = written(4, (to) => encoding.biasFromOutput(bits(0, 0, 0), to));
    assert.deepEqual(out, [0x4100, 0x4100, 0x4100, 0x4100]);
  });
  using(swinCpb({ pretrainedHeight: 2, pretrainedWidth: 9 }), (encoding) => {
    const near = Math.fround(1 / 3);
    assert.deepEqual([...encoding.coordinates()], [0, -near, 0, 0, 0, near]);
  });
  const layers = [{ weight: floats(0, 1) }];
  using(swinCpb({ coordinates: "logarithmic", layers }), (encoding) => {
    assert.deepEqual([...encoding.bias()], [0, -ln2, ln2, 0]);
  });
});

test("WavLM's gate", () => {
  const shape = { queryCount: 1, keyCount: 2 };
  using(gated(), (encoding) => {
    const gate = encoding.gate(floats(5, 6), 1);
    assert.deepEqual([...gate], [2.5, 2.5]);
    assert.deepEqual([...encoding.bias(gate, floats(1, 2), shape)], [2.5, 5, 2.5, 5]);
    const out = written(2, (to) => encoding.bias(bits(three), bits(0, one), shape, to));
    assert.deepEqual(out, [0, three]);
    assert.deepEqual([...encoding.gate(new Float32Array(0), 0)], []);
  });
  using(gated({ gateBias: floats(0, 0, 0, 0, 0, 0, 0, 100), headDim: 1 }), (encoding) => {
    assert.deepEqual([...encoding.gate(floats(0), 1)], [3.5]);
  });
});

test("gates that forget", () => {
  using(forgetting(), (encoding) => {
    assert.deepEqual([...encoding.bias(floats(0, 0))], [0, -Infinity, -ln2, 0]);
    assert.deepEqual([...encoding.bias(new Float32Array(0))], []);
    const out = written(4, (to) => encoding.bias(bits(0, 0xc300), to));
    assert.deepEqual(out, [0, hidden, 0xc300, 0]);
  });
  using(forgetting({ causal: false, logScale: 2 }), (encoding) => {
    const both = Math.fround(-2 * Math.log(2));
    assert.deepEqual([...encoding.bias(floats(0, 0, 0, 0))], [0, both, both, 0]);
  });
});
