import type { Posenc } from "posenc";
import type { Picture } from "../types";
import type { Job } from "./job";

/** What tokens are: queries [length, headDim] and keys [memory + length, headDim]. */
export interface Content {
  readonly queries: Float32Array;
  readonly keys: Float32Array;
  readonly headDim: number;
  /** What products of the two are multiplied with; 1 / sqrt(headDim) when left out. */
  readonly scale?: number;
}

interface WeightsArgs {
  /** Queries and keys at positions offset, offset + 1, ... */
  readonly offset: number;
  readonly length: number;
  readonly causal: boolean;
  /** How many keys there are before the first query's own; 0 when left out. */
  readonly memory?: number | undefined;
  /** Left out where content adds nothing. */
  readonly content?: Content | undefined;
  /** One head's bias of distances -(length - 1) .. length - 1, key minus query. */
  readonly distances?: Float32Array;
  /** One head's bias of every query and key [length, memory + length]. */
  readonly bias?: Float32Array;
}

/** The axes of a picture of queries by keys, of which `memory` come before the first query's. */
export function queryKeyAxes(offset: number, length: number, memory = 0) {
  return {
    rows: { label: "query position", first: offset, count: length },
    columns: { label: "key position", first: offset - memory, count: memory + length },
  };
}

/** The identity matrix [size, size]: as values it makes attention's output its own weights. */
function identity(size: number): Float32Array {
  const matrix = new Float32Array(size * size);
  for (let i = 0; i < size; i += 1) matrix[i * (size + 1)] = 1;
  return matrix;
}

/** Rows first .. first + size - 1 of a matrix [any, width], their first `columns` values each. */
function block(
  matrix: Float32Array,
  width: number,
  first: number,
  size: number,
  columns: number,
): Float32Array {
  const part = new Float32Array(size * columns);
  for (let i = 0; i < size; i += 1) {
    const at = (first + i) * width;
    part.set(matrix.subarray(at, at + columns), i * columns);
  }
  return part;
}

/**
 * The attention weights softmax(q k^T * scale + terms) [length, memory + length] of one head, from the
 * library's attention: with the identity as values, its output is the weights themselves.
 */
export async function weights(posenc: Posenc, job: Job, args: WeightsArgs): Promise<Picture> {
  const { offset, length, causal, memory = 0, distances, bias } = args;
  const all = memory + length;
  const nothing = new Float32Array(all);
  const content: Content = args.content ?? { queries: nothing, keys: nothing, headDim: 1 };
  const { queries, keys, headDim, scale = 1 / Math.sqrt(headDim) } = content;
  const out = new Float32Array(length * all);
  const values = identity(all);
  await job.slices(length, (first, size) => {
    const seen = causal ? memory + first + size : all;
    const part = posenc.attention(
      queries.subarray(first * headDim, (first + size) * headDim),
      keys.subarray(0, seen * headDim),
      values.subarray(0, seen * all),
      {
        heads: 1,
        queryCount: size,
        keyCount: seen,
        headDim,
        valueDim: all,
        scale,
        causal,
        queryOffset: memory + first,
        terms: {
          ...(distances && { distances, firstDistance: 1 - length }),
          ...(bias && { bias: block(bias, all, first, size, seen) }),
        },
      },
    );
    out.set(part, first * all);
  });
  if (causal) mask(out, length, all);
  return {
    ...queryKeyAxes(offset, length, memory),
    values: out,
    scale: "sequential",
    quantity: "attention weight",
  };
}

/**
 * Marks the keys that a causal query does not see, so that they are not drawn as a weight of 0, or
 * with a term that attention leaves out. [length, keys], the last key at the last query.
 */
export function mask(matrix: Float32Array, length: number, keys = length): void {
  for (let query = 0; query < length; query += 1) {
    const first = query + 1 + keys - length;
    matrix.fill(Number.NEGATIVE_INFINITY, query * keys + first, (query + 1) * keys);
  }
}
