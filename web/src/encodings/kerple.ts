import { percent, short } from "../picture/format";
import {
  apply,
  call,
  DOT,
  EQUALS,
  id,
  MINUS,
  math,
  NEGATIVE,
  name,
  num,
  op,
  PLUS,
  row,
  sup,
} from "../picture/math";
import { KERPLE_PRESETS, type KerpleSettings } from "../settings/kerple";
import type { Result } from "../types";
import { ATTENTION, attentionSentences, describeWeight, weightReading } from "./attention";
import { choice, logDistance, number, shown, toggle, trainedLength } from "./parameters";
import { describeScore, scoreReading } from "./scores";
import { type Cell, type Encoding, type Sentence, say } from "./types";

const STRENGTHS = [0, 0.01, 0.03, 0.1, 0.3, 1, 3, 10];

/** -p ln(1 + a d), or -a d^p */
function rule(kind: KerpleSettings["kind"], p: string, a: string, distance: string): string {
  if (kind === "power") return row(NEGATIVE, a, DOT, sup(distance, p));
  const inside = row(op("("), num("1"), PLUS, a, DOT, distance, op(")"));
  return row(NEGATIVE, p, DOT, apply("ln", inside));
}

function formula({ kind }: KerpleSettings): string {
  const distance = row(op("|"), id("q"), MINUS, id("k"), op("|"));
  const bias = call(name("bias"), id("q"), id("k"));
  return math(bias, EQUALS, rule(kind, id("p"), id("a"), distance));
}

function biasAt({ kind, p, a }: KerpleSettings, distance: number): number {
  return kind === "log" ? -p * Math.log1p(a * distance) : -a * distance ** p;
}

function reading(view: string, settings: KerpleSettings, _: Result, cell: Cell): string {
  const { row: query, column: key } = cell;
  const [p, a, distance] = [settings.p, settings.a, Math.abs(query - key)].map((one) =>
    num(String(one)),
  ) as [string, string, string];
  const bias = rule(settings.kind, p, a, distance);
  if (view === "attention") return weightReading(cell, bias);
  return scoreReading(name("bias"), cell, bias);
}

function observe(view: string, settings: KerpleSettings, result: Result): readonly Sentence[] {
  const sentences: Sentence[] = [];
  if (view === "attention") sentences.push(...attentionSentences(result.picture));
  const near = biasAt(settings, 10);
  const far = biasAt(settings, 1000);
  sentences.push(
    say`A key ${"10"} tokens back loses ${short(-near)}, one ${"1,000"} tokens back ${short(-far)}: its weight is ${percent(Math.exp(far - near))} of the nearer one\u2019s.`,
    settings.kind === "log"
      ? say`Far away the logarithm makes the weight fall as a power of the distance, with exponent ${short(-settings.p)}: slowly enough to see long texts.`
      : say`With p = ${"1"} this is ALiBi, its slope ${short(settings.a)} trained; p under ${"1"} bends the line, so that far keys keep more.`,
  );
  return sentences;
}

export const kerple: Encoding<KerpleSettings> = {
  id: "kerple",
  name: "KERPLE",
  family: "bias",
  place: "added to the scores",
  sentence:
    "Every score loses by a kernel of the distance, a logarithm or a power, whose two numbers each head learns.",
  source: { text: "Chi et al. 2022, KERPLE", href: "https://arxiv.org/abs/2205.09921" },
  parameters: [
    choice("kind", "Kernel", { log: "logarithm", power: "power" }),
    number("p", "p", STRENGTHS, { hint: "Trained, one per head; at least 0." }),
    number("a", "a", STRENGTHS, { hint: "Trained, one per head; at least 0." }),
    toggle("causal", "Mask", ["causal", "none"]),
    trainedLength,
    ...shown(),
    logDistance,
  ],
  presets: KERPLE_PRESETS,
  views: [{ id: "bias", label: "One head" }, ATTENTION],
  formula,
  caption: (view) =>
    view === "attention"
      ? "Attention of one head if every token were the same: the bias alone decides."
      : "The bias of one head for every query and key.",
  reading,
  describe: (view, _settings, cell) =>
    view === "attention" ? describeWeight(cell) : describeScore(cell, "bias"),
  observe,
};
