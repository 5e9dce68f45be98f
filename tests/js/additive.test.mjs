// The additive encodings of posenc/all, interpolation and position ids: that every option reaches the
// library, and what 16-bit data and disposal do. What must be refused: additive_reject.test.mjs and
// grids_reject.test.mjs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/all";

const posenc = await load();

function close(actual, expected) {
  assert.equal(actual.length, expected.length);
  for (const [i, value] of expected.entries()) {
    assert.ok(Math.abs(actual[i] - value) < 1e-6, `value ${i} is ${actual[i]}, not ${value}`);
  }
}

test("sinusoidal takes order, scales, timescales and a padding position", () => {
  const { cos, sin } = Math;
  const ggml = posenc.sinusoidal({
    dim: 4,
    layout: "half",
    order: "cosine_first",
    scale: 0.5,
    positionScale: 2,
  });
  close(ggml.table({ positions: [1.5] }), [cos(3) / 2, cos(0.03) / 2, sin(3) / 2, sin(0.03) / 2]);
  const whisper = posenc.sinusoidal({ dim: 4, layout: "half", maxTimescale: 100, minTimescale: 1 });
  close(whisper.table({ offset: 3, length: 1 }), [sin(3), sin(0.03), cos(3), cos(0.03)]);
  const fairseq = posenc.sinusoidal({ dim: 2, paddingPosition: 1 });
  assert.deepEqual([...fairseq.table({ offset: 1, length: 1 })], [0, 0]);
  assert.equal(fairseq.config.paddingPosition, 1);
});

test("learned scatters gradients, scaled, past the padding row", () => {
  const rows = Float32Array.of(1, 2, 3, 4, 5, 6);
  const learned = posenc.learned({ rows, dim: 2, scale: 0.5, paddingRow: 0 });
  assert.deepEqual([...learned.table({ offset: 1, length: 1 })], [1.5, 2]);
  const sums = new Float32Array(6);
  const gradient = Float32Array.of(2, 4, 6, 8, 1, 1);
  assert.equal(learned.scatter(gradient, { positions: [2, 0, 2] }, sums), sums);
  assert.deepEqual([...sums], [0, 0, 0, 0, 1.5, 2.5]);
  learned.scatter(gradient, { positions: [2, 0, 2] }, sums);
  assert.deepEqual([...sums], [0, 0, 0, 0, 3, 5]);
  assert.deepEqual(learned.config, { dim: 2, rowOffset: 0, scale: 0.5, paddingRow: 0 });
  assert.deepEqual(posenc.learned({ rows, dim: 2 }).config, { dim: 2, rowOffset: 0, scale: 1 });
});

test("hierarchical reaches the square of its rows", () => {
  const rows = Float32Array.of(1, 3, 7);
  const hierarchical = posenc.hierarchical({ rows, dim: 1, alpha: 0.5 });
  assert.equal(hierarchical.maxPositions, 9);
  assert.deepEqual([...hierarchical.table({ positions: [0, 2, 3, 8] })], [1, 7, 3, 13]);
  const x = Float32Array.of(10);
  assert.deepEqual([...hierarchical.add(x, { offset: 8, length: 1 })], [23]);
});

test("multiscale puts levels side by side or sums them", () => {
  const levels = [{ dim: 2 }, { dim: 2, base: 100, scale: 2 }];
  const positions = [{ positions: [1, 1] }, { length: 2 }];
  const side = posenc.multiscale({ levels });
  const { cos, sin } = Math;
  close(side.table(positions), [sin(1), cos(1), 0, 2, sin(1), cos(1), 2 * sin(1), 2 * cos(1)]);
  const sum = posenc.multiscale({ levels, combine: "sum" });
  assert.equal(sum.dim, 2);
  close(sum.add(new Float32Array(4), positions), [sin(1), cos(1) + 2, 3 * sin(1), 3 * cos(1)]);
});

