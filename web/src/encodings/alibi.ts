import { exact, percent, short } from "../picture/format";
import {
  call,
  cases,
  DOT,
  EQUALS,
  id,
  MINUS,
  math,
  NEGATIVE,
  name,
  num,
  op,
  over,
  PLUS,
  row,
  sub,
  sup,
} from "../picture/math";
import { ALIBI_PRESETS, type AlibiSettings } from "../settings/alibi";
import type { Result } from "../types";
import { ATTENTION, attentionSentences, describeWeight, weightReading } from "./attention";
import { choice, HEADS, head, logDistance, number, shown, trainedLength } from "./parameters";
import { describeScore } from "./scores";
import { type Cell, type Encoding, type Sentence, say } from "./types";

/** 2^(-top / bottom) */
function powerOfTwo(top: string, bottom: string): string {
  return sup(num("2"), row(MINUS, over(top, bottom)));
}

function slopeRule({ heads, slopes }: AlibiSettings): string {
  const slope = sub(id("m"), id("h"));
  const step = row(num("8"), op("("), id("h"), PLUS, num("1"), op(")"));
  const odd = row(num("4"), op("("), num("2"), id("t"), PLUS, num("1"), op(")"));
  if (slopes === "paper" || Number.isInteger(Math.log2(heads))) {
    return math(slope, EQUALS, powerOfTwo(step, num(String(heads))));
  }
  const whole = num(String(2 ** Math.floor(Math.log2(heads))));
  return math(
    slope,
    EQUALS,
    cases(
      [powerOfTwo(step, whole), row(id("h"), op("&lt;"), whole)],
      [powerOfTwo(odd, whole), row(id("t"), EQUALS, id("h"), MINUS, whole)],
    ),
  );
}

function formula(settings: AlibiSettings): string {
  const ends = settings.form === "causal" ? ["(", ")"] : ["|", "|"];
  const distance = row(op(ends[0] ?? ""), id("q"), MINUS, id("k"), op(ends[1] ?? ""));
  const bias = call(sub(name("bias"), id("h")), id("q"), id("k"));
  return math(bias, EQUALS, NEGATIVE, sub(id("m"), id("h")), distance) + slopeRule(settings);
}

/** The head, and the distance from key to query, that a cell is about. */
function placeOf(view: string, settings: AlibiSettings, { row: r, column }: Cell) {
  return view === "heads"
    ? { head: r, distance: column }
    : { head: settings.head, distance: r - column };
}

function biasMath(slope: number, distance: number): string {
  const size = num(String(Math.abs(distance)));
  return row(NEGATIVE, num(exact(slope)), DOT, size);
}

function reading(view: string, settings: AlibiSettings, result: Result, cell: Cell): string {
  const { head: h, distance } = placeOf(view, settings, cell);
  const slope = result.facts.slopes?.[h] ?? 0;
  if (view === "attention") return weightReading(cell, biasMath(slope, distance));
  const where = view === "heads" ? [distance] : [cell.row, cell.column];
  const bias = call(sub(name("bias"), num(String(h))), ...where.map((one) => num(String(one))));
  const value = num(exact(cell.value));
  if (!Number.isFinite(cell.value)) return math(bias, EQUALS, value);
  return math(bias, EQUALS, biasMath(slope, distance), EQUALS, value);
}

function describe(view: string, settings: AlibiSettings, cell: Cell): string {
  if (view === "attention") return describeWeight(cell);
  if (view === "heads") return `head ${cell.row}, key ${cell.column} tokens back: bias`;
  return `head ${settings.head}, ${describeScore(cell, "bias")}`;
}

function halfDistance(slope: number): string {
  return short(Math.LN2 / slope);
}

function observe(
  view: string,
  settings: AlibiSettings,
  result: Result,
  cell: Cell,
): readonly Sentence[] {
  const slopes = Array.from(result.facts.slopes ?? []);
  const h = placeOf(view, settings, cell).head;
  const steep = slopes.indexOf(Math.max(...slopes));
  const flat = slopes.indexOf(Math.min(...slopes));
  const sentences: Sentence[] = [];
  if (view === "attention") sentences.push(...attentionSentences(result.picture));
  sentences.push(
    say`Head ${String(h)} takes ${short(slopes[h] ?? 0)} off the score per token: every ${halfDistance(slopes[h] ?? 1)} tokens back, a key\u2019s weight halves.`,
    say`The steepest head, ${String(steep)}, halves it every ${halfDistance(slopes[steep] ?? 1)} tokens; the flattest, ${String(flat)}, every ${halfDistance(slopes[flat] ?? 1)}.`,
  );
  if (settings.trainedLength > 0) {
    const lost = (slopes[flat] ?? 0) * settings.trainedLength;
    sentences.push(
      say`At ${short(settings.trainedLength, 7)} tokens, the trained length, the flattest head has taken ${short(lost)} off: a key\u2019s weight there is ${percent(Math.exp(-lost))} of what it would be without.`,
    );
  }
  const rising = slopes.findIndex((slope, i) => i > 0 && slope > (slopes[i - 1] ?? 0));
  if (rising > 0) {
    sentences.push(
      say`${short(slopes.length)} is not a power of two: from head ${String(rising)} on, the checkpoints\u2019 rule starts again between the slopes it has given.`,
    );
  }
  return sentences;
}

export const alibi: Encoding<AlibiSettings> = {
  id: "alibi",
  name: "ALiBi",
  family: "bias",
  place: "added to the scores",
  sentence:
    "Every score loses a little for each token between query and key; how much is fixed per head and never trained.",
  source: {
    text: "Press et al. 2021, Train short, test long",
    href: "https://arxiv.org/abs/2108.12409",
  },
  parameters: [
    number("heads", "Heads", HEADS),
    choice(
      "slopes",
      "Slopes",
      {
        checkpoint: "published checkpoints",
        paper: "the paper\u2019s text",
      },
      { hint: "Both agree when heads is a power of two." },
    ),
    choice("form", "Keys after the query", {
      causal: "masked (causal)",
      symmetric: "by distance (symmetric)",
    }),
    trainedLength,
    head,
    ...shown(),
    logDistance,
  ],
  presets: ALIBI_PRESETS,
  views: [{ id: "heads", label: "All heads" }, { id: "bias", label: "One head" }, ATTENTION],
  formula,
  caption: (view, settings) => {
    if (view === "heads") return "The bias of every head, by how far back the key is.";
    if (view === "bias") return `The bias of head ${settings.head} for every query and key.`;
    return `Attention of head ${settings.head} if every token were the same: the bias alone decides.`;
  },
  reading,
  describe,
  observe,
};
