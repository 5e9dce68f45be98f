import { short } from "../picture/format";
import { call, DOT, EQUALS, id, math, num, over, root, row, sub } from "../picture/math";
import { NOPE_PRESETS, type NopeSettings } from "../settings/nope";
import type { Result } from "../types";
import { ATTENTION, describeWeight, weightReading } from "./attention";
import { causal, shown } from "./parameters";
import { type Cell, type Encoding, type Sentence, say } from "./types";

function formula(): string {
  const product = row(sub(id("q"), id("i")), DOT, sub(id("k"), id("j")));
  return math(call(id("s"), id("i"), id("j")), EQUALS, over(product, root(id("d"))));
}

function observe(
  _view: string,
  settings: NopeSettings,
  result: Result,
  cell: Cell,
): readonly Sentence[] {
  const { offset, length } = settings;
  const seen = settings.causal ? cell.row - offset + 1 : length;
  const sentences: Sentence[] = [
    say`Query ${String(cell.row)} sees ${short(seen)} keys and gives each 1/${short(seen)} = ${short(1 / seen)}.`,
  ];
  sentences.push(
    settings.causal
      ? say`Every row has another number of keys: under a causal mask, how many tokens came before is the one trace of position that is left.`
      : say`All ${short(length)} rows are the same: without a mask and without positions, attention cannot tell one order of the tokens from another.`,
  );
  const values = result.curve.lines[0]?.values ?? new Float32Array();
  sentences.push(
    say`What is added to the score is ${short(values[0] ?? 0)} at every one of ${short(values.length, 6)} distances.`,
  );
  return sentences;
}

export const nope: Encoding<NopeSettings> = {
  id: "nope",
  name: "NoPE",
  family: "none",
  place: "nothing is added",
  sentence:
    "No position encoding at all: the score of a query and a key depends on their content alone.",
  source: {
    text: "Kazemnejad et al. 2023, The impact of positional encoding on length generalization",
    href: "https://arxiv.org/abs/2305.19466",
  },
  parameters: shown([causal]),
  presets: NOPE_PRESETS,
  views: [ATTENTION],
  formula,
  caption: () => "Attention of one head if every token were the same: nothing tells them apart.",
  reading: (_view, _settings, _result, cell) => weightReading(cell, num("0")),
  describe: (_view, _settings, cell) => describeWeight(cell),
  observe,
};
