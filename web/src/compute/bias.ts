import type { CurveLine } from "../types";
import type { Job } from "./job";
import { requireCells } from "./limits";

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

/** The axes of a picture of queries by keys. */
export function queryKeyAxes(offset: number, length: number) {
  return {
    rows: { label: "query position", first: offset, count: length },
    columns: { label: "key position", first: offset, count: length },
  };
}
