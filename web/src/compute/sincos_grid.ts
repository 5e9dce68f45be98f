import type { PosencAll } from "posenc";
import type { SincosGridSettings } from "../settings/sincos_grid";
import type { Curve, Picture, Result } from "../types";
import type { Job } from "./job";
import { requireCell, requireCells, requireValues } from "./limits";

export async function sincosGrid(
  posenc: PosencAll,
  job: Job,
  view: string,
  settings: SincosGridSettings,
): Promise<Result> {
  const { dim, base, layout, axisOrder, height, width } = settings;
  requireTable(settings);
  const encoding = posenc.sincosGrid({ dim, base, layout, axisOrder });
  try {
    let table = new Float32Array();
    await job.slices(1, () => {
      table = encoding.table({ height, width });
    });
    const alike = await similarity(job, table, settings);
    return {
      picture: view === "table" ? tableOf(table, settings) : alike,
      curve: alongTheRow(alike, settings),
      facts: {},
    };
  } finally {
    encoding.dispose();
  }
}

function requireTable({ height, width, dim, row, column }: SincosGridSettings): void {
  requireCell(row, height, column, width);
  requireCells(height, width);
  requireValues("height", "the table", [height, width, dim]);
}

function tableOf(values: Float32Array, { height, width, dim }: SincosGridSettings): Picture {
  requireCells(height * width, dim);
  return {
    rows: { label: "cell, row by row", first: 0, count: height * width },
    columns: { label: "dimension", first: 0, count: dim },
    values,
    scale: "diverging",
    quantity: "value",
  };
}

/** The dot product of the chosen cell's row with that of every cell. */
async function similarity(
  job: Job,
  table: Float32Array,
  { height, width, dim, row, column }: SincosGridSettings,
): Promise<Picture> {
  const values = new Float32Array(height * width);
  const at = (row * width + column) * dim;
  const chosen = table.subarray(at, at + dim);
  await job.slices(height * width, (first, size) => {
    for (let cell = first; cell < first + size; cell += 1) {
      let sum = 0;
      for (let c = 0; c < dim; c += 1) sum += (chosen[c] ?? 0) * (table[cell * dim + c] ?? 0);
      values[cell] = sum;
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

function alongTheRow(alike: Picture, { width, row }: SincosGridSettings): Curve {
  return {
    title: "Score along the row",
    x: { label: "column (x)", first: 0, count: width },
    quantity: `dot product of the chosen cell with the cells of row ${row}`,
    lines: [
      {
        label: "dot product",
        values: alike.values.slice(row * width, (row + 1) * width),
        main: true,
      },
    ],
  };
}
