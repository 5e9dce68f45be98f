// The additive encodings beside sinusoidal and learned, interpolation and position ids: that every
// option reaches the library, that errors name their argument, and that memory comes back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc";

const posenc = await load();

function close(actual, expected) {
  assert.equal(actual.length, expected.length);
  for (const [i, value] of expected.entries()) {
    assert.ok(Math.abs(actual[i] - value) < 1e-6, `value ${i} is ${actual[i]}, not ${value}`);
  }
}

const refuses = (call, code, field, message) =>
  assert.throws(call, { name: "PosencError", code, field, message });

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
  const message = "sinusoidal: min_timescale needs a max_timescale, got none";
  refuses(
    () => posenc.sinusoidal({ dim: 4, minTimescale: 2 }),
    "VALUE_RANGE",
    "minTimescale",
    message,
  );
});

test("learned scatters gradients, scaled, past the padding row", () => {
  const rows = Float32Array.of(1, 2, 3, 4, 5, 6);
  const learned = posenc.learned({ rows, dim: 2, scale: 0.5, paddingRow: 0 });
  assert.deepEqual([...learned.table({ offset: 1, length: 1 })], [1.5, 2]);
  const sums = new Float32Array(6);
  const gradient = Float32Array.of(2, 4, 6, 8, 1, 1);
  assert.equal(learned.scatter(gradient, { positions: [2, 0, 2] }, sums), sums);
  assert.deepEqual([...sums], [0, 0, 0, 0, 1.5, 2.5]);
});

test("hierarchical reaches the square of its rows", () => {
  const rows = Float32Array.of(1, 3, 7);
  const hierarchical = posenc.hierarchical({ rows, dim: 1, alpha: 0.5 });
  assert.equal(hierarchical.maxPositions, 9);
  assert.deepEqual([...hierarchical.table({ positions: [0, 2, 3, 8] })], [1, 7, 3, 13]);
  const x = Float32Array.of(10);
  assert.deepEqual([...hierarchical.add(x, { offset: 8, length: 1 })], [23]);
  refuses(
    () => hierarchical.table({ positions: [9] }),
    "POSITION_RANGE",
    "positions",
    "hierarchical: position 9 has no row: 3 rows reach 0 to 8",
  );
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
  refuses(
    () => side.table([{ length: 2 }]),
    "SHAPE",
    "positions",
    "multiscale: positions must have levels = 2 = 2 elements, got 1",
  );
  refuses(
    () => posenc.multiscale({ levels: [] }),
    "VALUE_RANGE",
    "levels",
    "multiscale: levels must be 1 to 16, got 0",
  );
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
  refuses(
    () => mae.table({ height: 2, width: 3, depth: 2 }),
    "VALUE_RANGE",
    "depth",
    "sincos_grid: depth must be 1 for an encoding of 2 axes, got 2",
  );
});

test("detrSine counts the real pixels of a mask", () => {
  const detr = posenc.detrSine({ numPosFeats: 2, order: "channels_last" });
  const mask = Uint8Array.of(0, 1, 1);
  const { cos, sin } = Math;
  const table = detr.table({ mask, height: 1, width: 3 });
  close(table.subarray(8), [sin(1), cos(1), sin(2), cos(2)]);
  close(detr.add(new Float32Array(12), { mask, height: 1, width: 3 }), [...table]);
  refuses(
    () => detr.table({ mask, height: 2, width: 3 }, new Float32Array(12)),
    "SHAPE",
    "mask",
    "detr_sine: mask must have batch * height * width = 1 * 2 * 3 = 6 elements, got 3",
  );
});

test("layoutBoxes sums the tables of a box", () => {
  const rows = Float32Array.of(1, 10, 100);
  const tables = { xRows: rows, yRows: rows, heightRows: rows, widthRows: rows };
  const boxes = posenc.layoutBoxes({ dim: 1, ...tables, positionRows: Float32Array.of(0.5) });
  const box = Int32Array.of(0, 0, 2, 1);
  const at = { offset: 0, length: 1 };
  assert.deepEqual([...boxes.table(box, at)], [0.5 + 1 + 1 + 100 + 10 + 10 + 100]);
  assert.deepEqual([...boxes.add(Float32Array.of(1), box, at)], [223.5]);
  refuses(
    () => boxes.table(Int32Array.of(0, 0, 3, 1), at),
    "POSITION_RANGE",
    "boxes",
    "layout_boxes: x1 of token 0 must be 0 to 2, the rows of its table, got 3",
  );
  boxes.dispose();
  assert.throws(() => boxes.table(box, at), { code: "DISPOSED" });
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
  refuses(
    () => grid.apply(table, table.subarray(0, 10)),
    "OVERLAP",
    "out",
    "interpolate: out overlaps another buffer",
  );
  refuses(
    () => posenc.interpolate({ ...line, antialias: true }),
    "VALUE_RANGE",
    "antialias",
    "interpolate: antialias must not be given with align_corners",
  );
});

test("positionIds follow the rules of RoBERTa, OPT and left padding", () => {
  const { positionIds } = posenc;
  const ids = Int32Array.of(0, 31, 32, 2, 1, 1);
  assert.deepEqual([...positionIds.roberta({ ids, paddingId: 1 })], [2, 3, 4, 5, 1, 1]);
  const mask = Uint8Array.of(0, 0, 1, 1, 1, 1, 1, 1);
  assert.deepEqual([...positionIds.opt({ mask, batch: 2, pastLength: 2 })], [2, 3, 4, 5]);
  assert.deepEqual([...positionIds.leftPadding({ mask, batch: 2 })], [1, 1, 0, 1, 0, 1, 2, 3]);
  assert.deepEqual([...positionIds.next(mask, 2)], [2, 4]);
  refuses(
    () => positionIds.opt({ mask, batch: 2, pastLength: 5 }),
    "VALUE_RANGE",
    "pastLength",
    "opt_positions: past_length must be 0 to the mask's 4 tokens, got 5",
  );
  assert.throws(() => positionIds.leftPadding({ mask: [1, 0] }), { code: "TYPE", field: "mask" });
});

test("what is made and disposed of leaves no memory behind", () => {
  const rows = new Float32Array(1 << 20);
  for (let i = 0; i < 2000; ++i) posenc.hierarchical({ rows, dim: 1 }).dispose();
});
