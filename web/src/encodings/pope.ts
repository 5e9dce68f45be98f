import { exact, short } from "../picture/format";
import {
  apply,
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
import { POPE_PRESETS, type PopeSettings } from "../settings/pope";
import type { Result } from "../types";
import { ATTENTION, attentionSentences, describeWeight, weightReading } from "./attention";
import { BASES, causal, choice, HEAD_DIMS, logDistance, number, seed, shown } from "./parameters";
import { untrained } from "./scores";
import { type Cell, type Encoding, type Sentence, say } from "./types";

const DELTA = id("\u03b4");

/** base^(-c / width) */
const frequency = (base: string, dim: string, width: string) =>
  sup(base, row(MINUS, over(dim, width)));

function formula(): string {
  const [length, angle, theta] = [id("m"), id("a"), sub(id("\u03b8"), id("c"))];
  const parts = ["cos", "sin"].map((fn) => row(length, apply(fn, angle)));
  const inside = row(op("("), num("1"), PLUS, sup(id("e"), id("x")), op(")"));
  return (
    math(id("x"), op("\u2192"), row(op("["), parts.join(op(",")), op("]"))) +
    math(length, EQUALS, apply("ln", inside)) +
    math(
      angle,
      EQUALS,
      row(id("p"), theta),
      op(","),
      name(" of keys "),
      row(id("p"), theta, PLUS, sub(DELTA, id("c"))),
    ) +
    math(theta, EQUALS, frequency(name("base"), id("c"), id("d")))
  );
}

/** What a column of an embedded vector is: the cosine or sine of which dim. */
function columnOf({ headDim }: PopeSettings, column: number) {
  return column < headDim ? { fn: "cos", dim: column } : { fn: "sin", dim: column - headDim };
}

function reading(view: string, settings: PopeSettings, _: Result, cell: Cell): string {
  if (view === "attention") {
    const [query, key] = [cell.row, cell.column].map((one) => num(String(one))) as [string, string];
    return weightReading(
      cell,
      row(
        call(name("query"), query),
        DOT,
        call(name("key"), key),
        over("", row(op("\u221a"), num(String(settings.headDim)))),
      ),
    );
  }
  const { fn, dim } = columnOf(settings, cell.column);
  const turn = frequency(
    num(String(settings.base)),
    num(String(dim)),
    num(String(settings.headDim)),
  );
  const turned = row(num(String(cell.row)), DOT, turn);
  const angle = view === "keys" ? row(turned, PLUS, sub(DELTA, num(String(dim)))) : turned;
  return math(apply("ln", num("2")), DOT, call(name(fn), angle), EQUALS, num(exact(cell.value)));
}

function describe(view: string, settings: PopeSettings, cell: Cell): string {
  if (view === "attention") return describeWeight(cell);
  const { fn, dim } = columnOf(settings, cell.column);
  const what = fn === "cos" ? "cosine" : "sine";
  return `position ${cell.row}, dimension ${cell.column}: ${what} part of dim ${dim}`;
}

function observe(
  view: string,
  { headDim, base, phases }: PopeSettings,
  { picture, curve }: Result,
): readonly Sentence[] {
  const scores = Array.from(curve.lines[0]?.values ?? []);
  const best = scores.indexOf(scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY));
  return [
    ...(view === "attention" ? attentionSentences(picture) : []),
    say`Each of ${short(headDim)} dims has an angle of its own, so that the embedded vector is ${short(2 * headDim)} wide. The first dim turns once every ${short(2 * Math.PI)} tokens, the last every ${short(2 * Math.PI * base ** ((headDim - 1) / headDim))}.`,
    say`What a token is decides how long each part is, where it stands decides its angle alone. Here every token is zeros: each magnitude is ln 2 = ${short(Math.LN2)}.`,
    phases === "zero"
      ? say`With all phases ${"0"} the score is largest at distance ${short(best)}, where every cosine is ${"1"}.`
      : say`Each dim has its own phase, by which it is best at another distance; here the sum is largest at distance ${short(best, 6)} of those on the curve.`,
  ];
}

export const pope: Encoding<PopeSettings> = {
  id: "pope",
  name: "PoPE",
  family: "rotary",
  place: "turns queries and keys",
  sentence:
    "Every dim becomes a length and an angle: content gives the length, position the angle, and a trained phase says at which distance a dim is best.",
  source: {
    text: "Gopalakrishnan et al. 2025, Polar position embedding",
    href: "https://arxiv.org/abs/2509.10534",
  },
  parameters: [
    number("headDim", "Head width", HEAD_DIMS),
    number("base", "Base", BASES),
    choice("phases", "Phases \u03b4", { zero: "all 0", random: "random" }),
    { ...seed, when: (settings) => settings.phases === "random" },
    ...shown([causal]),
    logDistance,
  ],
  presets: POPE_PRESETS,
  views: [{ id: "queries", label: "Query" }, { id: "keys", label: "Key" }, ATTENTION],
  formula,
  caption(view, settings) {
    const random = settings.phases === "random" ? ` ${untrained(settings.seed, "Phases are")}` : "";
    if (view === "attention") return `Attention of one head if every token were zeros.${random}`;
    return view === "keys"
      ? `A key of zeros at every position: cosine parts, then sine parts.${random}`
      : "A query of zeros at every position: cosine parts, then sine parts.";
  },
  reading,
  describe,
  observe,
};
