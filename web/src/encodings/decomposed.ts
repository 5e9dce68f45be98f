import { exact, short } from "../picture/format";
import { DOT, EQUALS, id, math, name, num, op, PLUS, row, sub, sup } from "../picture/math";
import { DECOMPOSED_PRESETS, type DecomposedSettings } from "../settings/decomposed";
import type { Result } from "../types";
import { contentSeed, HEAD_DIMS, number } from "./parameters";
import { contentNote, randomSentence } from "./scores";
import { type Cell, type Encoding, type Sentence, say } from "./types";
import {
  ALL_CELLS,
  chosenCell,
  describePair,
  ONE_CELL,
  pairOf,
  SIDES,
  windowCaption,
} from "./windows";

/** q . (RH[row of the pair] + RW[row of the pair]) */
function rule(query: string, down: string, across: string): string {
  const [height, width] = ["H", "W"].map((axis) => sup(id("R"), name(axis)));
  return row(query, DOT, sub(height ?? "", down), PLUS, query, DOT, sub(width ?? "", across));
}

function formula(): string {
  const pairs = (axis: string) => row(sub(id(axis), id("q")), op(","), sub(id(axis), id("k")));
  return math(name("term"), EQUALS, rule(id("q"), pairs("y"), pairs("x")));
}

function pair(view: string, settings: DecomposedSettings, cell: Cell) {
  const widths = { queries: settings.queryWidth, keys: settings.keyWidth };
  return pairOf(view, settings, cell, widths);
}

function reading(view: string, settings: DecomposedSettings, _: Result, cell: Cell): string {
  const { query, key } = pair(view, settings, cell);
  const both = (a: number, b: number) => row(num(String(a)), op(","), num(String(b)));
  const content = sub(id("q"), both(query.row, query.column));
  const right = rule(content, both(query.row, key.row), both(query.column, key.column));
  return math(right, EQUALS, num(exact(cell.value)));
}

function observe(_view: string, settings: DecomposedSettings): readonly Sentence[] {
  const { queryHeight, queryWidth, keyHeight, keyWidth, headDim, seed } = settings;
  const [down, across] = [
    2 * Math.max(queryHeight, keyHeight) - 1,
    2 * Math.max(queryWidth, keyWidth) - 1,
  ];
  const [queries, keys] = [queryHeight * queryWidth, keyHeight * keyWidth];
  const sentences: Sentence[] = [
    say`Rows and columns have a table each, of ${short(down)} and ${short(across)} rows of ${short(headDim)} numbers; a table of all offsets at once would have ${(down * across).toLocaleString("en-US")}.`,
    say`From one cell, the picture is a sum of one number per row and one per column of keys: ${short(keyHeight + keyWidth)} numbers make ${short(keys, 6)}.`,
    say`The query\u2019s content turns the tables into these numbers, so that another cell of the ${short(queries, 6)} has another pattern. The query is not scaled for it.`,
  ];
  if (queryHeight !== keyHeight || queryWidth !== keyWidth) {
    sentences.push(say`The grids differ: offsets are counted in cells of the finer one.`);
  }
  return [...sentences, randomSentence(seed, "Queries and tables are")];
}

export const decomposed: Encoding<DecomposedSettings> = {
  id: "decomposed",
  name: "SAM, MViTv2",
  family: "relative",
  place: "added to the scores",
  sentence:
    "The query is multiplied by a trained row for the offset in rows and by another for the offset in columns, and both products are added to the score.",
  source: {
    text: "Li et al. 2021, MViTv2; Segment anything",
    href: "https://arxiv.org/abs/2112.01526",
  },
  parameters: [
    number("queryHeight", "Query rows", SIDES),
    number("queryWidth", "Query columns", SIDES),
    number("keyHeight", "Key rows", SIDES),
    number("keyWidth", "Key columns", SIDES),
    number("headDim", "Head width", HEAD_DIMS),
    contentSeed,
    ...chosenCell,
  ],
  presets: DECOMPOSED_PRESETS,
  views: [ONE_CELL, ALL_CELLS],
  formula,
  caption(view, settings) {
    const what = windowCaption(view, "What one head adds", settings);
    return `${what} ${contentNote(settings.seed, "Queries and tables are")}`;
  },
  reading,
  describe: (view, settings, cell) => describePair(pair(view, settings, cell), "added term"),
  observe,
};
