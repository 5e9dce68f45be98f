import { short } from "../picture/format";
import {
  call,
  DOT,
  EQUALS,
  frac,
  id,
  MINUS,
  math,
  name,
  num,
  op,
  PLUS,
  root,
  row,
  sub,
} from "../picture/math";
import { TRANSFORMER_XL_PRESETS, type TransformerXlSettings } from "../settings/transformer_xl";
import type { Result } from "../types";
import { ATTENTION, attentionSentences, describeWeight, weightReading } from "./attention";
import { choice, contentSeed, DIMS, HEAD_DIMS, number, tokens } from "./parameters";
import { contentNote, contentScore, describeScore, randomSentence, scoreReading } from "./scores";
import { type Cell, type Encoding, type Sentence, say } from "./types";

/** (u . k + (q + v) . r[distance]) / sqrt(d) */
function rule(query: string, key: string, distance: string, width: string): string {
  const content = row(id("u"), DOT, sub(id("k"), key));
  const shifted = row(op("("), sub(id("q"), query), PLUS, id("v"), op(")"));
  return frac(row(content, PLUS, shifted, DOT, sub(id("r"), distance)), root(width));
}

function formula(): string {
  const [query, key] = [id("q"), id("k")];
  const distance = row(query, MINUS, key);
  return (
    math(call(name("term"), query, key), EQUALS, rule(query, key, distance, id("d"))) +
    math(sub(id("r"), id("t")), EQUALS, row(id("W"), DOT, call(name("[sin, cos]"), id("t"))))
  );
}

function reading(view: string, settings: TransformerXlSettings, _: Result, cell: Cell): string {
  const [query, key, distance] = [cell.row, cell.column, cell.row - cell.column].map((one) =>
    num(String(one).replace("-", "\u2212")),
  ) as [string, string, string];
  const width = num(String(settings.headDim));
  const term = rule(query, key, distance, width);
  if (view === "attention") return weightReading(cell, contentScore(cell, width, term));
  return scoreReading(name("term"), cell, term);
}

function observe(
  view: string,
  { dModel, headDim, variant, clampLen, memory, length, seed }: TransformerXlSettings,
  { picture }: Result,
): readonly Sentence[] {
  const keys = memory + length;
  const rows = variant === "xlnet" ? keys + length : keys;
  const sentences: Sentence[] = view === "attention" ? [...attentionSentences(picture)] : [];
  if (memory > 0) {
    sentences.push(
      say`${short(memory)} keys come from the segment before, whose states are kept: queries begin at position ${short(memory)} and reach back over the seam, because only the distance counts.`,
    );
  }
  sentences.push(
    variant === "xlnet"
      ? say`Keys on both sides are seen, so that ${short(rows)} distances, from ${short(keys)} down to ${short(1 - length)}, have a row each.`
      : say`${short(rows)} distances, from ${short(keys - 1)} down to ${"0"}, have a row each; keys after the query are masked.`,
    say`Each row is a sinusoid of ${short(dModel)} values, projected to the head\u2019s ${short(headDim)}: what is trained is the projection and the two vectors u and v.`,
  );
  if (clampLen >= 0) {
    sentences.push(
      say`Distances are clamped to ${short(clampLen)}: farther keys have that one\u2019s row.`,
    );
  }
  sentences.push(randomSentence(seed, "Queries, keys, projection, u and v are"));
  return sentences;
}

export const transformerXl: Encoding<TransformerXlSettings> = {
  id: "transformer_xl",
  name: "Transformer-XL",
  family: "relative",
  place: "added to the scores",
  sentence:
    "Every distance has a projected sinusoid, which is multiplied by the query and by a trained vector that is the same for all queries; another such vector meets the key.",
  source: { text: "Dai et al. 2019, Transformer-XL", href: "https://arxiv.org/abs/1901.02860" },
  parameters: [
    number("dModel", "Model width", DIMS, { hint: "Of the sinusoids; even." }),
    number("headDim", "Head width", HEAD_DIMS),
    choice("variant", "Keys", {
      "transformer-xl": "up to the query (Transformer-XL)",
      xlnet: "on both sides (XLNet)",
    }),
    number("clampLen", "Clamp distances at", [-1, 16, 32, 64, 128, 256, 400, 512], {
      hint: "Negative: not at all.",
    }),
    contentSeed,
    number("memory", "Memory shown", [0, 8, 16, 32, 64, 128, 256, 512], {
      section: "shown",
      hint: "Keys before the first query.",
    }),
    tokens,
  ],
  presets: TRANSFORMER_XL_PRESETS,
  views: [{ id: "term", label: "Added term" }, ATTENTION],
  formula,
  caption: (view, { seed }) => {
    const random = contentNote(seed, "Queries, keys, projection, u and v are");
    return view === "attention"
      ? `Attention of one head, content and term together. ${random}`
      : `What one head adds to the score of every query and key. ${random}`;
  },
  reading,
  describe: (view, _settings, cell) =>
    view === "attention" ? describeWeight(cell) : describeScore(cell, "added term"),
  observe,
};
