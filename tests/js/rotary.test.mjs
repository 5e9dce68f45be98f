// The rotary family through the package: every config reaches the library, and its refusals come
// back as they are.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, ROPE_SCALINGS } from "posenc/all";

const posenc = await load();
const near = (actual, exact, error = 1e-12) =>
  assert.ok(Math.abs(actual - exact) <= error * Math.abs(exact), `${actual}, not ${exact}`);
const refused = (call, code, field, message) =>
  assert.throws(call, { name: "PosencError", code, field, message });

/** A rope, disposed after use. */
function withRope(config, use) {
  const rope = posenc.rope(config);
  try {
    return use(rope);
  } finally {
    rope.dispose();
  }
}

const ones = [1, 1, 1, 1];
const scalings = {
  none: {},
  linear: { factor: 4 },
  static_ntk: { factor: 2 },
  dynamic_ntk: { factor: 4, maxPositionEmbeddings: 16 },
  yarn: { factor: 4, originalMaxPositionEmbeddings: 2048 },
  long_rope: {
    shortFactor: ones,
    longFactor: [1, 2, 3, 4],
    originalMaxPositionEmbeddings: 16,
    factor: 4,
  },
  llama3: { originalMaxPositionEmbeddings: 512 },
  proportional: { partialRotaryFactor: 0.5 },
  custom_frequencies: { invFreq: [0.5, -1, 0, 2], attentionFactor: 1.25 },
};
const slowest = {
  none: 0.001,
  linear: 0.00025,
  static_ntk: 0.0005,
  dynamic_ntk: 0.001 / 13,
  yarn: 0.00025,
  long_rope: 0.00025,
  llama3: 0.001 / 8,
  proportional: 0,
  custom_frequencies: 2,
};

test("every scaling has a case here", () => {
  assert.deepEqual(Object.keys(scalings), [...ROPE_SCALINGS]);
});

for (const type of ROPE_SCALINGS) {
  test(`${type} gives its frequencies`, () => {
    const scaling = { type, ...scalings[type] };
    withRope({ headDim: 8, scaling, length: 64 }, (rope) => {
      assert.equal(rope.config.scaling.type, type);
      near(rope.invFreq()[3], slowest[type]);
    });
  });
}

test("what follows from a scaling can be read", () => {
  withRope({ headDim: 8, scaling: { type: "static_ntk", factor: 2 } }, (rope) => {
    near(rope.scaledBase, 25198.420997897465);
    assert.equal(rope.yarnRamp, undefined);
    assert.equal(rope.softmaxScaleFactor, 1);
  });
  const yarn = {
    type: "yarn",
    factor: 40,
    originalMaxPositionEmbeddings: 4096,
    mscale: 1,
    mscaleAllDim: 1,
  };
  withRope({ headDim: 64, scaling: yarn }, (rope) => {
    assert.equal(rope.attentionFactor, 1);
    near(rope.softmaxScaleFactor, 1.8738, 1e-4);
    assert.equal(rope.softmaxScale, rope.softmaxScaleFactor / 8);
    assert.deepEqual(rope.yarnRamp, { low: 10, high: 23 });
    assert.equal(rope.scaledBase, 10000);
  });
});

test("setLength goes there and back", () => {
  const scaling = { type: "dynamic_ntk", factor: 4, maxPositionEmbeddings: 2048 };
  withRope({ headDim: 128, scaling }, (rope) => {
    const short = rope.invFreq();
    rope.setLength(8192);
    near(rope.scaledBase, 135401.97304176548);
    rope.setLength(100);
    assert.deepEqual(rope.invFreq(), short);
    refused(
      () => rope.setLength(-1),
      "VALUE_RANGE",
      "length",
      "rope: length must be 0 to 2^50, got -1",
    );
  });
});

test("xpos turns queries and keys apart", () => {
  withRope({ headDim: 4, xpos: {} }, (rope) => {
    const of = (side, position) =>
      Math.hypot(...rope.apply(Float32Array.of(1, 0, 0, 0), { offset: position, side }));
    near(of("query", 8), 0.9806159136807744, 2e-7);
    near(of("key", 3), 1.0073674148534213, 2e-7);
  });
});

test("rerotate moves cached keys", () => {
  withRope({ headDim: 16 }, (rope) => {
    const x = Float32Array.from({ length: 32 }, (_, i) => Math.sin(i));
    const keys = rope.apply(x.slice(), { offset: 100 });
    rope.rerotate(keys, { offset: 100, to: { offset: 0 } });
    const fresh = rope.apply(x.slice(), { offset: 0 });
    for (const [i, value] of fresh.entries()) assert.ok(Math.abs(keys[i] - value) < 1e-6);
  });
});

