import { short } from "../picture/format";
import {
  call,
  DOT,
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
  sup,
} from "../picture/math";
import { SINUSOIDAL_PRESETS, type SinusoidalSettings } from "../settings/sinusoidal";
import type { Result } from "../types";
import { rowEncoding } from "./additive";
import { BASES, choice, dim, number, trainedLength } from "./parameters";
import { type Cell, type Sentence, say } from "./types";

interface Column {
  readonly kind: "sine" | "cosine" | "zero";
  readonly pair: number;
}

function denominatorOf({ dim, denominator }: SinusoidalSettings): number {
  return denominator === "dim" ? dim : dim - 2;
}

/** What stands in a column: the sine or cosine of which pair. */
export function columnOf(settings: SinusoidalSettings, column: number): Column {
  const { dim, layout, oddWidth } = settings;
  const sines = oddWidth === "sine" ? Math.ceil(dim / 2) : Math.floor(dim / 2);
  if (oddWidth === "zero" && dim % 2 === 1 && column === dim - 1) return { kind: "zero", pair: 0 };
  if (layout === "interleaved") {
    return { kind: column % 2 === 0 ? "sine" : "cosine", pair: column >> 1 };
  }
  return column < sines ? { kind: "sine", pair: column } : { kind: "cosine", pair: column - sines };
}

/** Positions after which pair `pair` repeats. */
function period(settings: SinusoidalSettings, pair: number): number {
  return 2 * Math.PI * settings.base ** ((2 * pair) / denominatorOf(settings));
}

/** position * base^(-top / bottom) */
function angle(position: string, base: string, top: string, bottom: string): string {
  return row(position, DOT, sup(base, row(MINUS, over(top, bottom))));
}

function formula({ layout, denominator }: SinusoidalSettings): string {
  const bottom =
    denominator === "dim" ? name("dim") : row(op("("), name("dim"), MINUS, num("2"), op(")"));
  const turn = angle(id("p"), name("base"), row(num("2"), id("i")), bottom);
  const [sine, cosine] =
    layout === "interleaved"
      ? [row(num("2"), id("i")), row(num("2"), id("i"), PLUS, num("1"))]
      : [id("i"), row(over(name("dim"), num("2")), PLUS, id("i"))];
  const line = (column: string, fn: string) =>
    math(call(name("PE"), id("p"), column), EQUALS, call(name(fn), turn));
  return line(sine, "sin") + line(cosine, "cos");
}

function reading(settings: SinusoidalSettings, { row: position, column }: Cell): string {
  const { kind, pair } = columnOf(settings, column);
  const left = call(name("PE"), num(String(position)), num(String(column)));
  if (kind === "zero") return left;
  const [top, bottom] = [2 * pair, denominatorOf(settings)].map((one) => num(String(one)));
  const turn = angle(num(String(position)), num(String(settings.base)), top ?? "", bottom ?? "");
  return row(left, EQUALS, call(name(kind === "sine" ? "sin" : "cos"), turn));
}

function describe(settings: SinusoidalSettings, cell: Cell): string {
  const { kind, pair } = columnOf(settings, cell.column);
  return kind === "zero" ? "filled with zero" : `${kind} of pair ${pair}`;
}

/** The smallest distance whose score is under half of the first one; -1 when none is. */
export function halfWay(scores: Float32Array): number {
  const half = (scores[0] ?? 0) / 2;
  return scores.findIndex((score) => score < half);
}

function observe(
  view: string,
  settings: SinusoidalSettings,
  result: Result,
  cell: Cell,
): readonly Sentence[] {
  const pairs = Math.floor(settings.dim / 2);
  const scores = result.curve.lines[0]?.values ?? new Float32Array();
  const half = halfWay(scores);
  const sentences: Sentence[] = [];
  if (view !== "attention") {
    const { kind, pair } = columnOf(settings, cell.column);
    if (kind !== "zero") {
      sentences.push(
        say`Under the crosshair: pair ${String(pair)} repeats every ${short(period(settings, pair))} positions.`,
      );
    }
    const slow = Array.from({ length: pairs }, (_, i) => i).filter(
      (i) => period(settings, i) > settings.length,
    ).length;
    sentences.push(
      say`The first pair repeats every ${short(period(settings, 0))} positions, the last every ${short(period(settings, pairs - 1))}.`,
      say`${short(slow)} of ${short(pairs)} pairs do not get through one period in the ${short(settings.length)} positions shown; the slowest hardly change at all.`,
    );
  }
  sentences.push(
    half > 0
      ? say`The score of two rows is ${short(scores[0] ?? 0)} at distance 0 and first falls under half of that at distance ${short(half)}.`
      : say`The score of two rows is ${short(scores[0] ?? 0)} at distance 0 and stays above half of that as far as the curve goes.`,
  );
  return sentences;
}

export const sinusoidal = rowEncoding<SinusoidalSettings>({
  id: "sinusoidal",
  name: "Sinusoidal",
  sentence:
    "Every position gets a row of sines and cosines whose frequencies fall geometrically, and that row is added to the token's vector before the first layer.",
  source: {
    text: "Vaswani et al. 2017, Attention is all you need",
    href: "https://arxiv.org/abs/1706.03762",
  },
  parameters: [
    dim,
    number("base", "Base", BASES, { hint: "Frequencies are base^(\u22122i / dim)." }),
    choice("layout", "Layout", {
      interleaved: "sin, cos, sin, cos \u2026",
      half: "all sines, all cosines",
    }),
    choice("denominator", "Exponent\u2019s denominator", {
      dim: "dim (the paper)",
      "dim-2": "dim \u2212 2 (tensor2tensor, Whisper)",
    }),
    choice(
      "oddWidth",
      "Last column of an odd width",
      { sine: "one more sine", zero: "zero" },
      { when: (settings) => Number(settings.dim) % 2 === 1 },
    ),
    trainedLength,
  ],
  presets: SINUSOIDAL_PRESETS,
  dimOf: (settings) => settings.dim,
  formula,
  caption: () => "The table that is added to the input, one row per position.",
  reading,
  describe,
  observe,
});
