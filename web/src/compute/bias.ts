import type { Posenc } from "posenc";
import type { ColourScale, Curve, CurveLine, Picture } from "../types";
import { queryKeyAxes, weights } from "./attention";
import type { Job } from "./job";
import { requireAttentionLength, requireCells, requireCurveValues } from "./limits";

/** What the bias encodings have in common: a bias [heads, count] of the distance key - query. */
interface BiasSource {
  distances(first: number, count: number): Float32Array;
}

interface HeadWindow {
  readonly heads: number;
  readonly head: number;
  readonly offset: number;
  readonly length: number;
  /** Whether attention masks the keys after the query. */
  readonly causal: boolean;
  readonly scale: ColourScale;
}

/** One head's bias of queries by keys, or (view "attention") the weights that it alone makes. */
export async function headPicture(
  posenc: Posenc,
  job: Job,
  source: BiasSource,
  view: string,
  { heads, head, offset, length, causal, scale }: HeadWindow,
): Promise<Picture> {
  const count = 2 * length - 1;
  requireCells(heads, count);
  const distances = headOf(source.distances(1 - length, count), head, count);
  if (view === "attention") {
    requireAttentionLength(length);
    return weights(posenc, job, { offset, length, causal, distances });
  }
  return {
    ...queryKeyAxes(offset, length),
    values: await matrixOf(job, distances, length),
    scale,
    quantity: `bias of head ${head}`,
  };
}

/** The bias of keys 0, 1, 2, ... tokens before the query [heads, count]. */
export function tokensBack(source: BiasSource, heads: number, count: number): Float32Array {
  const values = source.distances(1 - count, count);
  for (let head = 0; head < heads; head += 1) {
    values.subarray(head * count, (head + 1) * count).reverse();
  }
  return values;
}

interface Heads {
  readonly heads: number;
  readonly head: number;
  readonly curveLength: number;
}

/** The bias of every head against how far back the key is. */
export async function tokensBackCurve(
  job: Job,
  source: BiasSource,
  { heads, head, curveLength }: Heads,
): Promise<Curve> {
  requireCurveValues(heads, curveLength);
  let values: Float32Array = new Float32Array();
  await job.slices(1, () => {
    values = tokensBack(source, heads, curveLength);
  });
  return {
    title: "Bias against distance",
    x: { label: "distance (tokens back)", first: 0, count: curveLength },
    quantity: "bias added to the score",
    lines: headLines(values, heads, head),
  };
}

/** Distances key - query from -(curveLength - 1) on; to the other side as well unless `past`. */
export function distanceAxis(curveLength: number, past: boolean) {
  const count = past ? curveLength : 2 * curveLength - 1;
  return { label: "key \u2212 query (tokens)", first: 1 - curveLength, count };
}

/** The bias of every head against key - query. */
export async function distanceCurve(
  job: Job,
  source: BiasSource,
  { heads, head, curveLength, past }: Heads & { readonly past: boolean },
  quantity: string,
): Promise<Curve> {
  const x = distanceAxis(curveLength, past);
  requireCurveValues(heads, x.count);
  let lines: readonly CurveLine[] = [];
  await job.slices(1, () => {
    lines = headLines(source.distances(x.first, x.count), heads, head);
  });
  return { title: "Bias against distance", x, quantity, lines };
}

/** Row `head` of values [heads, count]. */
export function headOf(values: Float32Array, head: number, count: number): Float32Array {
  return values.slice(head * count, (head + 1) * count);
}

/** One line per head of values [heads, count], the chosen head in front. */
export function headLines(
  values: Float32Array,
  heads: number,
  chosen: number,
): readonly CurveLine[] {
  return Array.from({ length: heads }, (_, head) => ({
    label: `head ${head}`,
    values: headOf(values, head, values.length / heads),
    main: head === chosen,
  }));
}

/**
 * The matrix [length, length] whose cell (query, key) is that of the distance key - query:
 * `byDistance` holds the distances 1 - length .. length - 1.
 */
export async function matrixOf(
  job: Job,
  byDistance: Float32Array | Int32Array,
  length: number,
): Promise<Float32Array> {
  requireCells(length, length);
  const values = new Float32Array(length * length);
  await job.slices(length, (first, size) => {
    for (let query = first; query < first + size; query += 1) {
      const keys = byDistance.subarray(length - 1 - query, 2 * length - 1 - query);
      values.set(keys, query * length);
    }
  });
  return values;
}
