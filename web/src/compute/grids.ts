import type { Curve, Picture } from "../types";
import { dot } from "./additive";
import type { Job } from "./job";
import { requireCell, requireCells, requireValues } from "./limits";

/** Rows of a table for the cells of a grid, row by row, and the cell that others are compared with. */
interface GridRows {
  readonly dim: number;
  readonly height: number;
  readonly width: number;
  readonly row: number;
  readonly column: number;
}

/** What is too much to draw, or not there. */
export function requireGrid({ height, width, dim, row, column }: GridRows): void {
  requireCell(row, height, column, width);
  requireCells(height, width);
  requireValues("height", "the table", [height, width, dim]);
}

/** The rows themselves [height * width, dim]. */
export function gridTable(values: Float32Array, { height, width, dim }: GridRows): Picture {
  requireCells(height * width, dim);
  return {
    rows: { label: "cell, row by row", first: 0, count: height * width },
    columns: { label: "dimension", first: 0, count: dim },
    values,
    scale: "diverging",
    quantity: "value",
  };
}

/** The dot product of the chosen cell's row with that of every cell; masked where there is none. */
export async function gridSimilarity(
  job: Job,
  table: Float32Array,
  { height, width, dim, row, column }: GridRows,
  exists: (row: number, column: number) => boolean = () => true,
): Promise<Picture> {
  const values = new Float32Array(height * width);
  const chosen = row * width + column;
  await job.slices(height * width, (first, size) => {
    for (let cell = first; cell < first + size; cell += 1) {
      const there = exists(Math.floor(cell / width), cell % width);
      values[cell] = there ? dot(table, table, dim, chosen, cell) : Number.NEGATIVE_INFINITY;
    }
  });
  return {
    rows: { label: "row (y)", first: 0, count: height },
    columns: { label: "column (x)", first: 0, count: width },
    values,
    scale: "sequential",
    quantity: `dot product with cell (${row}, ${column})`,
  };
}

/** The chosen cell's row of a picture of similarities, as far as there are cells. */
export function similarityCurve(alike: Picture, row: number, count: number): Curve {
  const width = alike.columns.count;
  const values = alike.values.slice(row * width, row * width + count);
  return {
    title: "Score along the row",
    x: { label: "column (x)", first: 0, count },
    quantity: `dot product of the chosen cell with the cells of row ${row}`,
    lines: [{ label: "dot product", values, main: true }],
  };
}
