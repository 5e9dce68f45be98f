import { exact, short } from "../picture/format";
import {
  call,
  DOT,
  EQUALS,
  id,
  MINUS,
  math,
  name,
  num,
  over,
  PLUS,
  root,
  row,
  sub,
} from "../picture/math";
import { SHAW_PRESETS, type ShawSettings } from "../settings/shaw";
import type { Result } from "../types";
import { ATTENTION, attentionSentences, describeWeight, weightReading } from "./attention";
import { contentSeed, HEAD_DIMS, number, toggle, tokens } from "./parameters";
import { contentNote, contentScore, describeScore, randomSentence, scoreReading } from "./scores";
import { type Cell, type Encoding, type Sentence, say } from "./types";

/** q . a[r] / sqrt(d) */
const rule = (query: string, index: string, width: string) =>
  over(row(sub(id("q"), query), DOT, sub(id("a"), index)), root(width));

function formula(): string {
  const clipped = call(name("clip"), row(id("k"), MINUS, id("q")), row(MINUS, id("m")), id("m"));
  return (
    math(call(name("term"), id("q"), id("k")), EQUALS, rule(id("q"), id("r"), id("d"))) +
    math(id("r"), EQUALS, clipped, PLUS, id("m"))
  );
}

function indexOf({ maxRelativePosition: m }: ShawSettings, { row: query, column: key }: Cell) {
  return Math.min(m, Math.max(-m, key - query)) + m;
}

function reading(view: string, settings: ShawSettings, _: Result, cell: Cell): string {
  if (view === "rows") {
    const m = num(String(settings.maxRelativePosition));
    const distance = num(exact(cell.column - cell.row));
    const clipped = call(name("clip"), distance, row(MINUS, m), m);
    return math(id("r"), EQUALS, clipped, PLUS, m, EQUALS, num(exact(cell.value)));
  }
  const width = num(String(settings.headDim));
  const term = rule(num(String(cell.row)), num(String(indexOf(settings, cell))), width);
  if (view === "attention") return weightReading(cell, contentScore(cell, width, term));
  return scoreReading(name("term"), cell, term);
}

function describe(view: string, _settings: ShawSettings, cell: Cell): string {
  if (view === "attention") return describeWeight(cell);
  return describeScore(cell, view === "rows" ? "row of the table" : "added term");
}

function observe(
  view: string,
  { headDim, maxRelativePosition: m, causal, seed }: ShawSettings,
  { picture }: Result,
): readonly Sentence[] {
  return [
    ...(view === "attention" ? attentionSentences(picture) : []),
    say`The table has ${short(2 * m + 1)} rows of ${short(headDim)} numbers, one for each distance from ${`\u2212${m}`} to ${String(m)}; all heads share it.`,
    say`Keys ${String(m)} or more tokens away share one row on each side: farther ones cannot be told apart.`,
    causal
      ? say`Each query multiplies the rows by its own content, so that the same distance is worth something else to every query; keys after it are masked.`
      : say`Each query multiplies the rows by its own content: the same distance is worth something else to every query.`,
    randomSentence(seed, "Queries, keys and rows are"),
  ];
}

export const shaw: Encoding<ShawSettings> = {
  id: "shaw",
  name: "Shaw",
  family: "relative",
  place: "added to the scores",
  sentence:
    "Every clipped distance has a trained row, and the product of the query with that row is added to the score.",
  source: {
    text: "Shaw et al. 2018, Relative position representations",
    href: "https://arxiv.org/abs/1803.02155",
  },
  parameters: [
    number("headDim", "Head width", HEAD_DIMS),
    number("maxRelativePosition", "Largest distance, m", [1, 2, 4, 8, 16, 32, 64, 128]),
    toggle("causal", "Mask", ["causal", "none"]),
    contentSeed,
    tokens,
  ],
  presets: SHAW_PRESETS,
  views: [{ id: "term", label: "Added term" }, { id: "rows", label: "Rows" }, ATTENTION],
  formula,
  caption: (view, { seed }) => {
    if (view === "rows")
      return "The row of the table that every query and key reads: exact, whatever the weights.";
    const random = contentNote(seed, "Queries, keys and rows are");
    return view === "attention"
      ? `Attention of one head, content and term together. ${random}`
      : `What one head adds to the score of every query and key. ${random}`;
  },
  reading,
  describe,
  observe,
};
