import { exact, short } from "../picture/format";
import {
  call,
  DOT,
  EQUALS,
  id,
  MINUS,
  math,
  name,
  num,
  over,
  row,
  sub,
  sup,
} from "../picture/math";
import { SINCOS_GRID_PRESETS, type SincosGridSettings } from "../settings/sincos_grid";
import type { Result } from "../types";
import { similarityReading } from "./grids";
import { BASES, choice, DIMS, number } from "./parameters";
import { type Cell, type Encoding, type Sentence, say } from "./types";
import { chosenCell, placeOf, SIDES } from "./windows";

interface Column {
  readonly axis: "x" | "y";
  readonly fn: "sin" | "cos";
  readonly pair: number;
}

/** What a column of a row holds: a quarter of them is one function of one axis. */
function columnOf({ dim, layout, axisOrder }: SincosGridSettings, column: number): Column {
  const quarter = dim / 4;
  const part = Math.floor(column / quarter);
  const [axis, fn] = layout === "axis_blocks" ? [part >> 1, part & 1] : [part & 1, part >> 1];
  const first = axisOrder === "yx" ? "y" : "x";
  const second = axisOrder === "yx" ? "x" : "y";
  return {
    axis: axis === 0 ? first : second,
    fn: fn === 0 ? "sin" : "cos",
    pair: column - part * quarter,
  };
}

/** base^(-4i / dim): each axis has half of the columns. */
const turn = (position: string, base: string, top: string, bottom: string) =>
  row(position, DOT, sup(base, row(MINUS, over(top, bottom))));

function formula(): string {
  const line = (axis: string) =>
    math(
      sub(name("PE"), id(axis)),
      EQUALS,
      call(name("sin, cos"), turn(id(axis), name("base"), row(num("4"), id("i")), name("dim"))),
    );
  return line("y") + line("x");
}

function reading(view: string, settings: SincosGridSettings, _: Result, cell: Cell): string {
  const value = num(exact(cell.value));
  if (view !== "table") return similarityReading(settings, cell);
  const { axis, fn, pair } = columnOf(settings, cell.column);
  const place = placeOf(cell.row, settings.width);
  const position = num(String(axis === "y" ? place.row : place.column));
  const power = [settings.base, 4 * pair, settings.dim].map((one) => num(String(one)));
  const angle = turn(position, power[0] ?? "", power[1] ?? "", power[2] ?? "");
  return math(call(name(fn), angle), EQUALS, value);
}

function describe(view: string, settings: SincosGridSettings, cell: Cell): string {
  if (view !== "table") return `row ${cell.row}, column ${cell.column}: score with the chosen cell`;
  const place = placeOf(cell.row, settings.width);
  const { axis, fn, pair } = columnOf(settings, cell.column);
  const what = fn === "sin" ? "sine" : "cosine";
  return `cell at row ${place.row}, column ${place.column}, dimension ${cell.column}: ${what} of pair ${pair} of ${axis}`;
}

function observe(
  _view: string,
  { dim, base, height, width, column }: SincosGridSettings,
  result: Result,
): readonly Sentence[] {
  const pairs = dim / 4;
  const scores = result.curve.lines[0]?.values ?? new Float32Array();
  const slowest = 2 * Math.PI * base ** ((4 * (pairs - 1)) / dim);
  const next = scores[column + 1] ?? scores[column - 1];
  const sentences: Sentence[] = [
    say`${short(height)} \u00d7 ${short(width)} cells have ${short(height * width, 7)} rows of ${short(dim)} values: half of each says how far down the cell is, half how far to the right.`,
    say`Each axis has ${short(pairs)} pairs of sine and cosine. The first repeats every ${short(2 * Math.PI)} cells, the last every ${short(slowest)}.`,
  ];
  if (next !== undefined) {
    sentences.push(
      say`The chosen cell scores ${short(scores[column] ?? 0)} with itself and ${short(next)} with its neighbour: near cells are alike in both directions, which is the cross in the picture.`,
    );
  }
  return sentences;
}

export const sincosGrid: Encoding<SincosGridSettings> = {
  id: "sincos_grid",
  name: "Sinusoidal 2-D",
  family: "additive",
  place: "added to patches",
  sentence:
    "Every patch of an image gets sines and cosines of its row in one half of its dims and of its column in the other half.",
  source: {
    text: "He et al. 2021, Masked autoencoders",
    href: "https://arxiv.org/abs/2111.06377",
  },
  parameters: [
    number("dim", "Dimensions", DIMS, { hint: "Width of a row, a multiple of 4." }),
    number("base", "Base", BASES),
    choice("layout", "Columns", {
      axis_blocks: "sines, cosines of one axis, then the other",
      function_blocks: "all sines, then all cosines",
    }),
    choice("axisOrder", "First axis", { xy: "x (MAE)", yx: "y (timm)" }),
    number("height", "Rows of patches", SIDES),
    number("width", "Columns of patches", SIDES),
    ...chosenCell,
  ],
  presets: SINCOS_GRID_PRESETS,
  views: [
    { id: "similarity", label: "Similarity" },
    { id: "table", label: "Table" },
  ],
  formula,
  caption: (view) =>
    view === "table"
      ? "The table that is added to the patches, one row per cell of the grid."
      : "How alike the chosen cell\u2019s row is to that of every cell of the image.",
  reading,
  describe,
  observe,
};
