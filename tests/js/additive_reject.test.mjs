// What the additive encodings of posenc/all, interpolation and position ids must refuse: with a code,
// the JavaScript name of what it is about and a sentence, and with the next call working.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, PosencError } from "posenc/all";

const posenc = await load();
const rows = Float32Array.of(1, 2, 3, 4);
const learned = posenc.learned({ rows, dim: 2, paddingRow: 0 });
const hierarchical = posenc.hierarchical({ rows, dim: 2 });
const multiscale = posenc.multiscale({ levels: [{ dim: 2 }, { dim: 4 }] });
const grid = posenc.sincosGrid({ dim: 4, prefixRows: 1 });
const detr = posenc.detrSine({ numPosFeats: 2 });
const tables = { xRows: rows, yRows: rows, heightRows: rows, widthRows: rows };
const layout = posenc.layoutBoxes({ dim: 2, ...tables });
const line = { fromHeight: 2, toHeight: 3, dim: 1 };
const interpolate = posenc.interpolate(line);
const { positionIds } = posenc;
const shared = new Float32Array(16);
const mask = new Uint8Array(6);
const box = Int32Array.of(0, 0, 1, 1);
const buffer = posenc.alloc(4);
const over = posenc.hierarchical({ rows: buffer, dim: 2 });
const overBoxes = posenc.layoutBoxes({ dim: 2, ...tables, widthRows: buffer });
const gone = posenc.alloc(4);
const overGone = [
  posenc.hierarchical({ rows: gone, dim: 2 }),
  posenc.layoutBoxes({ dim: 2, ...tables, yRows: gone }),
];
gone.dispose();

/** what: [call, code, field, message or a part of it] */
const refused = {
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
    () => overGone[0].table({ length: 1 }),
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
  "a grid of the third dimension": [
    () => grid.table({ height: 2, width: 3, depth: 2 }),
    "VALUE_RANGE",
    "depth",
    "sincos_grid: depth must be 1 for an encoding of 2 axes, got 2",
  ],
  "a width that the axes cannot share": [() => posenc.sincosGrid({ dim: 6 }), "VALUE_RANGE", "dim"],
  "a base that is NaN": [() => posenc.sincosGrid({ dim: 4, base: NaN }), "VALUE_RANGE", "base"],
  "a step that is NaN": [() => grid.table({ height: 1, width: 1, stepX: NaN }), "POSITION_RANGE"],
  "half a row of cells": [() => grid.table({ height: 0.5, width: 1 }), "VALUE_RANGE", "height"],
  "cells that are none": [() => grid.table(null), "TYPE", "cells"],
  "a grid and coordinates at once": [
    () => grid.table({ height: 1, width: 1, coordinates: [0, 0] }),
    "TYPE",
    "height",
  ],
  "half a cell": [() => grid.table({ coordinates: [0, 1, 2] }), "SHAPE", "coordinates"],
  "coordinates that are floats": [
    () => grid.table({ coordinates: new Float32Array(2) }),
    "TYPE",
    "coordinates",
  ],
  "a coordinate that is NaN": [
    () => grid.table({ coordinates: [0, NaN] }),
    "POSITION_RANGE",
    "coordinates",
  ],
  "more cells than memory": [
    () => grid.table({ height: 2 ** 20, width: 2 ** 20 }),
    "SIZE_LIMIT",
    "out",
  ],
  "rows without the prefix": [
    () => grid.add(new Float32Array(8), { height: 1, width: 2 }),
    "SHAPE",
    "x",
  ],
  "an odd number of columns": [() => posenc.detrSine({ numPosFeats: 3 }), "VALUE_RANGE"],
  "a mask of another shape": [
    () => detr.table({ mask, height: 2, width: 2 }, new Float32Array(16)),
    "SHAPE",
    "mask",
    "detr_sine: mask must have batch * height * width = 1 * 2 * 2 = 4 elements, got 6",
  ],
  "a mask of numbers": [() => detr.table({ mask: [1], height: 1, width: 1 }), "TYPE", "mask"],
  "a box beyond the table": [
    () => layout.table({ boxes: Int32Array.of(0, 0, 2, 1) }),
    "POSITION_RANGE",
    "boxes",
    "layout_boxes: x1 of token 0 must be 0 to 1, the rows of its table, got 2",
  ],
  "a box that is inside out": [
    () => layout.table({ boxes: Int32Array.of(1, 0, 0, 1) }),
    "POSITION_RANGE",
    "boxes",
  ],
  "three quarters of a box": [
    () => layout.table({ boxes: Int32Array.of(0, 0, 1) }, new Float32Array(2)),
    "SHAPE",
    "boxes",
  ],
  "boxes of plain numbers": [
    () => layout.table({ boxes: [0, 0, 1, 1] }),
    "TYPE",
    "boxes",
    "layout_boxes: boxes must be an Int32Array, got Array",
  ],
  "positions for no table": [
    () => layout.table({ boxes: box, positions: { length: 1 } }),
    "SHAPE",
    "positions",
  ],
  "a missing table": [
    () => posenc.layoutBoxes({ dim: 2, ...tables, heightRows: undefined }),
    "TYPE",
    "heightRows",
  ],
  "a table of another width": [
    () => posenc.layoutBoxes({ dim: 2, ...tables, yRows: new Float32Array(3) }),
    "SHAPE",
    "yRows",
  ],
  "an output over one of the tables": [
    () => overBoxes.table({ boxes: box }, buffer.subarray(0, 2)),
    "OVERLAP",
    "out",
  ],
  "a table that was disposed": [
    () => overGone[1].table({ boxes: box }),
    "DISPOSED",
    "yRows",
    "layout_boxes: y_rows was disposed",
  ],
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
  assert.equal(grid.table({ height: 1, width: 2 }).length, 12);
  assert.deepEqual([...positionIds.next(Uint8Array.of(1, 1, 0))], [2]);
};

for (const [what, [call, code, field, message]] of Object.entries(refused)) {
  test(`${what} is refused, and the next call works`, () => {
    assert.throws(call, (error) => {
      assert.ok(error instanceof PosencError, String(error));
      assert.equal(error.code, code, error.message);
      if (field !== undefined) assert.equal(error.field, field, error.message);
      if (message !== undefined) assert.ok(error.message.includes(message), error.message);
      return true;
    });
    next();
  });
}

test("what was disposed is refused by every verb, as often as it is disposed", () => {
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
