import { exact } from "../picture/format";
import { call, DOT, EQUALS, id, math, num, over, PLUS, root, row, sub } from "../picture/math";
import type { Cell, Sentence } from "./types";

/** Words and formulas of pictures of queries by keys. */

/** term(q, k) = expression = value; of a masked cell only the value. */
export function scoreReading(term: string, cell: Cell, expression: string): string {
  const { row: query, column: key, value } = cell;
  const left = call(term, num(String(query)), num(String(key)));
  const right = num(exact(value));
  if (!Number.isFinite(value)) return math(left, EQUALS, right);
  return math(left, EQUALS, expression, EQUALS, right);
}

/** q . k / sqrt(width) + term: the whole score of a query and a key that have content. */
export function contentScore(
  { row: query, column: key }: Cell,
  width: string,
  term: string,
): string {
  const product = row(sub(id("q"), num(String(query))), DOT, sub(id("k"), num(String(key))));
  return row(over(product, root(width)), PLUS, term);
}

export function describeScore({ row: query, column: key, value }: Cell, what: string): string {
  const after = !Number.isFinite(value) ? ", after the query: masked" : "";
  return `query ${query}, key ${key}${after || `: ${what}`}`;
}

/** For captions: trained numbers that the page has not. */
export function untrained(seed: number, what: string): string {
  return `${what} random (seed ${seed}), in place of trained numbers.`;
}

/** For captions of pictures that depend on content. */
export function contentNote(seed: number, what: string): string {
  return `${what} random (seed ${seed}), in place of real content and trained numbers.`;
}

/** For what is seen: where the numbers come from. */
export function randomSentence(seed: number, what: string): Sentence {
  const rest = ": this page ships neither weights nor data.";
  return [`${what} random, of seed `, { number: String(seed) }, rest];
}
