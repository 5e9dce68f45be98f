import type { Posenc } from "posenc";
import type { ColourScale, Curve, CurveLine, Picture } from "../types";
import { type Content, mask, queryKeyAxes, weights } from "./attention";
import type { Job } from "./job";

/** What one head adds to the scores of every query and key, and what the tokens are. */
export interface Term {
  /** [length, memory + length] */
  readonly values: Float32Array;
  readonly offset: number;
  readonly length: number;
  /** How many keys there are before the first query's own. */
  readonly memory?: number;
  /** Whether attention masks the keys after the query. */
  readonly causal: boolean;
  readonly scale: ColourScale;
  readonly quantity: string;
  /** Left out where attention is that of the term alone. */
  readonly content?: Content;
}

/** The term itself, or (view "attention") the weights of the head that it is added in. */
export async function termPicture(
  posenc: Posenc,
  job: Job,
  view: string,
  term: Term,
): Promise<Picture> {
  const { offset, length, memory = 0, causal, content, scale, quantity } = term;
  if (view === "attention") {
    return weights(posenc, job, { offset, length, memory, causal, content, bias: term.values });
  }
  const values = term.values.slice();
  if (causal) mask(values, length, memory + length);
  return { ...queryKeyAxes(offset, length, memory), values, scale, quantity };
}

/** The query whose row a curve shows: the last one, or where keys after it are seen the middle one. */
export function queryOf({ length, causal }: Pick<Term, "length" | "causal">): number {
  return causal ? length - 1 : length >> 1;
}

/** That query's row of a matrix of queries by keys, over the keys that it sees. */
export function rowOf(values: Float32Array, term: Pick<Term, "length" | "causal" | "memory">) {
  const { length, causal, memory = 0 } = term;
  const keys = memory + length;
  const query = queryOf(term);
  return values.slice(query * keys, query * keys + (causal ? memory + query + 1 : keys));
}

/** Lines of that query over key - query. */
export function rowCurve(
  term: Pick<Term, "offset" | "length" | "causal" | "memory">,
  quantity: string,
  lines: readonly CurveLine[],
): Curve {
  const { offset, memory = 0 } = term;
  const query = queryOf(term);
  return {
    title: `The query at position ${offset + query}`,
    x: {
      label: "key \u2212 query (tokens)",
      first: -query - memory,
      count: lines[0]?.values.length ?? 0,
    },
    quantity,
    lines,
  };
}
