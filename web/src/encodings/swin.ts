import { exact } from "../picture/format";
import { call, DOT, EQUALS, id, MINUS, math, name, num, op, PLUS, row, sub } from "../picture/math";
import { SWIN_PRESETS, type SwinSettings } from "../settings/swin";
import type { Result } from "../types";
import { HEADS, head, number, seed } from "./parameters";
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

function formula({ windowHeight, windowWidth }: SwinSettings): string {
  const difference = (axis: string) =>
    math(
      id(`\u0394${axis}`),
      EQUALS,
      sub(id(axis), name("query")),
      MINUS,
      sub(id(axis), name("key")),
    );
  const across = num(String(2 * windowWidth - 1));
  const down = row(op("("), id("\u0394y"), PLUS, num(String(windowHeight - 1)), op(")"));
  return (
    math(sub(name("bias"), id("h")), EQUALS, sub(id("W"), row(id("r"), op(","), id("h")))) +
    math(
      id("r"),
      EQUALS,
      down,
      DOT,
      across,
      PLUS,
      id("\u0394x"),
      PLUS,
      num(String(windowWidth - 1)),
    ) +
    difference("y") +
    difference("x")
  );
}

function pair(view: string, settings: SwinSettings, cell: Cell) {
  const width = settings.windowWidth;
  return pairOf(view, settings, cell, { queries: width, keys: width });
}

/** The row of the table of a pair of cells. */
function indexOf(view: string, settings: SwinSettings, cell: Cell): number {
  const { query, key } = pair(view, settings, cell);
  const { windowHeight, windowWidth } = settings;
  const down = query.row - key.row + windowHeight - 1;
  return down * (2 * windowWidth - 1) + query.column - key.column + windowWidth - 1;
}

function reading(view: string, settings: SwinSettings, _: Result, cell: Cell): string {
  const value = num(exact(cell.value));
  if (view === "rows") {
    const { query, key } = pair(view, settings, cell);
    const offset = [query.row - key.row, query.column - key.column].map((one) => num(exact(one)));
    return math(call(name("r"), ...offset), EQUALS, value);
  }
  const index = num(String(indexOf(view, settings, cell)));
  return math(sub(id("W"), row(index, op(","), num(String(settings.head)))), EQUALS, value);
}

function observe(_view: string, settings: SwinSettings): readonly Sentence[] {
  const { windowHeight, windowWidth, heads, seed } = settings;
  const rows = (2 * windowHeight - 1) * (2 * windowWidth - 1);
  return [
    offsetsSentence(windowHeight, windowWidth),
    say`Each offset has one trained number per head: ${rows.toLocaleString("en-US")} \u00d7 ${String(heads)} = ${(rows * heads).toLocaleString("en-US")} in all.`,
    say`Wherever a query lies, a key at the same offset gets the same bias: in the picture of all cells, each block of ${String(windowWidth)} \u00d7 ${String(windowWidth)} is the same along its diagonals.`,
    randomSentence(seed, "The table is"),
  ];
}

export const swin: Encoding<SwinSettings> = {
  id: "swin",
  name: "Swin",
  family: "bias",
  place: "added to the scores",
  sentence:
    "Attention stays within a window of the image, and every offset in rows and columns has one trained number per head, which is added to the score.",
  source: { text: "Liu et al. 2021, Swin transformer", href: "https://arxiv.org/abs/2103.14030" },
  parameters: [
    number("windowHeight", "Window, rows", SIDES),
    number("windowWidth", "Window, columns", SIDES),
    number("heads", "Heads", HEADS),
    { ...seed, when: (_settings, view) => view !== "rows" },
    { ...head, when: (_settings, view) => view !== "rows" },
    ...chosenCell,
  ],
  presets: SWIN_PRESETS,
  views: [ALL_CELLS, ONE_CELL, { id: "rows", label: "Rows" }],
  formula,
  caption(view, settings) {
    if (view === "rows")
      return "The row of the table that every pair of cells reads: exact, whatever the weights.";
    const what = windowCaption(view, `The bias of head ${settings.head}`, settings);
    return `${what} ${untrained(settings.seed, "The table is")}`;
  },
  reading,
  describe: (view, settings, cell) =>
    describePair(
      pair(view, settings, cell),
      view === "rows" ? "row of the table" : `bias of head ${settings.head}`,
    ),
  observe,
};
