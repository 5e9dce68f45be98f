import { percent, short } from "../picture/format";
import { apply, call, DOT, EQUALS, id, math, name, num, op, row, sub } from "../picture/math";
import { FORGETTING_BIAS_PRESETS, type ForgettingBiasSettings } from "../settings/forgetting_bias";
import type { Result } from "../types";
import { ATTENTION, attentionSentences, describeWeight, weightReading } from "./attention";
import { contentSeed, HEADS, head, number, tokens } from "./parameters";
import { describeScore, randomSentence, scoreReading } from "./scores";
import { type Cell, type Encoding, type Sentence, say } from "./types";

/** The sum of the logarithms of the gates after the key, up to the query's. */
function rule(query: string, key: string, scale: number): string {
  const range = row(key, op("&lt;"), id("t"), op("\u2264"), query);
  const sum = row(sub(op("\u2211"), range), apply("ln", sub(id("f"), id("t"))));
  return scale === 1 ? sum : row(num(String(scale)), DOT, sum);
}

function formula({ logScale }: ForgettingBiasSettings): string {
  const gate = call(id("\u03c3"), sub(id("g"), id("t")));
  return (
    math(call(name("bias"), id("q"), id("k")), EQUALS, rule(id("q"), id("k"), logScale)) +
    math(sub(id("f"), id("t")), EQUALS, gate)
  );
}

function reading(
  view: string,
  { logScale }: ForgettingBiasSettings,
  _: Result,
  cell: Cell,
): string {
  const sum = rule(num(String(cell.row)), num(String(cell.column)), logScale);
  return view === "attention" ? weightReading(cell, sum) : scoreReading(name("bias"), cell, sum);
}

function observe(
  view: string,
  { head: h, length, seed }: ForgettingBiasSettings,
  { picture, curve, facts }: Result,
): readonly Sentence[] {
  const gates = Array.from(facts.gates ?? [], (logit) => 1 / (1 + Math.exp(-logit)));
  const closed = gates.indexOf(Math.min(...gates));
  const values = curve.lines.find((line) => line.main)?.values ?? new Float32Array();
  const half = values.findIndex((value) => value > -Math.LN2);
  return [
    ...(view === "attention" ? attentionSentences(picture) : []),
    say`The gates of head ${String(h)} are between ${percent(Math.min(...gates))} and ${percent(Math.max(...gates))} open. The one of token ${String(closed)} closes most: for queries from there on, all keys before it lose by it.`,
    say`The last query keeps more than half of the weight of its nearest ${short(length - half)} keys, by the gates alone.`,
    say`Nothing here is a rule of the distance: each token says, by its own content, how much of what came before is forgotten.`,
    randomSentence(seed, "The logits of the gates are"),
  ];
}

export const forgettingBias: Encoding<ForgettingBiasSettings> = {
  id: "forgetting_bias",
  name: "Forgetting",
  family: "relative",
  place: "added to the scores",
  sentence:
    "Every token has a gate that its content opens or closes; a key\u2019s score loses by all the gates between it and the query.",
  source: {
    text: "Lin et al. 2025, Forgetting transformer",
    href: "https://arxiv.org/abs/2503.02130",
  },
  parameters: [
    number("heads", "Heads", HEADS),
    number("logScale", "Log scale", [0.1, 0.3, 1, 3, 10]),
    number("gate", "Logits around", undefined, { hint: "Of the gates; 0 is half open." }),
    number("spread", "Logits vary by", [0, 1, 2, 4, 6, 8, 10, 12]),
    contentSeed,
    head,
    tokens,
  ],
  presets: FORGETTING_BIAS_PRESETS,
  views: [{ id: "bias", label: "One head" }, ATTENTION],
  formula,
  caption: (view, { head: h, seed }) => {
    const random = `Random gates (seed ${seed}) stand for those that a text opens.`;
    return view === "attention"
      ? `Attention of head ${h} if the gates alone decided. ${random}`
      : `The bias of head ${h} for every query and key. ${random}`;
  },
  reading,
  describe: (view, { head: h }, cell) =>
    view === "attention" ? describeWeight(cell) : describeScore(cell, `bias of head ${h}`),
  observe,
};
