import { short } from "../picture/format";
import {
  apply,
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
  row,
  sub,
} from "../picture/math";
import { FIRE_PRESETS, type FireSettings } from "../settings/fire";
import type { Result } from "../types";
import { ATTENTION, attentionSentences, describeWeight, weightReading } from "./attention";
import { HEADS, HIDDEN, head, logDistance, number, seed, shown, toggle } from "./parameters";
import { describeScore, randomSentence, scoreReading, untrained } from "./scores";
import { type Cell, type Encoding, type Sentence, say } from "./types";

const PSI = id("\u03c8");
/** The library's guard against a division by 0, as in the paper's code. */
const EPS = 1e-6;

const network = (input: string, head: string) => call(sub(id("f"), head), input);
const psi = ({ c }: FireSettings, x: number) => Math.log1p(Math.abs(c * x));

function formula(): string {
  const bias = call(sub(name("bias"), id("h")), id("q"), id("k"));
  const largest = call(name("max"), id("L"), id("q"));
  const ratio = frac(
    call(PSI, row(id("q"), MINUS, id("k"))),
    row(call(PSI, largest), PLUS, id("\u03b5")),
  );
  const inside = row(op("("), op("|"), id("c"), DOT, id("x"), op("|"), PLUS, num("1"), op(")"));
  return (
    math(bias, EQUALS, network(id("r"), id("h"))) +
    math(id("r"), EQUALS, ratio) +
    math(call(PSI, id("x")), EQUALS, apply("ln", inside))
  );
}

/** What the network sees: 0 at the query itself, about 1 at the text's first token. */
function ratioOf(settings: FireSettings, query: number, key: number): number {
  const bottom = psi(settings, Math.max(settings.threshold, query)) + EPS;
  return psi(settings, query - key) / bottom;
}

function reading(view: string, settings: FireSettings, _: Result, cell: Cell): string {
  const ratio = ratioOf(settings, cell.row, cell.column);
  const value = network(num(short(ratio, 7)), num(String(settings.head)));
  if (view === "attention") return weightReading(cell, value);
  return scoreReading(sub(name("bias"), num(String(settings.head))), cell, value);
}

function observe(
  view: string,
  settings: FireSettings,
  { picture }: Result,
  { row: query, column: key }: Cell,
): readonly Sentence[] {
  const { heads, hidden, threshold, causal } = settings;
  const sentences: Sentence[] = view === "attention" ? [...attentionSentences(picture)] : [];
  if (!causal || key <= query) {
    const far = query + 10000;
    sentences.push(
      say`Under the crosshair the network sees r = ${short(ratioOf(settings, query, key))}. The same distance gives ${short(ratioOf(settings, far, key + 10000))} to a query ${"10,000"} positions on.`,
    );
  }
  if (threshold > 0) {
    sentences.push(
      say`Queries before position ${short(threshold, 7)} are all normalised by ${short(threshold, 7)}: among them the bias does depend on the distance alone.`,
    );
  }
  sentences.push(
    say`However long the text is, the network\u2019s input stays between ${"0"} and about ${"1"} for keys before the query. It has ${short(2 * hidden + heads * (hidden + 1), 7)} numbers for ${short(heads)} heads.`,
    randomSentence(settings.seed, "Its weights are"),
  );
  return sentences;
}

export const fire: Encoding<FireSettings> = {
  id: "fire",
  name: "FIRE",
  family: "bias",
  place: "added to the scores",
  sentence:
    "A small network turns the distance, in proportion to how far the query is from the start, into one number per head, which is added to the score.",
  source: { text: "Li et al. 2023, FIRE", href: "https://arxiv.org/abs/2310.04418" },
  parameters: [
    number("heads", "Heads", HEADS),
    number("hidden", "Hidden width", HIDDEN, { hint: "Of the network\u2019s hidden layer." }),
    number("c", "c", [0.001, 0.01, 0.03, 0.1, 0.3, 1, 3, 10], {
      hint: "Trained; how soon the logarithm bends.",
    }),
    number("threshold", "Threshold L", [0, 16, 64, 128, 256, 512, 1024, 2048], {
      hint: "Trained; queries nearer to the start are normalised by it.",
    }),
    toggle("causal", "Mask", ["causal", "none"]),
    seed,
    head,
    ...shown(),
    logDistance,
  ],
  presets: FIRE_PRESETS,
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
