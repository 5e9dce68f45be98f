import { exact, short } from "../picture/format";
import { call, DOT, EQUALS, id, math, name, num, op, over, root, row, sub } from "../picture/math";
import { COPE_PRESETS, type CopeSettings } from "../settings/cope";
import type { Result } from "../types";
import { ATTENTION, attentionSentences, describeWeight, weightReading } from "./attention";
import { contentSeed, HEAD_DIMS, number, toggle, tokens } from "./parameters";
import { contentNote, contentScore, describeScore, randomSentence, scoreReading } from "./scores";
import { type Cell, type Encoding, type Sentence, say } from "./types";

const position = (query: string, key: string) => sub(id("p"), row(query, op(","), key));
const added = (query: string, place: string) => row(sub(id("q"), query), DOT, call(id("E"), place));

/** min(P - 1, the sum of sigmoid(q . k[j] / sqrt(d)) from the key on) */
function count(query: string, key: string, most: string, width: string): string {
  const product = over(row(sub(id("q"), query), DOT, sub(id("k"), id("j"))), root(width));
  const sum = row(sub(op("\u2211"), row(id("j"), op("\u2265"), key)), call(id("\u03c3"), product));
  return call(name("min"), most, sum);
}

function formula({ maxPos }: CopeSettings): string {
  const [query, key] = [id("q"), id("k")];
  return (
    math(call(name("term"), query, key), EQUALS, added(query, position(query, key))) +
    math(position(query, key), EQUALS, count(query, key, num(String(maxPos - 1)), id("d")))
  );
}

function reading(view: string, settings: CopeSettings, _: Result, cell: Cell): string {
  const [query, key] = [cell.row, cell.column].map((one) => num(String(one))) as [string, string];
  const width = num(String(settings.headDim));
  if (view === "positions") {
    const value = num(exact(cell.value));
    if (!Number.isFinite(cell.value)) return math(position(query, key), EQUALS, value);
    const rule = count(query, key, num(String(settings.maxPos - 1)), width);
    return math(position(query, key), EQUALS, rule, EQUALS, value);
  }
  const term = added(query, position(query, key));
  if (view === "attention") return weightReading(cell, contentScore(cell, width, term));
  return scoreReading(name("term"), cell, term);
}

function describe(view: string, _settings: CopeSettings, cell: Cell): string {
  if (view === "attention") return describeWeight(cell);
  return describeScore(cell, view === "positions" ? "counted position" : "added term");
}

function observe(
  view: string,
  { maxPos, seed }: CopeSettings,
  { picture, curve }: Result,
): readonly Sentence[] {
  const positions = curve.lines.find((line) => line.main)?.values ?? new Float32Array();
  const last = positions.filter((one) => one >= maxPos - 1).length;
  const sentences: Sentence[] = view === "attention" ? [...attentionSentences(picture)] : [];
  sentences.push(
    say`On the curve, ${short(positions.length)} keys count as ${short(positions[0] ?? 0)} positions: each is counted as far as its gate is open.`,
    last > 0
      ? say`${short(last)} of them lie at position ${short(maxPos - 1)}, where counting stops: the table\u2019s ${short(maxPos)} rows end there.`
      : say`None of them gets as far as position ${short(maxPos - 1)}, where counting stops and the table ends.`,
    say`A trained model can open the gate only at words, sentences or whatever it wants to count; here gates are about half open, by chance.`,
    randomSentence(seed, "Queries, keys and table are"),
  );
  return sentences;
}

export const cope: Encoding<CopeSettings> = {
  id: "cope",
  name: "CoPE",
  family: "relative",
  place: "added to the scores",
  sentence:
    "Positions count what each query chooses to count: the sigmoids of its scores are summed back from the last key, and the sum is looked up, between whole positions, in a trained table.",
  source: {
    text: "Golovneva et al. 2024, Contextual position encoding",
    href: "https://arxiv.org/abs/2405.18719",
  },
  parameters: [
    number("headDim", "Head width", HEAD_DIMS),
    number("maxPos", "Positions, P", [2, 4, 8, 16, 32, 64, 128, 256, 512], {
      hint: "Rows of the table; counting stops at P \u2212 1.",
    }),
    toggle("causal", "Mask", ["causal", "none"]),
    contentSeed,
    tokens,
  ],
  presets: COPE_PRESETS,
  views: [{ id: "positions", label: "Positions" }, { id: "term", label: "Added term" }, ATTENTION],
  formula,
  caption: (view, { seed }) => {
    const random = contentNote(seed, "Queries, keys and table are");
    if (view === "positions") return `The position that each query counts for every key. ${random}`;
    return view === "attention"
      ? `Attention of one head, content and term together. ${random}`
      : `What one head adds to the score of every query and key. ${random}`;
  },
  reading,
  describe,
  observe,
};
