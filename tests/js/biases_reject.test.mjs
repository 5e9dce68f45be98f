// What the biases of posenc/all refuse: with a code, the JavaScript name of what it is about and a
// sentence, and with the next call working. And what they do with memory.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/all";
import { refuses } from "./refusals.mjs";

const posenc = await load();
const pair = { queries: { length: 2 }, keys: { length: 2 } };
const window = { windowHeight: 1, windowWidth: 2, heads: 1 };
const line = [{ weight: new Float32Array(1) }];
const gates = {
  heads: 1,
  headDim: 2,
  gateWeight: new Float32Array(16),
  gateBias: new Float32Array(8),
  gateConst: new Float32Array(1),
};
const kerple = posenc.kerple({ heads: 1, p: [1], a: [1] });
const fire = posenc.fire({ heads: 1, layers: line });
const dynamic = posenc.dynamicPositionBias({ heads: 1, layers: line });
const swin = posenc.swin(window);
const swinCpb = posenc.swinCpb(window);
const gated = posenc.gatedPositionBias(gates);
const forgetting = posenc.forgettingBias({ heads: 2 });
const four = () => new Float32Array(4);
const shared = new Float32Array(64);
const half = { type: "float16", values: new Uint16Array(2) };

const weights = posenc.alloc(4);
const overWeights = posenc.fire({ heads: 1, layers: [{ weight: weights.subarray(0, 1) }] });
const bare = posenc.alloc(3);
const bereft = posenc.swin({ ...window, table: bare });
const bias = posenc.alloc(1);
const biasless = posenc.swinCpb({ ...window, layers: [{ weight: new Float32Array(2), bias }] });
bare.dispose();
bias.dispose();
const gone = posenc.kerple({ heads: 1, p: [1], a: [1] });
gone.dispose();

