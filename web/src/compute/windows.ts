import type { ColourScale, Curve, Picture } from "../types";
import { headLines, headOf } from "./bias";
import { requireCell, requireCells } from "./limits";

/** Cells of a window or an image, row by row. */
export interface Grid {
  readonly height: number;
  readonly width: number;
}

/** A bias between the cells of two grids, and which part of it is shown. */
export interface WindowBias {
  /** [heads, query cells, key cells] */
  readonly values: Float32Array;
  readonly heads: number;
  readonly head: number;
  readonly queries: Grid;
  readonly keys: Grid;
  /** The chosen query cell. */
  readonly row: number;
  readonly column: number;
  readonly scale: ColourScale;
  readonly quantity: string;
}

export const cellsOf = ({ height, width }: Grid) => height * width;

/** The bias of the chosen query cell over the grid of keys, or (view "cells") of all of them. */
export function windowPicture(view: string, bias: WindowBias): Picture {
  const { values, head, queries, keys, row, column, scale, quantity } = bias;
  requireCell(row, queries.height, column, queries.width);
  const [from, to] = [cellsOf(queries), cellsOf(keys)];
  if (view === "cells") {
    requireCells(from, to);
    const matrix = headOf(values, head, from * to);
    return { ...cellAxes(queries, keys), values: matrix, scale, quantity };
  }
  const at = (head * from + row * queries.width + column) * to;
  return {
    rows: { label: "key row (y)", first: 0, count: keys.height },
    columns: { label: "key column (x)", first: 0, count: keys.width },
    values: values.slice(at, at + to),
    scale,
    quantity,
  };
}

/** The axes of a picture of all query cells by all key cells. */
export function cellAxes(queries: Grid, keys: Grid) {
  return {
    rows: { label: "query cell, row by row", first: 0, count: cellsOf(queries) },
    columns: { label: "key cell, row by row", first: 0, count: cellsOf(keys) },
  };
}

/** The bias of every head from the chosen cell to the row of keys that it lies in. */
export function alongTheRow(bias: WindowBias): Curve {
  const { values, heads, head, queries, keys, row, column, quantity } = bias;
  const [from, to] = [cellsOf(queries), cellsOf(keys)];
  const keyRow = Math.floor((row * keys.height) / queries.height);
  const lines = new Float32Array(heads * keys.width);
  for (let h = 0; h < heads; h += 1) {
    const at = (h * from + row * queries.width + column) * to + keyRow * keys.width;
    lines.set(values.subarray(at, at + keys.width), h * keys.width);
  }
  return {
    title: "Along the row",
    x: { label: "key column (x)", first: 0, count: keys.width },
    quantity: `${quantity} from cell (${row}, ${column}) to the keys of row ${keyRow}`,
    lines: headLines(lines, heads, head),
  };
}
