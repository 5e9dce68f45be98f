import { short } from "../picture/format";
import {
  apply,
  call,
  EQUALS,
  id,
  MINUS,
  math,
  name,
  num,
  op,
  PLUS,
  row,
  sub,
} from "../picture/math";
import {
  DYNAMIC_POSITION_BIAS_PRESETS,
  type DynamicPositionBiasSettings,
} from "../settings/dynamic_position_bias";
import type { Result } from "../types";
import { ATTENTION, attentionSentences, describeWeight, weightReading } from "./attention";
import { causal, HEADS, HIDDEN, head, number, seed, shown, toggle } from "./parameters";
import { describeScore, randomSentence, scoreReading, untrained } from "./scores";
import { type Cell, type Encoding, type Sentence, say } from "./types";

const network = (input: string, head: string) => call(sub(id("f"), head), input);

/** What the network sees of a distance. */
function input({ logInput }: DynamicPositionBiasSettings, distance: string): string {
  if (!logInput) return distance;
  const inside = row(op("("), num("1"), PLUS, op("|"), distance, op("|"), op(")"));
  return row(call(name("sign"), distance), apply("ln", inside));
}

function formula(settings: DynamicPositionBiasSettings): string {
  const bias = call(sub(name("bias"), id("h")), id("q"), id("k"));
  if (!settings.logInput) return math(bias, EQUALS, network(row(id("q"), MINUS, id("k")), id("h")));
  return (
    math(bias, EQUALS, network(input(settings, id("d")), id("h"))) +
    math(id("d"), EQUALS, row(id("q"), MINUS, id("k")))
  );
}

function reading(
  view: string,
  settings: DynamicPositionBiasSettings,
  _: Result,
  cell: Cell,
): string {
  const distance = cell.row - cell.column;
  const seen = settings.logInput ? Math.sign(distance) * Math.log1p(Math.abs(distance)) : distance;
  const value = network(num(short(seen, 7)), num(String(settings.head)));
  if (view === "attention") return weightReading(cell, value);
  return scoreReading(sub(name("bias"), num(String(settings.head))), cell, value);
}

function observe(
  view: string,
  settings: DynamicPositionBiasSettings,
  { picture, curve }: Result,
): readonly Sentence[] {
  const { heads, hidden, curveLength } = settings;
  const values = curve.lines.find((line) => line.main)?.values ?? new Float32Array();
  const weights = 2 * hidden + hidden * (hidden + 1) + heads * (hidden + 1);
  const here = values[curveLength - 1] ?? 0;
  return [
    ...(view === "attention" ? attentionSentences(picture) : []),
    say`A network of ${weights.toLocaleString("en-US")} numbers gives ${short(heads)} heads a bias at every distance, also at those that no training text had.`,
    say`Head ${String(settings.head)} adds ${short(here)} at distance ${"0"} and ${short(values[0] ?? 0)} to a key ${short(curveLength - 1, 7)} tokens back.`,
    settings.logInput
      ? say`It sees the logarithm of the distance: from ${"100"} to ${"1,000"} tokens is as far for it as from ${"10"} to about ${"100"}.`
      : say`It sees the distance itself, so that far away, where no unit bends any more, its bias comes close to a straight line.`,
    randomSentence(settings.seed, "Its weights are"),
  ];
}

export const dynamicPositionBias: Encoding<DynamicPositionBiasSettings> = {
  id: "dynamic_position_bias",
  name: "Dynamic bias",
  family: "bias",
  place: "added to the scores",
  sentence:
    "A small network turns the distance between query and key into one number per head, which is added to the score.",
  source: {
    text: "Wang et al. 2021, CrossFormer; x-transformers",
    href: "https://arxiv.org/abs/2108.00154",
  },
  parameters: [
    number("heads", "Heads", HEADS),
    number("hidden", "Hidden width", HIDDEN, { hint: "Of the network\u2019s two hidden layers." }),
    toggle("logInput", "The network sees", ["ln distance", "distance"]),
    seed,
    head,
    ...shown([causal]),
  ],
  presets: DYNAMIC_POSITION_BIAS_PRESETS,
  views: [{ id: "bias", label: "One head" }, ATTENTION],
  formula,
  caption: (view, settings) => {
    const random = untrained(settings.seed, "The network\u2019s weights are");
    return view === "attention"
      ? `Attention of head ${settings.head} if every token were the same. ${random}`
      : `The bias of head ${settings.head} for every query and key. ${random}`;
  },
  reading,
  describe: (view, settings, cell) =>
    view === "attention"
      ? describeWeight(cell)
      : describeScore(cell, `bias of head ${settings.head}`),
  observe,
};
