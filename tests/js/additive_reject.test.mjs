// What the encodings of posenc/all that are added by position must refuse, and interpolation and
// position ids; and what every additive encoding does once it is disposed of. Those of grids and of
// boxes on a page: grids_reject.test.mjs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/all";
import { refuses } from "./refusals.mjs";

const posenc = await load();
const rows = Float32Array.of(1, 2, 3, 4);
const learned = posenc.learned({ rows, dim: 2, paddingRow: 0 });
const hierarchical = posenc.hierarchical({ rows, dim: 2 });
const multiscale = posenc.multiscale({ levels: [{ dim: 2 }, { dim: 4 }] });
const line = { fromHeight: 2, toHeight: 3, dim: 1 };
const interpolate = posenc.interpolate(line);
const { positionIds } = posenc;
const shared = new Float32Array(16);
const mask = new Uint8Array(6);
const box = Int32Array.of(0, 0, 1, 1);
const buffer = posenc.alloc(4);
const over = posenc.hierarchical({ rows: buffer, dim: 2 });
const gone = posenc.alloc(4);
const overGone = posenc.hierarchical({ rows: gone, dim: 2 });
gone.dispose();

const calls = {
  "two timescales without the larger": [
    () => posenc.sinusoidal({ dim: 4, minTimescale: 2 }),
    "VALUE_RANGE",
    "minTimescale",
    "sinusoidal: min_timescale needs a max_timescale, got none",
  ],
  "a learned config that is none": [() => posenc.learned(null), "TYPE", "config"],
  "a learned option that does not exist": [
    () => posenc.learned({ rows, dim: 2, padding: 0 }),
    "TYPE",
    "padding",
    'there is no option "padding"; there are rows, dim, rowOffset, scale, paddingRow',
  ],
  "a scale that is NaN": [
    () => posenc.learned({ rows, dim: 2, scale: NaN }),
    "VALUE_RANGE",
    "scale",
    "learned: scale must be",
  ],
  "a padding row beyond the table": [
    () => posenc.learned({ rows, dim: 2, paddingRow: 2 }),
    "VALUE_RANGE",
    "paddingRow",
    "learned: padding_row must be 0 to rows - 1 = 1, got 2",
  ],
  "a padding row between two": [
    () => posenc.learned({ rows, dim: 2, paddingRow: 0.5 }),
    "VALUE_RANGE",
    "paddingRow",
    "got 0.5",
  ],
  "a gradient of another length": [
    () => learned.scatter(shared, { length: 2 }, new Float32Array(4)),
    "SHAPE",
    "gradient",
    "learned: gradient must have positions * dim = 2 * 2 = 4 elements, got 16",
  ],
  "a gradient of rows that are fewer": [
    () => learned.scatter(new Float32Array(4), { length: 2 }, new Float32Array(2)),
    "SHAPE",
    "rowsGradient",
  ],
  "a gradient that is its own sum": [
    () => learned.scatter(shared.subarray(0, 4), { length: 2 }, shared.subarray(2, 6)),
    "OVERLAP",
    "rowsGradient",
    "learned: rows_gradient overlaps another buffer",
  ],
  "sums in 16 bits": [
    () =>
      learned.scatter(
        new Float32Array(4),
        { length: 2 },
        { type: "float16", values: new Uint16Array(4) },
      ),
    "TYPE",
    "rowsGradient",
    "a Float32Array",
  ],
  "a position beyond the square": [
    () => hierarchical.table({ positions: [4] }),
    "POSITION_RANGE",
    "positions",
    "hierarchical: position 4 has no row: 2 rows reach 0 to 3",
  ],
  "a position between two rows": [
    () => hierarchical.table({ positions: [0.5] }),
    "POSITION_RANGE",
    "positions",
    "0.5",
  ],
  "rows that are no multiple": [() => posenc.hierarchical({ rows, dim: 3 }), "SHAPE", "rows"],
  "all weight on the coarse position": [
    () => posenc.hierarchical({ rows, dim: 2, alpha: 1 }),
    "VALUE_RANGE",
    "alpha",
  ],
  "rows of doubles": [
    () => posenc.hierarchical({ rows: new Float64Array(4), dim: 2 }),
    "TYPE",
    "rows",
    "Float64Array",
  ],
  "an output over the trained rows": [() => over.table({ length: 2 }, buffer), "OVERLAP", "out"],
  "rows that were disposed": [
    () => overGone.table({ length: 1 }),
    "DISPOSED",
    "rows",
    "hierarchical: rows was disposed",
  ],
  "no levels": [
    () => posenc.multiscale({ levels: [] }),
    "VALUE_RANGE",
    "levels",
    "multiscale: levels must be 1 to 16, got 0",
  ],
  "levels that are none": [() => posenc.multiscale({ levels: { dim: 2 } }), "TYPE", "levels"],
  "a level that is a number": [() => posenc.multiscale({ levels: [2] }), "TYPE", "levels"],
  "a level of an odd width": [() => posenc.multiscale({ levels: [{ dim: 3 }] }), "VALUE_RANGE"],
  "levels of different widths in a sum": [
    () => posenc.multiscale({ levels: [{ dim: 2 }, { dim: 4 }], combine: "sum" }),
    "VALUE_RANGE",
  ],
  "too few lists of positions": [
    () => multiscale.table([{ length: 2 }]),
    "SHAPE",
    "positions",
    "multiscale: positions must have levels = 2 = 2 elements, got 1",
  ],
  "lists of different lengths": [
    () => multiscale.table([{ length: 2 }, { length: 3 }]),
    "SHAPE",
    "positions",
  ],
  "positions that are no list": [() => multiscale.table({ length: 2 }), "TYPE", "positions"],
  "both ways to treat edges": [
    () => posenc.interpolate({ ...line, antialias: true, alignCorners: true }),
    "VALUE_RANGE",
    "antialias",
    "interpolate: antialias must not be given with align_corners",
  ],
  "a flag that is a number": [
    () => posenc.interpolate({ ...line, antialias: 1 }),
    "TYPE",
    "antialias",
  ],
  "a size offset that is NaN": [
    () => posenc.interpolate({ ...line, sizeOffset: NaN }),
    "VALUE_RANGE",
    "sizeOffset",
  ],
  "a table of another length": [
    () => interpolate.apply(new Float32Array(3)),
    "SHAPE",
    "table",
    "got 3",
  ],
  "a table that is its own output": [
    () => interpolate.apply(shared.subarray(0, 2), shared.subarray(1, 4)),
    "OVERLAP",
    "out",
    "interpolate: out overlaps another buffer",
  ],
  "more past than there is": [
    () => positionIds.opt({ mask, batch: 2, pastLength: 5 }),
    "VALUE_RANGE",
    "pastLength",
    "opt_positions: past_length must be 0 to the mask's 3 tokens, got 5",
  ],
  "a batch that does not divide": [() => positionIds.next(mask, 4), "SHAPE", "mask"],
  "no batch": [() => positionIds.leftPadding({ mask, batch: 0 }), "VALUE_RANGE", "batch"],
  "ids of plain numbers": [
    () => positionIds.roberta({ ids: [5], paddingId: 1 }),
    "TYPE",
    "ids",
    "roberta_positions: ids must be an Int32Array, got Array",
  ],
  "no padding id": [() => positionIds.roberta({ ids: box }), "TYPE", "paddingId"],
};

