import { exact, short } from "../picture/format";
import { call, DOT, EQUALS, id, MINUS, math, name, num, op, PLUS, row, sub } from "../picture/math";
import {
  GATED_POSITION_BIAS_PRESETS,
  type GatedPositionBiasSettings,
} from "../settings/gated_position_bias";
import type { Result } from "../types";
import { ATTENTION, attentionSentences, describeWeight, weightReading } from "./attention";
import {
  BUCKETS,
  contentSeed,
  DISTANCES,
  HEAD_DIMS,
  HEADS,
  head,
  number,
  tokens,
} from "./parameters";
import { contentNote, describeScore, randomSentence, scoreReading } from "./scores";
import { type Cell, type Encoding, type Sentence, say } from "./types";

const gate = (query: string) => sub(name("gate"), query);
const plain = (distance: string) => sub(id("W"), call(name("bucket"), distance));

function formula(): string {
  const opened = row(op("("), id("b"), DOT, name("const"), MINUS, num("1"), op(")"));
  return (
    math(
      call(name("bias"), id("q"), id("k")),
      EQUALS,
      gate(id("q")),
      DOT,
      plain(row(id("k"), MINUS, id("q"))),
    ) +
    math(gate(id("q")), EQUALS, row(id("a"), opened, PLUS, num("2"))) +
    math(row(id("a"), op(","), id("b")), EQUALS, row(name("sigmoids of the query\u2019s state")))
  );
}

function reading(
  view: string,
  _settings: GatedPositionBiasSettings,
  { facts }: Result,
  cell: Cell,
): string {
  const { row: first, column, value } = cell;
  if (view === "gates") {
    return math(
      sub(name("gate"), row(num(String(first)), op(","), num(String(column)))),
      EQUALS,
      num(exact(value)),
    );
  }
  const product = row(
    num(exact(facts.gates?.[first] ?? 0)),
    DOT,
    plain(num(exact(column - first))),
  );
  if (view === "attention") return weightReading(cell, product);
  return scoreReading(name("bias"), cell, product);
}

function describe(view: string, settings: GatedPositionBiasSettings, cell: Cell): string {
  if (view === "attention") return describeWeight(cell);
  if (view === "gates") return `head ${cell.row}, query ${cell.column}: gate`;
  return describeScore(cell, `gated bias of head ${settings.head}`);
}

function observe(
  view: string,
  { head: h, seed }: GatedPositionBiasSettings,
  { picture, facts }: Result,
): readonly Sentence[] {
  const gates = Array.from(facts.gates ?? []);
  const [low, high] = [Math.min(...gates), Math.max(...gates)];
  return [
    ...(view === "attention" ? attentionSentences(picture) : []),
    say`T5\u2019s bias of the distance comes first; then each query multiplies its whole row by its own gate, here between ${short(low)} and ${short(high)} in head ${String(h)}.`,
    say`The widest open query, ${String(gates.indexOf(high))}, makes ${short(high / low, 3)} times as much of the same distances as the least open one, ${String(gates.indexOf(low))}.`,
    say`The trained const of every head is ${"1"} here, where training starts: the gate a (b \u2212 1) + 2 then lies between ${"1"} and ${"2"}.`,
    randomSentence(seed, "States, gate weights and bias table are"),
  ];
}

export const gatedPositionBias: Encoding<GatedPositionBiasSettings> = {
  id: "gated_position_bias",
  name: "WavLM gate",
  family: "relative",
  place: "added to the scores",
  sentence:
    "T5\u2019s bucketed bias, multiplied for each query by a gate that the query\u2019s own state opens.",
  source: { text: "Chen et al. 2021, WavLM", href: "https://arxiv.org/abs/2110.13900" },
  parameters: [
    number("heads", "Heads", HEADS),
    number("headDim", "Head width", HEAD_DIMS),
    number("numBuckets", "Buckets", BUCKETS),
    number("maxDistance", "Largest distance", DISTANCES),
    contentSeed,
    head,
    tokens,
  ],
  presets: GATED_POSITION_BIAS_PRESETS,
  views: [{ id: "bias", label: "One head" }, { id: "gates", label: "Gates" }, ATTENTION],
  formula,
  caption: (view, { head: h, seed }) => {
    const random = contentNote(seed, "States and weights are");
    if (view === "gates") return `The gate of every head and query. ${random}`;
    return view === "attention"
      ? `Attention of head ${h} if the gated bias alone decided. ${random}`
      : `The gated bias of head ${h} for every query and key. ${random}`;
  },
  reading,
  describe,
  observe,
};
