import type { Posenc } from "posenc";
import type { Curve, Picture } from "../types";
import { weights } from "./attention";
import type { Job } from "./job";
import { requireAttentionLength, requireCells } from "./limits";

/** What the additive encodings have in common: rows of a table by position. */
export interface TableSource {
  table(positions: { readonly offset: number; readonly length: number }): Float32Array;
}

interface Window {
  readonly dim: number;
  readonly offset: number;
  readonly length: number;
}

/** The table itself [length, dim]. */
export async function tablePicture(
  job: Job,
  source: TableSource,
  { dim, offset, length }: Window,
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
export async function tableAttention(
  posenc: Posenc,
  job: Job,
  source: TableSource,
  { dim, offset, length, causal }: Window & { readonly causal: boolean },
): Promise<Picture> {
  requireAttentionLength(length);
  const content = { rows: source.table({ offset, length }), headDim: dim };
  return weights(posenc, job, { offset, length, causal, content });
}

/** The dot product of row `offset` with the rows at distances 0 .. count - 1 after it. */
export async function tableCurve(
  job: Job,
  source: TableSource,
  { dim, offset, length: count }: Window,
): Promise<Curve> {
  const values = new Float32Array(count);
  const row = source.table({ offset, length: 1 });
  await job.slices(count, (first, size) => {
    const rows = source.table({ offset: offset + first, length: size });
    for (let i = 0; i < size; i += 1) {
      let sum = 0;
      for (let c = 0; c < dim; c += 1) sum += (row[c] ?? 0) * (rows[i * dim + c] ?? 0);
      values[first + i] = sum;
    }
  });
  return {
    title: "Score against distance",
    x: { label: "distance (positions)", first: 0, count },
    quantity: "dot product of two rows",
    lines: [{ label: "dot product", values, main: true }],
  };
}
