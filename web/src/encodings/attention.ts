import { exact, percent, short } from "../picture/format";
import {
  call,
  DOT,
  EQUALS,
  frac,
  id,
  math,
  name,
  num,
  op,
  over,
  root,
  row,
  sub,
  sup,
} from "../picture/math";
import type { Picture } from "../types";
import { type Cell, type Sentence, say } from "./types";

/** Words and formulas of the attention view, which every encoding has. */

export const ATTENTION = { id: "attention", label: "Attention" } as const;

/** The score of two rows of a table of width dim. */
export function rowScore({ row: query, column: key }: Cell, dim: number): string {
  const [first, second] = [query, key].map((one) => call(name("row"), num(String(one))));
  return over(row(first ?? "", DOT, second ?? ""), root(num(String(dim))));
}

/** weight(q, k) = e^s(q,k) / sum of e^s(q,j), and what s(q, k) is. */
export function weightReading({ row: query, column: key, value }: Cell, score: string): string {
  const at = (where: string) => call(id("s"), num(String(query)), where);
  const here = at(num(String(key)));
  if (!Number.isFinite(value)) return math(here, EQUALS, num(exact(value)));
  const all = row(sub(op("\u2211"), id("j")), sup(id("e"), at(id("j"))));
  return (
    math(
      call(id("w"), num(String(query)), num(String(key))),
      EQUALS,
      frac(sup(id("e"), here), all),
      EQUALS,
      num(exact(value)),
    ) + math(here, EQUALS, score)
  );
}

export function describeWeight(cell: Cell): string {
  const { row: query, column: key } = cell;
  if (!Number.isFinite(cell.value)) return `query ${query} does not see key ${key}: masked`;
  return `query ${query}, key ${key}: weight`;
}

/** Where the last query looks: its own share, and how many nearest keys hold nine tenths. */
export function attentionSentences(picture: Picture): readonly Sentence[] {
  const { rows, columns, values } = picture;
  const count = columns.count;
  const row = values.subarray((rows.count - 1) * count, rows.count * count);
  const last = count - 1;
  const own = row[last] ?? 0;
  let sum = 0;
  let near = 0;
  while (near < count && sum < 0.9) {
    sum += row[last - near] ?? 0;
    near += 1;
  }
  return [
    say`The last query, at position ${short(rows.first + rows.count - 1, 7)}, gives ${percent(own)} of its weight to its own key; an even spread would give ${percent(1 / count)}.`,
    say`Its nearest ${short(near)} of ${short(count)} keys together hold ${percent(sum)}.`,
  ];
}
