import type { PosencAll } from "posenc";
import type { InterpolateSettings } from "../settings/interpolate";
import type { Curve, Picture, Result } from "../types";
import type { Job } from "./job";
import { requireCells, requireDimension, requireValues } from "./limits";
import { randomTable } from "./random";
import type { Grid } from "./windows";

export async function interpolate(
  posenc: PosencAll,
  job: Job,
  view: string,
  settings: InterpolateSettings,
): Promise<Result> {
  const { fromHeight, fromWidth, toHeight, toWidth, dim, dimension } = settings;
  const { mode, antialias, alignCorners, sizeOffset } = settings;
  requireValues("fromHeight", "the old table", [fromHeight, fromWidth, dim]);
  requireValues("toHeight", "the new table", [toHeight, toWidth, dim]);
  const sizes = { fromHeight, fromWidth, toHeight, toWidth, dim };
  const encoding = posenc.interpolate({ ...sizes, mode, antialias, alignCorners, sizeOffset });
  try {
    requireDimension(dimension, dim);
    let before: Float32Array = new Float32Array();
    let after: Float32Array = new Float32Array();
    await job.slices(1, () => {
      before = tableOf(posenc, settings);
      after = encoding.apply(before);
    });
    const old = { height: fromHeight, width: fromWidth };
    const resized = { height: toHeight, width: toWidth };
    const [values, grid] =
      view === "before" ? ([before, old] as const) : ([after, resized] as const);
    const isSequence = fromWidth === 1 && toWidth === 1;
    const picture = isSequence ? rowsOf(values, grid, dim) : gridOf(values, grid, settings);
    return { picture, curve: curveOf(values, grid, settings), facts: {} };
  } finally {
    encoding.dispose();
  }
}

/** The old table: sinusoids of the grid or the sequence, or random numbers. */
function tableOf(posenc: PosencAll, settings: InterpolateSettings): Float32Array {
  const { fromHeight: height, fromWidth: width, dim, table, seed } = settings;
  if (table === "random") return randomTable(height * width * dim, seed, 1);
  if (width === 1) {
    const encoding = posenc.sinusoidal({ dim });
    try {
      return encoding.table({ length: height });
    } finally {
      encoding.dispose();
    }
  }
  const encoding = posenc.sincosGrid({ dim });
  try {
    return encoding.table({ height, width });
  } finally {
    encoding.dispose();
  }
}

/** A whole table of a sequence. */
function rowsOf(values: Float32Array, { height }: Grid, dim: number): Picture {
  requireCells(height, dim);
  return {
    rows: { label: "position", first: 0, count: height },
    columns: { label: "dimension", first: 0, count: dim },
    values: values.slice(),
    scale: "diverging",
    quantity: "value",
  };
}

/** One column of a grid's table, over the grid. */
function gridOf(
  values: Float32Array,
  { height, width }: Grid,
  { dim, dimension }: InterpolateSettings,
): Picture {
  requireCells(height, width);
  return {
    rows: { label: "row (y)", first: 0, count: height },
    columns: { label: "column (x)", first: 0, count: width },
    values: Float32Array.from(
      { length: height * width },
      (_, i) => values[i * dim + dimension] ?? 0,
    ),
    scale: "diverging",
    quantity: `dimension ${dimension}`,
  };
}

/** The column along a sequence, or down the middle of a grid. */
function curveOf(
  values: Float32Array,
  { height, width }: Grid,
  { dim, dimension }: InterpolateSettings,
): Curve {
  const column = width >> 1;
  const line = Float32Array.from(
    { length: height },
    (_, y) => values[(y * width + column) * dim + dimension] ?? 0,
  );
  const where = width === 1 ? "along the sequence" : `down column ${column}`;
  return {
    title: width === 1 ? "Along the sequence" : "Down the middle",
    x: { label: width === 1 ? "position" : "row (y)", first: 0, count: height },
    quantity: `dimension ${dimension}, ${where}`,
    lines: [{ label: "value", values: line, main: true }],
  };
}
