import { exact, short } from "../picture/format";
import {
  apply,
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
import { SWIN_CPB_PRESETS, type SwinCpbSettings } from "../settings/swin_cpb";
import type { Result } from "../types";
import { choice, HEADS, HIDDEN, head, number, seed } from "./parameters";
import { randomSentence, untrained } from "./scores";
import { type Cell, type Encoding, type Sentence, say } from "./types";
import {
  ALL_CELLS,
  chosenCell,
  describePair,
  ONE_CELL,
  offsetsSentence,
  pairOf,
  SIDES,
  windowCaption,
} from "./windows";

/** 16 sigmoid(f(y, x)), or with logarithmic coordinates f(y, x). */
function rule({ coordinates }: SwinCpbSettings, y: string, x: string, head: string): string {
  const output = call(sub(id("f"), head), y, x);
  return coordinates === "normalised" ? row(num("16"), call(id("\u03c3"), output)) : output;
}

function formula(settings: SwinCpbSettings): string {
  const size = row(op("|"), id("t"), op("|"));
  const inside = row(op("("), num("1"), PLUS, size, op(")"));
  const [c, t] = [call(id("c"), id("t")), call(name("sign"), id("t"))];
  const bias = math(
    sub(name("bias"), id("h")),
    EQUALS,
    rule(settings, call(id("c"), id("\u0394y")), call(id("c"), id("\u0394x")), id("h")),
  );
  if (settings.coordinates === "logarithmic") {
    return bias + math(c, EQUALS, row(t, apply("ln", inside)));
  }
  const scaled = row(
    id("t"),
    EQUALS,
    over(row(num("8"), id("\u0394")), row(op("("), name("window"), MINUS, num("1"), op(")"))),
  );
  const log = row(sub(name("log"), num("2")), inside);
  return bias + math(c, EQUALS, row(t, over(log, num("3")))) + math(scaled);
}

function pair(view: string, settings: SwinCpbSettings, cell: Cell) {
  const width = settings.windowWidth;
  return pairOf(view, settings, cell, { queries: width, keys: width });
}

function reading(view: string, settings: SwinCpbSettings, { facts }: Result, cell: Cell): string {
  const { query, key } = pair(view, settings, cell);
  const { windowHeight, windowWidth } = settings;
  const down = query.row - key.row + windowHeight - 1;
  const at = 2 * (down * (2 * windowWidth - 1) + query.column - key.column + windowWidth - 1);
  const [y, x] = [0, 1].map((axis) => num(exact(facts.coordinates?.[at + axis] ?? 0)));
  const right = rule(settings, y ?? "", x ?? "", num(String(settings.head)));
  return math(
    sub(name("bias"), num(String(settings.head))),
    EQUALS,
    right,
    EQUALS,
    num(exact(cell.value)),
  );
}

function observe(_view: string, settings: SwinCpbSettings, { facts }: Result): readonly Sentence[] {
  const { windowHeight, windowWidth, pretrained, heads, hidden, seed } = settings;
  const farthest = Math.abs(facts.coordinates?.[0] ?? 0);
  const sentences: Sentence[] = [
    offsetsSentence(windowHeight, windowWidth),
    say`No table holds them: a network of ${(3 * hidden + heads * hidden).toLocaleString("en-US")} numbers computes the bias of any offset, so that the window can be another one than in training.`,
    say`It sees the offset\u2019s logarithm, ${short(farthest)} at the farthest row, so that offsets that are larger than in training lie only a little beyond.`,
  ];
  if (settings.coordinates === "normalised") {
    sentences.push(
      pretrained > 1
        ? say`Offsets are divided by ${short(pretrained - 1)}, the largest of training; there the coordinate is \u00b1${short(Math.log2(9) / 3)}.`
        : say`Every bias lies between ${"0"} and ${"16"}: sixteen times a sigmoid.`,
    );
  }
  sentences.push(randomSentence(seed, "The network\u2019s weights are"));
  return sentences;
}

export const swinCpb: Encoding<SwinCpbSettings> = {
  id: "swin_cpb",
  name: "Swin v2",
  family: "bias",
  place: "added to the scores",
  sentence:
    "A small network turns the logarithms of the offset in rows and columns into one number per head, which is added to the score within a window.",
  source: {
    text: "Liu et al. 2021, Swin transformer V2",
    href: "https://arxiv.org/abs/2111.09883",
  },
  parameters: [
    number("windowHeight", "Window, rows", SIDES),
    number("windowWidth", "Window, columns", SIDES),
    number("pretrained", "Window of training", [0, ...SIDES], {
      hint: "Side of the window that normalises offsets; 0: the rows of this one.",
    }),
    choice("coordinates", "Coordinates", {
      normalised: "normalised (published)",
      logarithmic: "logarithmic (timm cr)",
    }),
    number("hidden", "Hidden width", HIDDEN),
    number("heads", "Heads", HEADS),
    seed,
    head,
    ...chosenCell,
  ],
  presets: SWIN_CPB_PRESETS,
  views: [ONE_CELL, ALL_CELLS],
  formula,
  caption(view, settings) {
    const what = windowCaption(view, `The bias of head ${settings.head}`, settings);
    return `${what} ${untrained(settings.seed, "The network\u2019s weights are")}`;
  },
  reading,
  describe: (view, settings, cell) =>
    describePair(pair(view, settings, cell), `bias of head ${settings.head}`),
  observe,
};