const next = () => {
  assert.deepEqual([...learned.table({ length: 1 })], [1, 2]);
  assert.deepEqual([...hierarchical.table({ length: 1 })], [1, 2]);
  assert.equal(multiscale.table([{ length: 2 }, { length: 2 }]).length, 12);
  assert.deepEqual([...positionIds.next(Uint8Array.of(1, 1, 0))], [2]);
};

refuses(calls, next);

test("what was disposed is refused by every verb, as often as it is disposed", () => {
  const tables = { xRows: rows, yRows: rows, heightRows: rows, widthRows: rows };
  const verbs = {
    learned: [posenc.learned({ rows, dim: 2 }), { length: 1 }],
    hierarchical: [posenc.hierarchical({ rows, dim: 2 }), { length: 1 }],
    multiscale: [posenc.multiscale({ levels: [{ dim: 2 }] }), [{ length: 1 }]],
    sincos_grid: [posenc.sincosGrid({ dim: 4 }), { height: 1, width: 1 }],
    detr_sine: [posenc.detrSine(), { mask, height: 2, width: 3 }],
    layout_boxes: [posenc.layoutBoxes({ dim: 2, ...tables }), { boxes: box }],
    interpolate: [posenc.interpolate(line), rows.subarray(0, 2)],
  };
  for (const [name, [encoding, places]] of Object.entries(verbs)) {
    const gone = { code: "DISPOSED", message: `${name}: this encoding was disposed` };
    encoding.dispose();
    encoding.dispose();
    assert.equal(encoding.disposed, true);
    if (name === "interpolate") assert.throws(() => encoding.apply(places), gone);
    else assert.throws(() => encoding.table(places), gone);
    if (encoding.add) assert.throws(() => encoding.add(new Float32Array(2), places), gone);
    if (encoding.scatter) assert.throws(() => encoding.scatter(rows, places, rows), gone);
  }
  next();
});