test("sincosGrid takes grids and coordinates", () => {
  const mae = posenc.sincosGrid({ dim: 4, axisOrder: "xy", prefixRows: 1 });
  const { cos, sin } = Math;
  const row = [sin(2), cos(2), sin(0.5), cos(0.5)];
  const table = mae.table({ height: 2, width: 3, stepY: 0.5 });
  assert.equal(table.length, 7 * 4);
  close(table.subarray(24), row);
  close(mae.table({ coordinates: [0.5, 2] }), row);
  const x = new Float32Array(28).fill(1);
  const sums = mae.add(x, { height: 2, width: 3, stepY: 0.5 });
  assert.deepEqual([...sums.subarray(0, 4)], [1, 1, 1, 1]);
  close(
    sums.subarray(24),
    row.map((value) => value + 1),
  );
  const volume = posenc.sincosGrid({ dim: 7, axes: 3, layout: "interleaved" });
  assert.equal(volume.table({ depth: 2, height: 1, width: 3 }).length, 6 * 7);
});

test("detrSine counts the real pixels of a mask", () => {
  const detr = posenc.detrSine({ numPosFeats: 2, order: "channels_last" });
  const mask = Uint8Array.of(0, 1, 1);
  const { cos, sin } = Math;
  const table = detr.table({ mask, height: 1, width: 3 });
  close(table.subarray(8), [sin(1), cos(1), sin(2), cos(2)]);
  close(detr.add(new Float32Array(12), { mask, height: 1, width: 3 }), [...table]);
});

test("layoutBoxes sums the tables of a box", () => {
  const rows = Float32Array.of(1, 10, 100);
  const tables = { xRows: rows, yRows: rows, heightRows: rows, widthRows: rows };
  const boxes = Int32Array.of(0, 0, 2, 1);
  const plain = posenc.layoutBoxes({ dim: 1, ...tables });
  assert.deepEqual([...plain.table({ boxes })], [1 + 1 + 100 + 10 + 10 + 100]);
  const placed = posenc.layoutBoxes({ dim: 1, ...tables, positionRows: Float32Array.of(0, 0.5) });
  const tokens = { boxes, positions: { offset: 1, length: 1 } };
  assert.deepEqual([...placed.table(tokens)], [222.5]);
  assert.deepEqual([...placed.add(Float32Array.of(1), tokens)], [223.5]);
  assert.deepEqual(placed.config, { dim: 1 });
});

test("interpolate resizes grids and keeps prefix rows", () => {
  const line = { fromHeight: 4, toHeight: 8, dim: 1, mode: "linear", alignCorners: true };
  const aligned = posenc.interpolate(line);
  const sevenths = Array.from({ length: 8 }, (_, i) => (3 * i) / 7);
  close(aligned.apply(Float32Array.of(0, 1, 2, 3)), sevenths);
  const sizes = { fromHeight: 2, fromWidth: 2, toHeight: 3, toWidth: 1, dim: 2 };
  const grid = posenc.interpolate({ ...sizes, antialias: true, prefixRows: 1, suffixRows: 1 });
  const table = Float32Array.from({ length: 12 }, (_, i) => i);
  const out = grid.apply(table);
  assert.equal(out.length, 10);
  assert.deepEqual([...out.subarray(0, 2), ...out.subarray(8)], [0, 1, 10, 11]);
});

test("positionIds follow the rules of RoBERTa, OPT and left padding", () => {
  const { positionIds } = posenc;
  const ids = Int32Array.of(0, 31, 32, 2, 1, 1);
  assert.deepEqual([...positionIds.roberta({ ids, paddingId: 1 })], [2, 3, 4, 5, 1, 1]);
  const mask = Uint8Array.of(0, 0, 1, 1, 1, 1, 1, 1);
  assert.deepEqual([...positionIds.opt({ mask, batch: 2, pastLength: 2 })], [2, 3, 4, 5]);
  assert.deepEqual([...positionIds.leftPadding({ mask, batch: 2 })], [1, 1, 0, 1, 0, 1, 2, 3]);
  assert.deepEqual([...positionIds.next(mask, 2)], [2, 4]);
});

