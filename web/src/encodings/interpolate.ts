import { exact, short } from "../picture/format";
import {
  call,
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
import { INTERPOLATE_PRESETS, type InterpolateSettings } from "../settings/interpolate";
import type { Result } from "../types";
import { choice, DIMS, number, seed, toggle } from "./parameters";
import { randomSentence, untrained } from "./scores";
import { type Cell, type Encoding, type Sentence, say } from "./types";
import { SIDES } from "./windows";

/** Where a new cell falls on the old axis. */
function sourceOf(
  { alignCorners, sizeOffset }: InterpolateSettings,
  from: number,
  to: number,
  cell: number,
): number {
  if (alignCorners) return to > 1 ? (cell * (from - 1)) / (to - 1) : 0;
  return ((cell + 0.5) * from) / (to + sizeOffset) - 0.5;
}

function formula({ alignCorners, sizeOffset }: InterpolateSettings): string {
  const [old, next] = [name("old"), name("new")];
  const less = (size: string) => row(size, MINUS, num("1"));
  const half = row(op("("), id("y"), PLUS, num("0.5"), op(")"));
  const grown = sizeOffset > 0 ? row(next, PLUS, num(String(sizeOffset))) : next;
  const place = alignCorners
    ? row(id("y"), frac(less(old), less(next)))
    : row(half, frac(old, grown), MINUS, num("0.5"));
  const sum = row(
    sub(op("\u2211"), row(id("i"), op(","), id("j"))),
    sub(id("a"), id("i")),
    sub(id("b"), id("j")),
  );
  return (
    math(call(name("new"), id("y"), id("x")), EQUALS, sum, call(name("old"), id("i"), id("j"))) +
    math(id("a"), op(","), id("b"), op(":"), name(" the kernel\u2019s weights around")) +
    math(sub(id("y"), name("old")), EQUALS, place)
  );
}

function reading(view: string, settings: InterpolateSettings, _: Result, cell: Cell): string {
  const value = num(exact(cell.value));
  const at = [cell.row, cell.column].map((one) => num(String(one)));
  if (view === "before") return math(call(name("old"), ...at), EQUALS, value);
  const { fromHeight, fromWidth, toHeight, toWidth } = settings;
  const place = num(short(sourceOf(settings, fromHeight, toHeight, cell.row), 7));
  const left = math(call(name("new"), ...at), EQUALS, value);
  if (isSequence(settings)) return left + math(sub(id("y"), name("old")), EQUALS, place);
  const across = num(short(sourceOf(settings, fromWidth, toWidth, cell.column), 7));
  return (
    left +
    math(
      sub(id("y"), name("old")),
      EQUALS,
      place,
      op(","),
      sub(id("x"), name("old")),
      EQUALS,
      across,
    )
  );
}

function isSequence({ fromWidth, toWidth }: InterpolateSettings): boolean {
  return fromWidth === 1 && toWidth === 1;
}

function describe(view: string, settings: InterpolateSettings, cell: Cell): string {
  const which = view === "before" ? "old" : "new";
  return isSequence(settings)
    ? `${which} position ${cell.row}, dimension ${cell.column}`
    : `${which} cell at row ${cell.row}, column ${cell.column}: dimension ${settings.dimension}`;
}

/** Where the first row reads from, and why. */
function edges(settings: InterpolateSettings): Sentence {
  const { sizeOffset, fromHeight, toHeight } = settings;
  const first = sourceOf(settings, fromHeight, toHeight, 0);
  if (sizeOffset === 0) {
    return say`The outer edges of both tables lie on each other, so that row ${"0"} reads from ${short(first)}.`;
  }
  const plain = sourceOf({ ...settings, sizeOffset: 0 }, fromHeight, toHeight, 0);
  return say`The offset of ${String(sizeOffset)} draws all places towards the start: row ${"0"} reads from ${short(first)}, not from ${short(plain)}.`;
}

function observe(_view: string, settings: InterpolateSettings): readonly Sentence[] {
  const { fromHeight, fromWidth, toHeight, toWidth, dim, mode, antialias, alignCorners } = settings;
  const shrink = Math.max(fromHeight / toHeight, fromWidth / toWidth);
  const same = fromHeight === toHeight && fromWidth === toWidth;
  const sentences: Sentence[] = [
    say`${short(fromHeight * fromWidth, 7)} trained rows become ${short(toHeight * toWidth, 7)}; each of the ${short(dim)} columns is resized alone.`,
  ];
  if (same) {
    sentences.push(
      say`Both grids are ${short(toHeight)} \u00d7 ${short(toWidth)}: the table is copied, bit for bit.`,
    );
  } else {
    sentences.push(
      mode === "linear"
        ? say`Along each axis, a new value lies on the straight line between two old ones${antialias && shrink > 1 ? ", or is a mean of more where the table shrinks" : ""}.`
        : say`Along each axis, a new value is a cubic mix of four old ones (a = ${antialias ? "\u22120.5" : "\u22120.75"})${antialias && shrink > 1 ? ", of more where the table shrinks" : ""}; it can lie beyond them.`,
      alignCorners
        ? say`The first and the last rows of both tables lie on each other.`
        : edges(settings),
    );
    if (shrink > 1 && !antialias) {
      sentences.push(
        say`Along an axis, one new cell stands for up to ${short(shrink)} old ones. Without antialias it reads only those around its place, and may leave others out.`,
      );
    }
  }
  sentences.push(
    settings.table === "random"
      ? randomSentence(settings.seed, "The old table is")
      : say`The old table here is a sinusoid, whose waves show what resizing does. A trained table would stand in its place.`,
  );
  return sentences;
}

export const interpolate: Encoding<InterpolateSettings> = {
  id: "interpolate",
  name: "Resized tables",
  family: "interpolation",
  place: "tables at other sizes",
  sentence:
    "A trained table of positions is brought to another length or grid by interpolation, so that a model can read longer texts or larger images.",
  source: {
    text: "Dosovitskiy et al. 2020, Vision transformer",
    href: "https://arxiv.org/abs/2010.11929",
  },
  parameters: [
    number("fromHeight", "Old rows", [...SIDES, 512, 1024]),
    number("fromWidth", "Old columns", [1, ...SIDES], { hint: "1: a sequence." }),
    number("toHeight", "New rows", [...SIDES, 512, 1024]),
    number("toWidth", "New columns", [1, ...SIDES]),
    number("dim", "Dimensions", DIMS, { hint: "Width of a row, dim." }),
    choice(
      "mode",
      "Kernel",
      { linear: "linear", cubic: "cubic" },
      {
        hint: "Bilinear or bicubic on a grid.",
      },
    ),
    toggle("antialias", "Antialias", ["yes", "no"], {
      hint: "A wider kernel where the table shrinks.",
    }),
    toggle("alignCorners", "Align corners", ["yes", "no"]),
    number("sizeOffset", "Size offset", [0, 0.1], { hint: "DINOv2\u2019s, 0.1." }),
    choice("table", "Old table", { sinusoid: "sinusoid", random: "random" }),
    { ...seed, when: (settings) => settings.table === "random" },
    number("dimension", "Dimension", undefined, { section: "shown", hint: "Counted from 0." }),
  ],
  presets: INTERPOLATE_PRESETS,
  views: [
    { id: "after", label: "After" },
    { id: "before", label: "Before" },
  ],
  formula,
  caption(view, settings) {
    const random = settings.table === "random" ? ` ${untrained(settings.seed, "It is")}` : "";
    const what = isSequence(settings) ? "The" : `Dimension ${settings.dimension} of the`;
    return view === "before"
      ? `${what} old table.${random}`
      : `${what} table after it was resized.${random}`;
  },
  reading,
  describe,
  observe,
};
