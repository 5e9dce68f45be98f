import { exact, short } from "../picture/format";
import { EQUALS, id, MINUS, math, name, num, op, PLUS, row, sub, sup } from "../picture/math";
import { boxOf, LAYOUT_BOXES_PRESETS, type LayoutBoxesSettings } from "../settings/layout_boxes";
import type { Result } from "../types";
import { similarityReading } from "./grids";
import { dim, number, ROWS, seed } from "./parameters";
import { randomSentence, untrained } from "./scores";
import { type Cell, type Encoding, type Sentence, say } from "./types";
import { chosenCell, placeOf } from "./windows";

const table = (axis: string, index: string) => sub(sup(id("W"), axis), index);

/** The rows that are added for a box (x0, y0, x1, y1), on two lines. */
function sum(
  settings: LayoutBoxesSettings,
  left: string,
  place: string,
  [x0, y0, x1, y1]: readonly string[],
  [height, width]: readonly string[],
): string {
  const [x, y] = [id("x"), id("y")];
  const corners = [table(x, x0 ?? ""), table(y, y0 ?? ""), table(x, x1 ?? ""), table(y, y1 ?? "")];
  const rest = [table(id("h"), height ?? ""), table(id("w"), width ?? "")];
  if (settings.positionRows > 0) rest.push(table(id("p"), place));
  return math(left, EQUALS, corners.join(PLUS)) + math(PLUS, rest.join(PLUS));
}

function formula(settings: LayoutBoxesSettings): string {
  const corner = (axis: string, index: string) => sub(id(axis), num(index));
  const corners = [corner("x", "0"), corner("y", "0"), corner("x", "1"), corner("y", "1")];
  const sizes = ["h", "w"].map((one) => id(one));
  const difference = (size: string, axis: string) =>
    row(id(size), EQUALS, corner(axis, "1"), MINUS, corner(axis, "0"));
  return (
    sum(settings, name("PE"), id("p"), corners, sizes) +
    math(difference("h", "y"), op(","), difference("w", "x"))
  );
}

function reading(view: string, settings: LayoutBoxesSettings, _: Result, cell: Cell): string {
  if (view !== "table") return similarityReading(settings, cell);
  const box = boxOf(cell.row, settings);
  const sizes = [box[3] - box[1], box[2] - box[0]].map((one) => num(String(one)));
  const corners = box.map((one) => num(String(one)));
  return sum(settings, num(exact(cell.value)), num(String(cell.row)), corners, sizes);
}

function describe(view: string, settings: LayoutBoxesSettings, cell: Cell): string {
  const word = view === "table" ? cell.row : cell.row * settings.width + cell.column;
  const { row: line, column } = placeOf(word, settings.width);
  const box = boxOf(word, settings).join(", ");
  const what = view === "table" ? `, dimension ${cell.column}` : "";
  return `line ${line}, word ${column}, box (${box})${what}`;
}

function observe(
  _view: string,
  settings: LayoutBoxesSettings,
  { curve }: Result,
): readonly Sentence[] {
  const { height, width, row: line, column, positionRows, seed } = settings;
  const [x0, y0, x1, y1] = boxOf(line * width + column, settings);
  const scores = curve.lines[0]?.values ?? new Float32Array();
  const next = scores[column + 1] ?? scores[column - 1];
  const sentences: Sentence[] = [
    say`A page of ${short(height)} lines of ${short(width)} words, all of one size. The chosen word\u2019s box is (${String(x0)}, ${String(y0)}, ${String(x1)}, ${String(y1)}), in thousandths of the page.`,
    say`Words of one column share the rows of x, words of one line those of y: this is the cross in the picture. All share the rows of height and width, unless rounding made their boxes differ.`,
    positionRows > 0
      ? say`The place in the text, counted line by line, has a row as well: there are ${short(positionRows)}.`
      : say`The place in the text is left out: only the box counts.`,
  ];
  if (next !== undefined && scores.length > 1) {
    sentences.push(
      say`The chosen word scores ${short(scores[column] ?? 0)} with itself and ${short(next)} with its neighbour on the line.`,
    );
  }
  return [...sentences, randomSentence(seed, "The tables are")];
}

export const layoutBoxes: Encoding<LayoutBoxesSettings> = {
  id: "layout_boxes",
  name: "LayoutLM",
  family: "additive",
  place: "added to the input",
  sentence:
    "A token on a page gets the sum of trained rows for the corners, the height and the width of its box, and for its place in the text.",
  source: { text: "Xu et al. 2020, LayoutLM", href: "https://arxiv.org/abs/1912.13318" },
  parameters: [
    dim,
    number("rows", "Rows per table", ROWS, { hint: "Of x, y, height and width." }),
    number("positionRows", "Positions", [0, ...ROWS], { hint: "0: left out." }),
    seed,
    number("height", "Lines", [4, 8, 12, 16, 24, 32, 48], { section: "shown" }),
    number("width", "Words of a line", [2, 4, 8, 12, 16, 24, 32], { section: "shown" }),
    ...chosenCell,
  ],
  presets: LAYOUT_BOXES_PRESETS,
  views: [
    { id: "similarity", label: "Similarity" },
    { id: "table", label: "Table" },
  ],
  formula,
  caption(view, settings) {
    const random = untrained(settings.seed, "Tables are");
    return view === "table"
      ? `The table that is added to the input, one row per word. ${random}`
      : `How alike the chosen word\u2019s row is to that of every word of a page. ${random}`;
  },
  reading,
  describe,
  observe,
};
