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
  op,
  over,
  PLUS,
  row,
  sub,
  sup,
} from "../picture/math";
import { DETR_SINE_PRESETS, type DetrSineSettings } from "../settings/detr_sine";
import type { Result } from "../types";
import { similarityReading } from "./grids";
import { BASES, HEAD_DIMS, number, toggle } from "./parameters";
import { type Cell, type Encoding, type Sentence, say } from "./types";
import { chosenCell, placeOf, SIDES } from "./windows";

const PI2 = num("2\u03c0");
/** The library's default, and DETR's. */
const EPS = 1e-6;

/** What a column of a row holds: the y axis has the first half. */
function columnOf({ numPosFeats }: DetrSineSettings, column: number) {
  const place = column % numPosFeats;
  return {
    axis: column < numPosFeats ? ("y" as const) : ("x" as const),
    fn: place % 2 === 0 ? "sin" : "cos",
    pair: place >> 1,
  };
}

const turn = (position: string, base: string, top: string, bottom: string) =>
  row(position, DOT, sup(base, row(MINUS, over(top, bottom))));

function formula({ normalize, centered }: DetrSineSettings): string {
  const counted = (axis: string) => sub(name("count"), id(axis));
  const place = (axis: string) => {
    const count = centered
      ? row(op("("), counted(axis), MINUS, num("0.5"), op(")"))
      : counted(axis);
    if (!normalize) return count;
    return over(
      row(PI2, DOT, count),
      row(op("("), sub(name("last"), id(axis)), PLUS, id("\u03b5"), op(")")),
    );
  };
  const angle = turn(sub(id("u"), id("y")), name("T"), row(num("2"), id("i")), id("n"));
  return (
    math(sub(name("PE"), id("y")), EQUALS, call(name("sin, cos"), angle)) +
    math(sub(id("u"), id("y")), EQUALS, place("y"))
  );
}

/** The coordinate of a cell as the rule counts it: real cells up to and with it. */
function coordinate(settings: DetrSineSettings, axis: "x" | "y", cell: number): number {
  const { imageHeight, imageWidth, height, width, normalize, centered } = settings;
  const { row: y, column: x } = placeOf(cell, width);
  const inside = axis === "y" ? x < imageWidth : y < imageHeight;
  const last = inside ? (axis === "y" ? Math.min(imageHeight, height) : imageWidth) : 0;
  const count = Math.min((axis === "y" ? y : x) + 1, last) - (centered ? 0.5 : 0);
  return normalize ? (count / (last + EPS)) * 2 * Math.PI : count;
}

function reading(view: string, settings: DetrSineSettings, _: Result, cell: Cell): string {
  if (view !== "table") return similarityReading(settings, cell);
  const { axis, fn, pair } = columnOf(settings, cell.column);
  const place = num(exact(coordinate(settings, axis, cell.row)));
  const power = [settings.temperature, 2 * pair, settings.numPosFeats].map((one) =>
    num(String(one)),
  );
  const angle = turn(place, power[0] ?? "", power[1] ?? "", power[2] ?? "");
  return math(call(name(fn), angle), EQUALS, num(exact(cell.value)));
}

function isImage({ imageHeight, imageWidth }: DetrSineSettings, y: number, x: number): boolean {
  return y < imageHeight && x < imageWidth;
}

function describe(view: string, settings: DetrSineSettings, cell: Cell): string {
  if (view !== "table") {
    const what = Number.isFinite(cell.value) ? "score with the chosen cell" : "padding";
    return `row ${cell.row}, column ${cell.column}: ${what}`;
  }
  const place = placeOf(cell.row, settings.width);
  const { axis, fn, pair } = columnOf(settings, cell.column);
  const what = `${fn === "sin" ? "sine" : "cosine"} of pair ${pair} of ${axis}`;
  const padding = isImage(settings, place.row, place.column) ? "" : ", padding";
  return `cell at row ${place.row}, column ${place.column}${padding}, dimension ${cell.column}: ${what}`;
}

function observe(
  _view: string,
  settings: DetrSineSettings,
  { curve }: Result,
): readonly Sentence[] {
  const { height, width, imageHeight, imageWidth, numPosFeats, normalize, column } = settings;
  const padding = height * width - imageHeight * imageWidth;
  const [first, last] = [0, imageHeight - 1].map((y) => coordinate(settings, "y", y * width)) as [
    number,
    number,
  ];
  const scores = curve.lines[0]?.values ?? new Float32Array();
  const next = scores[column + 1] ?? scores[column - 1];
  const sentences: Sentence[] = [
    padding > 0
      ? say`${short(padding, 7)} of ${short(height * width, 7)} cells are padding: the image has ${short(imageHeight)} \u00d7 ${short(imageWidth)}, and coordinates count those alone.`
      : say`All ${short(height * width, 7)} cells belong to the image; with padding beside it, coordinates would count its own cells alone.`,
    normalize
      ? say`Coordinates are divided by the last count: downwards they run from ${short(first)} to ${short(last)}; in every image, however large it is, they stay between ${"0"} and ${"2\u03c0"}.`
      : say`Coordinates are the counts themselves: downwards they run from ${short(first, 6)} to ${short(last, 6)}.`,
    say`Each axis has ${short(numPosFeats)} dims, sine and cosine by turns: y in the first half of a row, x in the second.`,
  ];
  if (next !== undefined && scores.length > 1) {
    sentences.push(
      say`The chosen cell scores ${short(scores[column] ?? 0)} with itself and ${short(next)} with its neighbour.`,
    );
  }
  return sentences;
}

export const detrSine: Encoding<DetrSineSettings> = {
  id: "detr_sine",
  name: "DETR",
  family: "additive",
  place: "added to image features",
  sentence:
    "Every cell of a padded image gets sines and cosines of its row and of its column, counted over the image alone and usually scaled so that all images are equally long.",
  source: { text: "Carion et al. 2020, DETR", href: "https://arxiv.org/abs/2005.12872" },
  parameters: [
    number("numPosFeats", "Dims per axis", HEAD_DIMS),
    number("temperature", "Temperature", BASES),
    toggle("normalize", "Coordinates", ["normalised", "counted"]),
    toggle("centered", "Measured at", ["centres", "far edges"]),
    number("height", "Rows", SIDES),
    number("width", "Columns", SIDES),
    number("imageHeight", "Rows of the image", SIDES, { hint: "The others are padding." }),
    number("imageWidth", "Columns of the image", SIDES),
    ...chosenCell,
  ],
  presets: DETR_SINE_PRESETS,
  views: [
    { id: "similarity", label: "Similarity" },
    { id: "table", label: "Table" },
  ],
  formula,
  caption: (view) =>
    view === "table"
      ? "The table that is added to the features, one row per cell, padding included."
      : "How alike the chosen cell\u2019s row is to that of every cell of the image; padding is hatched.",
  reading,
  describe,
  observe,
};