const calls = {
  "a kind of another name": [
    () => posenc.kerple({ heads: 1, kind: "exp", p: [1], a: [1] }),
    "VALUE_RANGE",
    "kind",
    'kerple: kind must be one of "log", "power", got "exp"',
  ],
  "p of another number": [
    () => posenc.kerple({ heads: 2, p: [1], a: [1, 1] }),
    "SHAPE",
    "p",
    "kerple: p must have heads = 2 = 2 elements, got 1",
  ],
  "no a": [() => posenc.kerple({ heads: 1, p: [1] }), "SHAPE", "a", "got 0"],
  "an a that is NaN": [
    () => posenc.kerple({ heads: 1, p: [1], a: [NaN] }),
    "VALUE_RANGE",
    "a",
    "nan",
  ],
  "p in float32": [
    () => posenc.kerple({ heads: 1, p: new Float32Array(1), a: [1] }),
    "TYPE",
    "p",
    "kerple: p must be a Float64Array or an array of numbers, got Float32Array",
  ],
  "a minimum that is NaN": [
    () => posenc.kerple({ heads: 1, p: [1], a: [1], minimum: NaN }),
    "VALUE_RANGE",
    "minimum",
  ],
  "a pMaximum below the minimum": [
    () => posenc.kerple({ heads: 1, p: [1], a: [1], minimum: 1, pMaximum: 0.5 }),
    "VALUE_RANGE",
    "pMaximum",
    "kerple: p_maximum must be",
  ],
  "gradients of another size": [
    () => kerple.gradient(pair, new Float32Array(3)),
    "SHAPE",
    "gradient",
    "heads * queries * keys",
  ],
  "room for one gradient alone": [
    () => kerple.gradient(pair, four(), new Float32Array(1)),
    "SHAPE",
    "out",
    "kerple: out must have 2 * heads = 2 * 1 = 2 elements, got 1",
  ],
  "gradients in float16": [
    () => kerple.gradient(pair, four(), half),
    "TYPE",
    "out",
    "kerple: out must be a Float32Array or a float32 buffer from alloc(), got an object",
  ],
  "gradients over their source": [
    () => kerple.gradient(pair, shared.subarray(0, 4), shared.subarray(3, 5)),
    "OVERLAP",
    "out",
  ],
  "a disposed encoding": [
    () => gone.bias(pair),
    "DISPOSED",
    "",
    "kerple: this encoding was disposed",
  ],
  "a network that is none": [
    () => posenc.fire({ heads: 1, layers: 3 }),
    "TYPE",
    "layers",
    "fire: layers must be an array of layers, got 3",
  ],
  "no network": [
    () => posenc.fire({ heads: 1, layers: [] }),
    "SHAPE",
    "layers",
    "fire: layers must end with 1 outputs",
  ],
  "a layer that is a weight": [() => posenc.fire({ heads: 1, layers: [four()] }), "TYPE", "0"],
  "a weight in double": [
    () => posenc.fire({ heads: 1, layers: [{ weight: [1] }] }),
    "TYPE",
    "layers[0].weight",
    "fire: layers[0].weight must be a Float32Array or a buffer from alloc(), got Array",
  ],
  "a layer without its weight": [
    () => posenc.dynamicPositionBias({ heads: 1, layers: [{}] }),
    "TYPE",
    "layers[0].weight",
    "dynamic_position_bias: layers[0].weight must be a Float32Array or a buffer from alloc(), got",
  ],
  "layers that do not fit together": [
    () => posenc.fire({ heads: 1, layers: [{ weight: four() }, { weight: new Float32Array(3) }] }),
    "SHAPE",
    "layers",
    "got 3 elements for in = 4",
  ],
  "a bias of another width": [
    () => posenc.fire({ heads: 1, layers: [{ weight: new Float32Array(1), bias: four() }] }),
    "SHAPE",
    "layers",
    "fire: layers must have out = 1 = 1 elements, got 4",
  ],
  "an eps that is NaN": [
    () => posenc.fire({ heads: 1, eps: NaN, layers: line }),
    "VALUE_RANGE",
    "eps",
  ],
  "too many heads for a network": [
    () => posenc.fire({ heads: 1025, layers: line }),
    "VALUE_RANGE",
    "heads",
    "fire: heads must be 1 to 1024, got 1025",
  ],
  "a bias of another size": [
    () => fire.bias(pair, new Float32Array(3)),
    "SHAPE",
    "out",
    "fire: out must have heads * queries * keys = 1 * 2 * 2 = 4 elements, got 3",
  ],
  "a bias over the weights": [() => overWeights.bias(pair, weights), "OVERLAP", "out"],
  "positions beyond 2^50": [
    () => dynamic.bias({ queries: { offset: 2 ** 51, length: 1 }, keys: { length: 1 } }),
    "POSITION_RANGE",
    "queries",
  ],
  "a misspelt option": [
    () => posenc.dynamicPositionBias({ heads: 1, layers: line, logDistances: true }),
    "TYPE",
    "logDistances",
    "dynamic_position_bias: there is no option",
  ],
  "a window without cells": [
    () => posenc.swin({ ...window, windowHeight: 0 }),
    "VALUE_RANGE",
    "windowHeight",
    "swin: window_height must be 1 to 4096, got 0",
  ],
  "a table of another window": [
    () => posenc.swin({ ...window, table: four() }),
    "SHAPE",
    "table",
    "swin: table must have (2H-1)(2W-1) * heads = 3 * 1 = 3 elements, got 4",
  ],
  "a bias without a table": [() => swin.bias(), "SHAPE", "table", "got 0"],
  "an index that is too large": [
    () => posenc.swin({ windowHeight: 4096, windowWidth: 4096, heads: 1 }).index(),
    "SIZE_LIMIT",
    "out",
  ],
  "a table that was disposed": [() => bereft.bias(), "DISPOSED", "table"],
  "coordinates of another name": [
    () => posenc.swinCpb({ ...window, coordinates: "linear" }),
    "VALUE_RANGE",
    "coordinates",
  ],
  "a continuous bias without a network": [() => swinCpb.bias(), "SHAPE", "layers"],
  "an output of another size": [
    () => swinCpb.biasFromOutput(four()),
    "SHAPE",
    "output",
    "swin_cpb: output must have (2H-1)(2W-1) * heads = 3 * 1 = 3 elements, got 4",
  ],
  "a bias over the network's output": [
    () => swinCpb.biasFromOutput(shared.subarray(0, 3), shared.subarray(2, 6)),
    "OVERLAP",
    "out",
    "swin_cpb: out overlaps another buffer",
  ],
  "a layer whose bias was disposed": [
    () => biasless.coordinates(),
    "DISPOSED",
    "layers[0].bias",
    "swin_cpb: layers[0].bias was disposed",
  ],
  "a gate without its constant": [
    () => posenc.gatedPositionBias({ ...gates, gateConst: undefined }),
    "TYPE",
    "gateConst",
    "gated_position_bias: gate_const must be a Float32Array",
  ],
  "a gate weight of another width": [
    () => posenc.gatedPositionBias({ ...gates, headDim: 3 }),
    "SHAPE",
    "gateWeight",
  ],
  "hidden states that are no whole sequences": [
    () => gated.gate(new Float32Array(5), 2),
    "SHAPE",
    "hidden",
    "batch * length * heads * head_dim = 2 * 2 * 1 * 2 = 8 elements, got 5",
  ],
  "a length that is a fraction": [() => gated.gate(four(), 1.5), "VALUE_RANGE", "length"],
  "a gate over the hidden states": [
    () => gated.gate(shared.subarray(0, 4), 2, shared.subarray(0, 2)),
    "OVERLAP",
    "out",
  ],
  "a position bias of another size": [
    () => gated.bias(new Float32Array(2), four(), { queryCount: 2, keyCount: 3 }),
    "SHAPE",
    "positionBias",
    "heads * queries * keys = 1 * 2 * 3 = 6 elements, got 4",
  ],
  "a gated bias without its shape": [() => gated.bias(new Float32Array(2), four()), "TYPE", "args"],
  "a scale of 0": [
    () => posenc.forgettingBias({ heads: 1, logScale: 0 }),
    "VALUE_RANGE",
    "logScale",
  ],
  "logits of no whole length": [
    () => forgetting.bias(new Float32Array(3)),
    "SHAPE",
    "gateLogits",
    "forgetting_bias: gate_logits must have rows * length = 2 * 1 = 2 elements, got 3",
  ],
  "logits in double": [() => forgetting.bias(new Float64Array(2)), "TYPE", "gateLogits"],
  "a bias beyond memory": [() => forgetting.bias(new Float32Array(2 ** 17)), "SIZE_LIMIT", "out"],
};

refuses(calls, () => {
  assert.deepEqual([...kerple.distances(-0, 1)], [0]);
  assert.deepEqual([...swin.index()], [1, 0, 2, 1]);
});

test("networks are given back, also when an encoding cannot be made", () => {
  // 4 MiB each time: without giving back, 2 GiB would be reached.
  const layers = [{ weight: new Float32Array(1024) }, { weight: new Float32Array(2 ** 20) }];
  for (let i = 0; i < 600; ++i) {
    assert.throws(() => posenc.fire({ heads: 1, layers }), { code: "SHAPE", field: "layers" });
    const unlike = [...layers, { weight: "w" }];
    assert.throws(() => posenc.fire({ heads: 1, layers: unlike }), { code: "TYPE" });
    posenc.fire({ heads: 1024, layers }).dispose();
  }
});

test("dispose() more than once does no harm", () => {
  const encoding = posenc.dynamicPositionBias({ heads: 1, layers: line });
  encoding.dispose();
  encoding.dispose();
  assert.equal(encoding.disposed, true);
  assert.throws(() => encoding.distances(0, 1), { code: "DISPOSED" });
});
