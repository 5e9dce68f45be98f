import type { Posenc } from "posenc";
import type { Shown } from "../settings/shared";
import type { Curve, Facts, Picture, Result } from "../types";
import { weights } from "./attention";
import type { Job } from "./job";
import { requireAttentionLength, requireCells, requireShown } from "./limits";

/** What the additive encodings have in common: rows of a table by position. */
export interface TableSource {
  table(positions: { readonly offset: number; readonly length: number }): Float32Array;
  /** How many positions have a row, where that is limited. */
  readonly maxPositions?: number;
  dispose(): void;
}

interface Rows {
  readonly dim: number;
  readonly offset: number;
  readonly length: number;
}

/** The picture of the rows, or of the attention that they alone make, and how alike rows are. */
export async function tableResult(
  posenc: Posenc,
  job: Job,
  view: string,
  settings: Shown & { readonly dim: number; readonly causal: boolean },
  make: () => TableSource,
): Promise<Result> {
  requireShown(settings);
  const source = make();
  try {
    const { dim, offset, curveLength } = settings;
    const { maxPositions = Number.POSITIVE_INFINITY } = source;
    const picture = await (view === "attention"
      ? tableAttention(posenc, job, source, settings)
      : tablePicture(job, source, settings));
    const reach = Math.max(1, Math.min(curveLength, maxPositions - offset));
    const curve = await tableCurve(job, source, { dim, offset, length: reach });
    return { picture, curve, facts: limitsOf(source) };
  } finally {
    source.dispose();
  }
}

/** How many positions there are, and the library's own words about the first one without a row. */
function limitsOf(source: TableSource): Facts {
  const { maxPositions } = source;
  if (maxPositions === undefined) return {};
  try {
    source.table({ offset: maxPositions, length: 1 });
  } catch (error) {
    if (error instanceof Error) return { maxPositions, pastTheEnd: error.message };
  }
  return { maxPositions, pastTheEnd: "" };
}

/** The table itself [length, dim]. */
async function tablePicture(
  job: Job,
  source: TableSource,
  { dim, offset, length }: Rows,
): Promise<Picture> {
  requireCells(length, dim);
  const values = new Float32Array(length * dim);
  await job.slices(length, (first, size) => {
    values.set(source.table({ offset: offset + first, length: size }), first * dim);
  });
  return {
    rows: { label: "position", first: offset, count: length },
    columns: { label: "dimension", first: 0, count: dim },
    values,
    scale: "diverging",
    quantity: "value",
  };
}

/** Attention of tokens that are nothing but their rows: queries and keys are the table's rows. */
async function tableAttention(
  posenc: Posenc,
  job: Job,
  source: TableSource,
  { dim, offset, length, causal }: Rows & { readonly causal: boolean },
): Promise<Picture> {
  requireAttentionLength(length);
  const rows = source.table({ offset, length });
  const content = { queries: rows, keys: rows, headDim: dim };
  return weights(posenc, job, { offset, length, causal, content });
}

/** The dot product of row `offset` with the rows at distances 0 .. count - 1 after it. */
async function tableCurve(
  job: Job,
  source: TableSource,
  { dim, offset, length: count }: Rows,
): Promise<Curve> {
  const values = new Float32Array(count);
  const row = source.table({ offset, length: 1 });
  await job.slices(count, (first, size) => {
    const rows = source.table({ offset: offset + first, length: size });
    for (let i = 0; i < size; i += 1) values[first + i] = dot(row, rows, dim, 0, i);
  });
  return {
    title: "Score against distance",
    x: { label: "distance (positions)", first: 0, count },
    quantity: "dot product of two rows",
    lines: [{ label: "dot product", values, main: true }],
  };
}

/** The dot product of row i of `a` and row j of `b`, in order, in double. */
export function dot(a: Float32Array, b: Float32Array, dim: number, i: number, j: number): number {
  let sum = 0;
  for (let c = 0; c < dim; c += 1) sum += (a[i * dim + c] ?? 0) * (b[j * dim + c] ?? 0);
  return sum;
}
