import { exact, short } from "../picture/format";
import {
  call,
  EQUALS,
  id,
  MINUS,
  math,
  name,
  num,
  op,
  over,
  PLUS,
  row,
  sub,
} from "../picture/math";
import { HIERARCHICAL_PRESETS } from "../presets";
import type { HierarchicalSettings } from "../settings";
import type { Result } from "../types";
import {
  ATTENTION,
  attentionSentences,
  describeWeight,
  rowScore,
  weightReading,
} from "./attention";
import { causal, DIMS, logDistance, number, ROWS, seed, shown } from "./parameters";
import { type Cell, type Encoding, type Sentence, say } from "./types";

const grouped = (...parts: string[]) => row(op("("), ...parts, op(")"));
const weight = (index: string) => sub(id("W"), index);

/** W[fine] + share (W[coarse] - W[0]) */
function rule(fine: string, coarse: string, share: string): string {
  return row(weight(fine), PLUS, share, grouped(weight(coarse), MINUS, weight(num("0"))));
}

function formula(): string {
  const alpha = id("\u03b1");
  const share = over(alpha, grouped(num("1"), MINUS, alpha));
  return (
    math(call(name("PE"), id("p")), EQUALS, rule(id("i"), id("j"), share)) +
    math(id("i"), EQUALS, row(id("p"), name("\u2009mod\u2009"), id("n"))) +
    math(id("j"), EQUALS, row(op("\u230a"), over(id("p"), id("n")), op("\u230b")))
  );
}

/** The two rows that a position is made of. */
function rowsOf(position: number, { rows }: HierarchicalSettings): [fine: number, coarse: number] {
  return [position % rows, Math.floor(position / rows)];
}

function reading(view: string, settings: HierarchicalSettings, _: Result, cell: Cell): string {
  if (view === "attention") return weightReading(cell, rowScore(cell, settings.dim));
  const { row: position, column, value } = cell;
  const [fine, coarse] = rowsOf(position, settings).map((one) => num(String(one)));
  const left = call(name("PE"), num(String(position)), num(String(column)));
  const share = num(short(settings.alpha / (1 - settings.alpha)));
  return (
    math(left, EQUALS, num(exact(value))) + math(EQUALS, rule(fine ?? "", coarse ?? "", share))
  );
}

function observe(
  view: string,
  settings: HierarchicalSettings,
  result: Result,
): readonly Sentence[] {
  const { rows, dim, alpha } = settings;
  const limit = result.facts.maxPositions ?? 0;
  const scores = result.curve.lines[0]?.values ?? new Float32Array();
  const sentences: Sentence[] = [
    say`${short(rows)} trained rows reach ${short(limit, 9)} positions: position p is made of the rows p mod n and p / n. This page ships no weights: random rows of ${short(dim)} numbers (seed ${String(settings.seed)}) stand in their place.`,
    say`Positions ${"0"} to ${short(rows - 1)} are the trained rows themselves, bit for bit; later ones add ${short(alpha / (1 - alpha))} times a second row less the first.`,
    say`Asked for the first position past the end, the library says: \u201c${result.facts.pastTheEnd ?? ""}\u201d`,
  ];
  if (view === "attention") sentences.push(...attentionSentences(result.picture));
  const again = scores[rows];
  if (again !== undefined) {
    sentences.push(
      say`A row scores ${short(scores[0] ?? 0)} with itself and ${short(again)} with the one ${short(rows)} positions on, which shares its fine row.`,
    );
  }
  return sentences;
}

export const hierarchical: Encoding<HierarchicalSettings> = {
  id: "hierarchical",
  name: "Hierarchical",
  place: "added to the input",
  sentence:
    "A trained table of n rows is read twice, by the fine and by the coarse part of the position, so that it reaches n\u00b2 positions without training.",
  source: { text: "Su 2020, hierarchical decomposition", href: "https://kexue.fm/archives/7947" },
  parameters: [
    number("rows", "Trained rows, n", ROWS),
    number("dim", "Dimensions", DIMS, { hint: "Width of a row, dim." }),
    number("alpha", "Weight \u03b1", [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9], {
      hint: "Of the coarse row; not 1.",
    }),
    seed,
    ...shown([causal]),
    logDistance,
  ],
  presets: HIERARCHICAL_PRESETS,
  views: [{ id: "table", label: "Table" }, ATTENTION],
  formula,
  caption: (view, settings) =>
    view === "attention"
      ? `Attention of one head if every token were nothing but its row. Random rows (seed ${settings.seed}), not trained ones.`
      : `Trained rows and the rows made of them, of random numbers (seed ${settings.seed}): this page ships no weights.`,
  reading,
  describe(view, settings, cell) {
    if (view === "attention") return describeWeight(cell);
    const [fine, coarse] = rowsOf(cell.row, settings);
    return `position ${cell.row}, dimension ${cell.column}: trained rows ${fine} and ${coarse}`;
  },
  observe,
};
