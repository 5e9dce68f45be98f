import { exact, short } from "../picture/format";
import {
  apply,
  call,
  DOT,
  EQUALS,
  id,
  MINUS,
  math,
  matrix,
  NEGATIVE,
  name,
  num,
  over,
  PLUS,
  root,
  row,
  sub,
  sup,
} from "../picture/math";
import { ROPE_PRESETS, type RopeSettings } from "../settings/rope";
import type { Result } from "../types";
import { ATTENTION, attentionSentences, describeWeight, weightReading } from "./attention";
import {
  BASES,
  causal,
  choice,
  HEAD_DIMS,
  logDistance,
  number,
  shown,
  trainedLength,
} from "./parameters";
import { frequencyFormula, SCALING_NOTES, SCALING_PARAMETERS } from "./rope_scaling";
import { type Cell, type Encoding, type Sentence, say } from "./types";

function formula(settings: RopeSettings): string {
  const { layout } = settings;
  const angle = id("\u03b8");
  const [cos, sin] = [apply("cos", angle), apply("sin", angle)];
  const twice = row(num("2"), id("i"));
  const [first, second] =
    layout === "half"
      ? [id("i"), row(id("i"), PLUS, over(id("r"), num("2")))]
      : [twice, row(twice, PLUS, num("1"))];
  const column = (letter: string) => matrix([sub(id(letter), first)], [sub(id(letter), second)]);
  return (
    math(column("y"), EQUALS, matrix([cos, row(NEGATIVE, sin)], [sin, cos]), column("x")) +
    math(angle, EQUALS, id("p"), DOT, sub(id("f"), id("i"))) +
    frequencyFormula(settings)
  );
}

function reading(view: string, settings: RopeSettings, result: Result, cell: Cell): string {
  const { row: position, column, value } = cell;
  if (view === "attention") {
    const mean = result.curve.lines[0]?.values[Math.abs(position - column)];
    const scale = root(num(String(settings.headDim)));
    return weightReading(cell, mean === undefined ? scale : row(num(exact(mean)), DOT, scale));
  }
  const { frequencies, attentionFactor = 1 } = result.facts;
  const fn = call(
    name(view === "sine" ? "sin" : "cos"),
    row(num(String(position)), DOT, frequencyOf(settings, column, frequencies?.[column] ?? 0)),
  );
  const scaled = attentionFactor === 1 ? fn : row(num(short(attentionFactor, 4)), DOT, fn);
  return math(scaled, EQUALS, num(exact(value)));
}

/** A pair's frequency: by its rule while that is short, else as the number it comes to. */
function frequencyOf(settings: RopeSettings, pair: number, frequency: number): string {
  const { base, factor, scaling } = settings;
  if (scaling !== "none" && scaling !== "linear") return num(short(frequency, 6));
  const rotary = settings.rotaryDim || settings.headDim;
  const exponent = row(MINUS, over(num(String(2 * pair)), num(String(rotary))));
  const power = sup(num(String(base)), exponent);
  return scaling === "none" ? power : over(power, num(String(factor)));
}

/** How many pairs a scaling slows down, and by how much at most. */
function scalingSentence({ frequencies, unscaledFrequencies }: Result["facts"]): Sentence[] {
  if (!frequencies || !unscaledFrequencies) return [];
  const slower = Array.from(frequencies, (f, pair) => (unscaledFrequencies[pair] ?? f) / f);
  const changed = slower.filter((ratio) => Math.abs(ratio - 1) > 1e-12).length;
  if (changed === 0) return [];
  const most = Math.max(...slower);
  return [
    say`The scaling slows ${short(changed)} of ${short(slower.length)} pairs, by up to ${short(most, 4)} times.`,
  ];
}

function describe(view: string, settings: RopeSettings, cell: Cell): string {
  if (view === "attention") return describeWeight(cell);
  const half = (settings.rotaryDim || settings.headDim) / 2;
  const [first, second] =
    settings.layout === "half"
      ? [cell.column, cell.column + half]
      : [2 * cell.column, 2 * cell.column + 1];
  const part = view === "sine" ? "sine" : "cosine";
  return `position ${cell.row}, pair ${cell.column} (dims ${first} and ${second}): ${part} of its angle`;
}