test("backward is the transpose of apply", () => {
  const scaling = { type: "yarn", factor: 16, originalMaxPositionEmbeddings: 4096 };
  withRope({ headDim: 8, scaling }, (rope) => {
    const x = Float32Array.from({ length: 8 }, (_, i) => Math.sin(i));
    const g = Float32Array.from({ length: 8 }, (_, i) => Math.cos(3 * i));
    const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
    const y = rope.apply(x.slice(), { offset: 9 });
    const back = rope.backward(g.slice(), { offset: 9 });
    assert.ok(Math.abs(dot(y, g) - dot(x, back)) < 1e-6);
  });
});

test("grid positions are what a rope of two axes takes", () => {
  const positions = posenc.rotaryPositions.grid({ height: 2, width: 3 });
  assert.deepEqual([...positions], [0, 0, 0, 1, 1, 1, 0, 1, 2, 0, 1, 2]);
  withRope({ headDim: 8, axes: { type: "axial" } }, (rope) => {
    const { cos } = rope.angles({ positions });
    assert.equal(cos.length, 6 * 4);
    near(cos[5 * 4], Math.cos(1), 1e-7);
    near(cos[5 * 4 + 2], Math.cos(2), 1e-7);
  });
  const centres = { height: 1, width: 4, coordinates: "centres" };
  const rows = [...posenc.rotaryPositions.grid(centres)];
  assert.deepEqual(rows, [0, 0, 0, 0, -0.75, -0.25, 0.25, 0.75]);
  const merged = { height: 2, width: 4, merge: 2, columnsFirst: true };
  assert.deepEqual([...posenc.rotaryPositions.grid(merged)].slice(0, 8), [0, 1, 0, 1, 2, 3, 2, 3]);
  refused(
    () => posenc.rotaryPositions.grid({ height: 3, width: 4, merge: 2 }),
    "VALUE_RANGE",
    "merge",
    "grid_positions: merge must divide height = 3 and width = 4, got 2",
  );
  refused(
    () => posenc.rotaryPositions.grid({ height: 3, width: 4, coordinates: "edges" }),
    "VALUE_RANGE",
    "coordinates",
    'grid_positions: coordinates must be one of "cells", "centres", "corners", got "edges"',
  );
});

test("ids of multimodal rope and the delta for decoding", () => {
  const { positions, delta } = posenc.rotaryPositions.mrope({
    inputIds: [7, 7, 7, 103, 103, 103, 103, 7, 7],
    imageGrids: [1, 4, 4],
    imageTokenId: 103,
  });
  assert.deepEqual([...positions.subarray(0, 9)], [0, 1, 2, 3, 3, 3, 3, 5, 6]);
  assert.deepEqual([...positions.subarray(9, 18)], [0, 1, 2, 3, 3, 4, 4, 5, 6]);
  assert.deepEqual([...positions.subarray(18)], [0, 1, 2, 3, 4, 3, 4, 5, 6]);
  assert.deepEqual([...delta], [-2]);
  refused(
    () => posenc.rotaryPositions.mrope({ inputIds: [103], imageTokenId: 103 }),
    "SHAPE",
    "imageGrids",
    "mrope_positions: image_grids must have a grid for every image of the ids",
  );
});

test("positions of ragged batches", () => {
  const { offsets, packed } = posenc.rotaryPositions;
  assert.deepEqual([...offsets([0, 10], 3)], [0, 1, 2, 10, 11, 12]);
  assert.deepEqual([...packed([0, 3, 3, 5], [1, 50, 7])], [1, 2, 3, 7, 8]);
  assert.deepEqual([...packed([0, 2, 3])], [0, 1, 0]);
  refused(
    () => packed([0, 3, 2]),
    "VALUE_RANGE",
    "starts",
    "packed_positions: starts must begin at 0 and not decrease, got 2 at 2",
  );
  refused(
    () => offsets([2 ** 50], 2),
    "POSITION_RANGE",
    "offsets",
    "offset_positions: offsets must keep positions within 2^50, got 1125899906842624",
  );
});

test("weights change their pairs", () => {
  const args = { headDim: 6, rotaryDim: 4 };
  assert.deepEqual([...posenc.permutePairs.rows(args)], [0, 2, 1, 3, 4, 5]);
  const weight = Float32Array.from({ length: 12 }, (_, i) => i);
  const there = posenc.permutePairs(weight, args);
  assert.deepEqual([...there], [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 10, 11]);
  const back = posenc.permutePairs(there, { ...args, from: "half", to: "interleaved" });
  assert.deepEqual(back, weight);
  const buffer = posenc.alloc(12);
  assert.equal(posenc.permutePairs(weight, { ...args, out: buffer }), buffer);
  assert.deepEqual(buffer.view(), there);
  buffer.dispose();
  refused(
    () => posenc.permutePairs(weight.subarray(1), args),
    "SHAPE",
    "weight",
    "permute_pairs: weight must have heads * head_dim * columns = 1 * 6 * 2 = 12 elements, got 11",
  );
  refused(
    () => posenc.permutePairs(weight, { ...args, out: weight }),
    "OVERLAP",
    "out",
    "permute_pairs: out overlaps another buffer",
  );
});
