import { exact, short } from "../picture/format";
import { call, EQUALS, id, math, name, num, op, PLUS, row, sub } from "../picture/math";
import { LEARNED_PRESETS } from "../presets";
import type { LearnedSettings } from "../settings";
import type { Result } from "../types";
import {
  ATTENTION,
  attentionSentences,
  describeWeight,
  rowScore,
  weightReading,
} from "./attention";
import { causal, DIMS, logDistance, number, ROWS, seed, shown } from "./parameters";
import { type Cell, type Encoding, type Sentence, say } from "./types";

function formula(): string {
  const index = row(id("p"), PLUS, name("offset"));
  return math(call(name("PE"), id("p")), EQUALS, sub(id("W"), index));
}

function reading(view: string, settings: LearnedSettings, _: Result, cell: Cell): string {
  if (view === "attention") return weightReading(cell, rowScore(cell, settings.dim));
  const { row: position, column, value } = cell;
  const [here, offset, there] = [position, settings.rowOffset, column].map((one) =>
    num(String(one)),
  ) as [string, string, string];
  return math(
    call(name("PE"), here, there),
    EQUALS,
    sub(id("W"), row(here, PLUS, offset, op(","), there)),
    EQUALS,
    num(exact(value)),
  );
}

function observe(view: string, settings: LearnedSettings, result: Result): readonly Sentence[] {
  const { rows, dim, rowOffset } = settings;
  const limit = result.facts.maxPositions ?? 0;
  const scores = result.curve.lines[0]?.values ?? new Float32Array();
  const rest = scores.subarray(1);
  const sentences: Sentence[] = [
    say`The table holds ${short(rows)} \u00d7 ${short(dim)} = ${(rows * dim).toLocaleString("en-US")} trained numbers. This page ships no weights: random ones between ${"\u22120.02"} and ${"0.02"} (seed ${String(settings.seed)}) stand in their place.`,
    say`Position p reads row p + ${short(rowOffset)}, so positions ${"0"} to ${short(limit - 1, 7)} exist. Asked for the next one, the library says: \u201c${result.facts.pastTheEnd ?? ""}\u201d`,
  ];
  if (view === "attention") sentences.push(...attentionSentences(result.picture));
  if (rest.length > 1) {
    sentences.push(
      say`A row scores ${short(scores[0] ?? 0)} with itself and between ${short(Math.min(...rest))} and ${short(Math.max(...rest))} with the others, near or far alike: a table knows nothing of distance until it is trained.`,
    );
  }
  return sentences;
}

export const learned: Encoding<LearnedSettings> = {
  id: "learned",
  name: "Learned",
  place: "added to the input",
  sentence:
    "Every position has a row of its own in a trained table, and that row is added to the token\u2019s vector; a position without a row cannot be encoded.",
  source: {
    text: "Devlin et al. 2018, BERT",
    href: "https://arxiv.org/abs/1810.04805",
  },
  parameters: [
    number("rows", "Rows of the table", ROWS),
    number("dim", "Dimensions", DIMS, { hint: "Width of a row, dim." }),
    number("rowOffset", "Row offset", undefined, {
      hint: "Position p reads row p + offset: 2 in OPT, BART and RoBERTa.",
    }),
    seed,
    ...shown([causal]),
    logDistance,
  ],
  presets: LEARNED_PRESETS,
  views: [{ id: "table", label: "Table" }, ATTENTION],
  formula,
  caption: (view, settings) =>
    view === "attention"
      ? `Attention of one head if every token were nothing but its row. Random rows (seed ${settings.seed}), not trained ones.`
      : `Random numbers (seed ${settings.seed}) in the shape of the trained table: this page ships no weights.`,
  reading,
  describe: (view, settings, cell) =>
    view === "attention"
      ? describeWeight(cell)
      : `position ${cell.row}, dimension ${cell.column}: row ${cell.row + settings.rowOffset} of the table`,
  observe,
};
