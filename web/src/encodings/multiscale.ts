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
  sub,
  sup,
} from "../picture/math";
import { MULTISCALE_PRESETS, type MultiscaleSettings } from "../settings/multiscale";
import type { Result } from "../types";
import { rowEncoding } from "./additive";
import { BASES, choice, DIMS, number, toggle } from "./parameters";
import { type Cell, type Sentence, say } from "./types";

interface Level {
  readonly name: string;
  readonly dim: number;
  readonly base: number;
  /** Of a token: the number of its section, of its sentence there, of itself in the sentence. */
  placeOf(token: number): number;
}

function levelsOf(settings: MultiscaleSettings): readonly Level[] {
  const { tokensPerSentence, sentencesPerSection, coarseBase, base } = settings;
  const sentence = (token: number) => Math.floor(token / tokensPerSentence);
  return [
    {
      name: "section",
      dim: settings.sectionDim,
      base: coarseBase,
      placeOf: (token) => Math.floor(sentence(token) / sentencesPerSection),
    },
    {
      name: "sentence",
      dim: settings.sentenceDim,
      base: coarseBase,
      placeOf: (token) => sentence(token) % sentencesPerSection,
    },
    {
      name: "token",
      dim: settings.tokenDim,
      base,
      placeOf: (token) => token % tokensPerSentence,
    },
  ];
}

/** Which level a column belongs to, and which sine or cosine of it the column holds. */
function columnOf(settings: MultiscaleSettings, column: number) {
  let first = 0;
  for (const level of levelsOf(settings)) {
    if (column < first + level.dim)
      return { level, ...functionOf(settings, level.dim, column - first) };
    first += level.dim;
  }
  throw new Error(`no level has column ${column}`);
}

function functionOf({ interleaved }: MultiscaleSettings, dim: number, column: number) {
  if (interleaved) return { fn: column % 2 === 0 ? "sin" : "cos", pair: column >> 1 };
  const pairs = dim / 2;
  return column < pairs ? { fn: "sin", pair: column } : { fn: "cos", pair: column - pairs };
}

const angle = (place: string, base: string, top: string, bottom: string) =>
  row(place, DOT, sup(base, row(MINUS, over(top, bottom))));

function formula({ combine }: MultiscaleSettings): string {
  const levels = ["section", "sentence", "token"].map(name);
  const all =
    combine === "sum" ? row(levels.join(PLUS)) : row(op("["), levels.join(op(",")), op("]"));
  const [base, dim] = [sub(name("base"), id("l")), sub(name("dim"), id("l"))];
  const turn = angle(id("p"), base, row(num("2"), id("i")), dim);
  return (
    math(name("PE"), EQUALS, all) +
    math(name("level"), id("l"), EQUALS, call(name("sin, cos"), turn))
  );
}

function reading(settings: MultiscaleSettings, { row: token, column }: Cell): string {
  const value = (level: Level, fn: string, pair: number) => {
    const [place, base, top, bottom] = [level.placeOf(token), level.base, 2 * pair, level.dim].map(
      (one) => num(String(one)),
    ) as [string, string, string, string];
    return call(name(fn), angle(place, base, top, bottom));
  };
  if (settings.combine === "concatenate") {
    const { level, fn, pair } = columnOf(settings, column);
    return value(level, fn, pair);
  }
  const { fn, pair } = functionOf(settings, settings.tokenDim, column);
  return levelsOf(settings)
    .map((level) => value(level, fn, pair))
    .join(PLUS);
}

function describe(settings: MultiscaleSettings, { row: token, column }: Cell): string {
  const places = levelsOf(settings).map((level) => `${level.name} ${level.placeOf(token)}`);
  const all = places.join(", ");
  if (settings.combine === "sum") return `sum of three levels at ${all}`;
  return `part of the ${columnOf(settings, column).level.name}, at ${all}`;
}

function observe(
  _view: string,
  settings: MultiscaleSettings,
  { curve }: Result,
): readonly Sentence[] {
  const { tokensPerSentence, sentencesPerSection, combine, offset } = settings;
  const scores = curve.lines[0]?.values ?? new Float32Array();
  const section = tokensPerSentence * sentencesPerSection;
  const sentences: Sentence[] = [
    say`Sentences of ${short(tokensPerSentence)} tokens and sections of ${short(sentencesPerSection)} sentences: every token has three positions instead of one.`,
    combine === "sum"
      ? say`The three rows are added, so that all levels share the same columns.`
      : say`Each level has columns of its own: ${String(settings.sectionDim)} for the section, ${String(settings.sentenceDim)} for the sentence, ${String(settings.tokenDim)} for the token.`,
  ];
  const [next, far] = [scores[tokensPerSentence], scores[section]];
  if (next !== undefined) {
    sentences.push(
      say`A row scores ${short(scores[0] ?? 0)} with itself and ${short(next)} with the token ${short(tokensPerSentence)} positions on, at the same place of the next sentence.`,
    );
  }
  if (far !== undefined) {
    sentences.push(
      say`The token ${short(section)} positions on, at the same place of the next section, scores ${short(far)}. The curve starts at position ${short(offset, 7)}.`,
    );
  }
  return sentences;
}

const dims = (name: string, label: string) => number(name, label, DIMS);

export const multiscale = rowEncoding<MultiscaleSettings>({
  id: "multiscale",
  name: "Multiscale",
  sentence:
    "Several positions at once: where a token lies in its sentence, its sentence in the section and the section in the text, each with a sinusoid of its own.",
  source: {
    text: "Vaswani et al. 2017, of which it is a generalisation",
    href: "https://arxiv.org/abs/1706.03762",
  },
  parameters: [
    choice("combine", "Levels are", { concatenate: "side by side", sum: "added" }),
    dims("sectionDim", "Dims of the section"),
    dims("sentenceDim", "Dims of the sentence"),
    dims("tokenDim", "Dims of the token"),
    number("coarseBase", "Base of the first two", BASES),
    number("base", "Base of the token", BASES),
    toggle("interleaved", "Layout", ["sin, cos \u2026", "sines first"], {
      hint: "Of the columns of each level.",
    }),
    number("tokensPerSentence", "Tokens of a sentence", [4, 8, 16, 32, 64], { section: "shown" }),
    number("sentencesPerSection", "Sentences of a section", [1, 2, 4, 8, 16], { section: "shown" }),
  ],
  presets: MULTISCALE_PRESETS,
  dimOf: ({ combine, sectionDim, sentenceDim, tokenDim }) =>
    combine === "sum" ? tokenDim : sectionDim + sentenceDim + tokenDim,
  formula,
  caption: ({ combine }) =>
    combine === "sum"
      ? "The table that is added to the input: the sum of section, sentence and token."
      : "The table that is added to the input: section, sentence and token side by side.",
  reading,
  describe,
  observe,
});
