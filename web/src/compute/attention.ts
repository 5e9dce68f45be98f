import type { Posenc } from "posenc";
import type { Picture } from "../types";
import type { Job } from "./job";

interface WeightsArgs {
  /** Queries and keys at positions offset, offset + 1, ... */
  readonly offset: number;
  readonly length: number;
  readonly causal: boolean;
  /** [length, headDim], queries and keys alike; left out where content adds nothing. */
  readonly content?: { readonly rows: Float32Array; readonly headDim: number };
  /** One head's bias of distances -(length - 1) .. length - 1, key minus query. */
  readonly distances?: Float32Array;
}

/** The axes of a picture of queries by keys. */
export function queryKeyAxes(offset: number, length: number) {
  return {
    rows: { label: "query position", first: offset, count: length },
    columns: { label: "key position", first: offset, count: length },
  };
}

/** The identity matrix [size, size]: as values it makes attention's output its own weights. */
function identity(size: number): Float32Array {
  const matrix = new Float32Array(size * size);
  for (let i = 0; i < size; i += 1) matrix[i * (size + 1)] = 1;
  return matrix;
}

/**
 * The attention weights softmax(q k^T * scale + terms) [length, length] of one head, from the
 * library's attention: with the identity as values, its output is the weights themselves.
 */
export async function weights(posenc: Posenc, job: Job, args: WeightsArgs): Promise<Picture> {
  const { offset, length, causal } = args;
  const headDim = args.content?.headDim ?? 1;
  const rows = args.content?.rows ?? new Float32Array(length);
  const out = new Float32Array(length * length);
  const values = identity(length);
  await job.slices(length, (first, size) => {
    const keys = causal ? first + size : length;
    const part = posenc.attention(
      rows.subarray(first * headDim, (first + size) * headDim),
      rows.subarray(0, keys * headDim),
      values.subarray(0, keys * length),
      {
        heads: 1,
        queryCount: size,
        keyCount: keys,
        headDim,
        valueDim: length,
        causal,
        queryOffset: first,
        terms: args.distances && { distances: args.distances, firstDistance: 1 - length },
      },
    );
    out.set(part, first * length);
  });
  if (causal) mask(out, length);
  return {
    ...queryKeyAxes(offset, length),
    values: out,
    scale: "sequential",
    quantity: "attention weight",
  };
}

/** Marks the keys that a causal query does not see, so that they are not drawn as a weight of 0. */
function mask(matrix: Float32Array, length: number): void {
  for (let query = 0; query < length; query += 1) {
    matrix.fill(Number.NEGATIVE_INFINITY, query * length + query + 1, (query + 1) * length);
  }
}