function turnSentence(frequencies: Float64Array, pair: number, trained: number): Sentence {
  const period = (2 * Math.PI) / (frequencies[pair] ?? 1);
  const every = short(period);
  const label = String(pair);
  if (trained <= 0) return say`Pair ${label} turns once every ${every} tokens.`;
  const tokens = short(trained, 7);
  if (period > trained) {
    return say`Pair ${label} turns once every ${every} tokens: it never gets round in the ${tokens} tokens this model was trained on.`;
  }
  if (period > trained / 2) {
    return say`Pair ${label} turns once every ${every} tokens: longer than half the ${tokens} tokens this model was trained on.`;
  }
  return say`Pair ${label} turns once every ${every} tokens: ${short(trained / period, 3)} times in the ${tokens} tokens this model was trained on.`;
}

function observe(
  view: string,
  settings: RopeSettings,
  result: Result,
  cell: Cell,
): readonly Sentence[] {
  const frequencies = result.facts.frequencies ?? new Float64Array();
  const { headDim, trainedLength: trained } = settings;
  const sentences: Sentence[] = [];
  const periods = Array.from(frequencies, (frequency) => (2 * Math.PI) / frequency);
  if (view === "attention") sentences.push(...attentionSentences(result.picture));
  else sentences.push(turnSentence(frequencies, cell.column, trained));
  sentences.push(
    say`The fastest pair turns once every ${short(Math.min(...periods))} tokens, the slowest every ${short(Math.max(...periods))}.`,
  );
  sentences.push(...scalingSentence(result.facts));
  if (trained > 0) {
    const slow = periods.filter((period) => period > trained).length;
    sentences.push(
      say`${short(slow)} of ${short(periods.length)} pairs never get round within ${short(trained, 7)} tokens: past that length they reach angles that training did not show.`,
    );
  }
  const still = headDim - 2 * periods.length;
  if (still > 0) {
    sentences.push(
      say`${short(still)} of ${short(headDim)} dims of a head are not rotated: they carry content alone, and hold the curve up by ${short(still / headDim, 3)}.`,
    );
  }
  const scores = result.curve.lines[0]?.values ?? new Float32Array();
  const negative = scores.findIndex((score) => score < 0);
  sentences.push(
    negative > 0
      ? say`The curve starts at ${short(scores[0] ?? 0)} and first falls below zero at distance ${short(negative, 6)}.`
      : say`The curve starts at ${short(scores[0] ?? 0)} and stays above zero for all ${short(scores.length, 6)} distances.`,
  );
  return sentences;
}

const CAPTIONS: Record<string, string> = {
  cosine: "The cosine of every pair\u2019s angle: what the rotation at each position is made of.",
  sine: "The sine of every pair\u2019s angle: what the rotation at each position is made of.",
  attention:
    "Attention of one head if every token were the same: queries and keys are all ones before they are rotated.",
};

export const rope: Encoding<RopeSettings> = {
  id: "rope",
  name: "RoPE",
  family: "rotary",
  place: "rotates queries and keys",
  sentence:
    "Each pair of a query\u2019s or key\u2019s dims is turned by an angle that grows with its position, so that their product depends only on the distance between them.",
  source: { text: "Su et al. 2021, RoFormer", href: "https://arxiv.org/abs/2104.09864" },
  parameters: [
    number("headDim", "Head width", HEAD_DIMS, { hint: "Dims of one head, even." }),
    number("rotaryDim", "Rotated dims", [0, ...HEAD_DIMS], {
      hint: "Even, at most the head width; 0: all of them. Called r in the formula.",
    }),
    number("base", "Base", BASES, { hint: "Often called rope_theta." }),
    choice("layout", "Pairs", {
      half: "(i, i + r/2): NeoX, Llama",
      interleaved: "(2i, 2i + 1): RoFormer, GPT-J",
    }),
    ...SCALING_PARAMETERS,
    trainedLength,
    ...shown([causal]),
    logDistance,
  ],
  presets: ROPE_PRESETS,
  views: [{ id: "cosine", label: "Cosines" }, { id: "sine", label: "Sines" }, ATTENTION],
  formula,
  caption: (view, { scaling }) => `${CAPTIONS[view] ?? ""}${SCALING_NOTES[scaling]}`,
  reading,
  describe,
  observe,
};