/** Each encoding with a verb: [encoding, verb of an out, values]. */
const rows = Float32Array.of(1, 3, 7);
const line = { fromHeight: 2, toHeight: 3, dim: 1, mode: "linear" };
const boxRows = { xRows: rows, yRows: rows, heightRows: rows, widthRows: rows };
const boxes = Int32Array.of(0, 1, 2, 1);
const verbs = {
  learned: [posenc.learned({ rows, dim: 1, scale: 0.5 }), { length: 3 }],
  hierarchical: [posenc.hierarchical({ rows, dim: 1 }), { length: 9 }],
  multiscale: [posenc.multiscale({ levels: [{ dim: 2 }] }), [{ length: 3 }]],
  sincosGrid: [posenc.sincosGrid({ dim: 4 }), { height: 2, width: 2 }],
  detrSine: [posenc.detrSine({ numPosFeats: 2 }), { mask: new Uint8Array(2), height: 1, width: 2 }],
  layoutBoxes: [posenc.layoutBoxes({ dim: 1, ...boxRows }), { boxes }],
  interpolate: [posenc.interpolate(line), Float32Array.of(1, 0.2)],
};

/** The nearest bfloat16 of a float32, as its 16 bits. */
function bfloat16(value) {
  const [bits] = new Uint32Array(Float32Array.of(value).buffer);
  return (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16;
}

for (const [name, [encoding, places]] of Object.entries(verbs)) {
  const call = name === "interpolate" ? "apply" : "table";

  test(`${name} writes and reads 16-bit data, to arrays and to buffers`, () => {
    const exact = encoding[call](places);
    const values = new Uint16Array(exact.length);
    const out = { type: "bfloat16", values };
    assert.equal(encoding[call](places, out), out);
    assert.deepEqual([...values], Array.from(exact, bfloat16));
    const buffer = posenc.alloc(exact.length, "bfloat16");
    encoding[call](places, buffer);
    assert.deepEqual(buffer.view(), values);
    if (encoding.add) {
      const ones = { type: "bfloat16", values: values.map(() => bfloat16(1)) };
      encoding.add(ones, places);
      const sums = Array.from(exact, (value) => bfloat16(Math.fround(1 + value)));
      assert.deepEqual([...ones.values], sums);
    }
    buffer.dispose();
  });

  test(`${name} writes to a part of a buffer and copies nothing`, () => {
    const exact = encoding[call](places);
    const buffer = posenc.alloc(exact.length + 2);
    encoding[call](places, buffer.subarray(1, exact.length + 1));
    assert.deepEqual([...buffer.view()], [0, ...exact, 0]);
    buffer.dispose();
  });
}

test("trained tables may be 16-bit too, and stay the caller's when they are buffers", () => {
  const half = { type: "bfloat16", values: Uint16Array.from(rows, bfloat16) };
  const learned = posenc.learned({ rows: half, dim: 1 });
  assert.deepEqual([...learned.table({ length: 3 })], [1, 3, 7]);
  const sums = new Float32Array(3);
  learned.scatter({ type: "bfloat16", values: half.values }, { length: 3 }, sums);
  assert.deepEqual([...sums], [1, 3, 7]);
  const buffer = posenc.alloc(3, "bfloat16");
  buffer.view().set(half.values);
  const layout = posenc.layoutBoxes({ ...boxRows, dim: 1, xRows: buffer });
  assert.deepEqual([...layout.table({ boxes })], [1 + 3 + 7 + 3 + 1 + 7]);
  layout.dispose();
  assert.equal(buffer.disposed, false);
  buffer.dispose();
});

test("what is made and disposed of leaves no memory behind", () => {
  const large = new Float32Array(1 << 20);
  const small = new Float32Array(1);
  const tables = { xRows: small, yRows: small, heightRows: small, widthRows: small };
  for (let i = 0; i < 2000; ++i) {
    posenc.hierarchical({ rows: large, dim: 1 }).dispose();
    posenc.learned({ rows: large, dim: 1 }).dispose();
    assert.throws(() => posenc.hierarchical({ rows: large, dim: 1, alpha: 1 }));
    assert.throws(() => posenc.learned({ rows: large, dim: 1, scale: Infinity }));
    if (i % 8 > 0) continue;
    posenc.layoutBoxes({ dim: 1, ...tables, positionRows: large }).dispose();
    assert.throws(() => posenc.layoutBoxes({ dim: 1, ...tables, xRows: large, yRows: [] }));
    assert.throws(() => posenc.layoutBoxes({ dim: 3, ...tables, xRows: large }));
  }
});
