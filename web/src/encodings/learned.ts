import { short } from "../picture/format";
import { call, EQUALS, id, math, name, num, op, PLUS, row, sub } from "../picture/math";
import { LEARNED_PRESETS, type LearnedSettings } from "../settings/learned";
import type { Result } from "../types";
import { rowEncoding } from "./additive";
import { dim, number, ROWS, seed } from "./parameters";
import { type Cell, type Sentence, say } from "./types";

function formula(): string {
  const index = row(id("p"), PLUS, name("offset"));
  return math(call(name("PE"), id("p")), EQUALS, sub(id("W"), index));
}

function reading({ rowOffset }: LearnedSettings, { row: position, column }: Cell): string {
  const [here, offset, there] = [position, rowOffset, column].map((one) => num(String(one))) as [
    string,
    string,
    string,
  ];
  const value = sub(id("W"), row(here, PLUS, offset, op(","), there));
  return row(call(name("PE"), here, there), EQUALS, value);
}

function observe(_view: string, settings: LearnedSettings, result: Result): readonly Sentence[] {
  const { rows, dim, rowOffset } = settings;
  const limit = result.facts.maxPositions ?? 0;
  const scores = result.curve.lines[0]?.values ?? new Float32Array();
  const rest = scores.subarray(1);
  const sentences: Sentence[] = [
    say`The table holds ${short(rows)} \u00d7 ${short(dim)} = ${(rows * dim).toLocaleString("en-US")} trained numbers. This page ships no weights: random ones between ${"\u22120.02"} and ${"0.02"} (seed ${String(settings.seed)}) stand in their place.`,
    say`Position p reads row p + ${short(rowOffset)}, so positions ${"0"} to ${short(limit - 1, 7)} exist. Asked for the next one, the library says: \u201c${result.facts.pastTheEnd ?? ""}\u201d`,
  ];
  if (rest.length > 1) {
    sentences.push(
      say`A row scores ${short(scores[0] ?? 0)} with itself and between ${short(Math.min(...rest))} and ${short(Math.max(...rest))} with the others, near or far alike: a table knows nothing of distance until it is trained.`,
    );
  }
  return sentences;
}

export const learned = rowEncoding<LearnedSettings>({
  id: "learned",
  name: "Learned",
  sentence:
    "Every position has a row of its own in a trained table, and that row is added to the token\u2019s vector; a position without a row cannot be encoded.",
  source: {
    text: "Devlin et al. 2018, BERT",
    href: "https://arxiv.org/abs/1810.04805",
  },
  parameters: [
    number("rows", "Rows of the table", ROWS),
    dim,
    number("rowOffset", "Row offset", undefined, {
      hint: "Position p reads row p + offset: 2 in OPT, BART and RoBERTa.",
    }),
    seed,
  ],
  presets: LEARNED_PRESETS,
  dimOf: (settings) => settings.dim,
  formula,
  caption: ({ seed }) =>
    `Random numbers (seed ${seed}) in the shape of the trained table: this page ships no weights.`,
  attentionNote: ({ seed }) => `Random rows (seed ${seed}), not trained ones.`,
  reading,
  describe: ({ rowOffset }, { row: position }) => `row ${position + rowOffset} of the table`,
  observe,
});
