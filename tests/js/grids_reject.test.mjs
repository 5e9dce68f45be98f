// What the encodings of grids, masks and boxes in posenc/all must refuse.
import assert from "node:assert/strict";
import { load } from "posenc/all";
import { refuses } from "./refusals.mjs";

const posenc = await load();
const grid = posenc.sincosGrid({ dim: 4, prefixRows: 1 });
const detr = posenc.detrSine({ numPosFeats: 2 });
const rows = Float32Array.of(1, 2, 3, 4);
const tables = { xRows: rows, yRows: rows, heightRows: rows, widthRows: rows };
const layout = posenc.layoutBoxes({ dim: 2, ...tables });
const mask = new Uint8Array(6);
const box = Int32Array.of(0, 0, 1, 1);
const buffer = posenc.alloc(4);
const overBoxes = posenc.layoutBoxes({ dim: 2, ...tables, widthRows: buffer });
const gone = posenc.alloc(4);
const overGone = posenc.layoutBoxes({ dim: 2, ...tables, yRows: gone });
gone.dispose();

const calls = {
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
    () => overGone.table({ boxes: box }),
    "DISPOSED",
    "yRows",
    "layout_boxes: y_rows was disposed",
  ],
};

refuses(calls, () => {
  assert.equal(grid.table({ height: 1, width: 2 }).length, 12);
  assert.equal(detr.table({ mask, height: 2, width: 3 }).length, 24);
  assert.deepEqual([...layout.table({ boxes: box })], [14, 20]);
});
