import { short } from "../picture/format";
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
import { HIERARCHICAL_PRESETS, type HierarchicalSettings } from "../settings/hierarchical";
import type { Result } from "../types";
import { rowEncoding } from "./additive";
import { dim, number, ROWS, seed } from "./parameters";
import { type Cell, type Sentence, say } from "./types";

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

function reading(settings: HierarchicalSettings, { row: position, column }: Cell): string {
  const [fine, coarse] = rowsOf(position, settings).map((one) => num(String(one)));
  const left = call(name("PE"), num(String(position)), num(String(column)));
  const share = num(short(settings.alpha / (1 - settings.alpha)));
  return row(left, EQUALS, rule(fine ?? "", coarse ?? "", share));
}

function observe(
  _view: string,
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
  const again = scores[rows];
  if (again !== undefined) {
    sentences.push(
      say`A row scores ${short(scores[0] ?? 0)} with itself and ${short(again)} with the one ${short(rows)} positions on, which shares its fine row.`,
    );
  }
  return sentences;
}

export const hierarchical = rowEncoding<HierarchicalSettings>({
  id: "hierarchical",
  name: "Hierarchical",
  sentence:
    "A trained table of n rows is read twice, by the fine and by the coarse part of the position, so that it reaches n\u00b2 positions without training.",
  source: { text: "Su 2020, hierarchical decomposition", href: "https://kexue.fm/archives/7947" },
  parameters: [
    number("rows", "Trained rows, n", ROWS),
    dim,
    number("alpha", "Weight \u03b1", [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9], {
      hint: "Of the coarse row; not 1.",
    }),
    seed,
  ],
  presets: HIERARCHICAL_PRESETS,
  dimOf: (settings) => settings.dim,
  formula,
  caption: ({ seed }) =>
    `Trained rows and the rows made of them, of random numbers (seed ${seed}): this page ships no weights.`,
  attentionNote: ({ seed }) => `Random rows (seed ${seed}), not trained ones.`,
  reading,
  describe(settings, { row: position }) {
    const [fine, coarse] = rowsOf(position, settings);
    return `trained rows ${fine} and ${coarse}`;
  },
  observe,
});
