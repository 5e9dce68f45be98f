import type { Presets } from "./shared";

export type LayoutBoxesSettings = {
  readonly dim: number;
  /** Rows of each table of coordinates and sizes. */
  readonly rows: number;
  readonly positionRows: number;
  readonly seed: number;
  /** A page of so many lines of so many words, all of one size. */
  readonly height: number;
  readonly width: number;
  readonly row: number;
  readonly column: number;
};

const MARGIN = 40;
const PAGE = 1000;

/** The box (x0, y0, x1, y1) of a word of the page, in LayoutLM's thousandths of its sides. */
export function boxOf(
  word: number,
  { height, width }: LayoutBoxesSettings,
): readonly [number, number, number, number] {
  const [across, down] = [(PAGE - 2 * MARGIN) / width, (PAGE - 2 * MARGIN) / height];
  const x = MARGIN + (word % width) * across;
  const y = MARGIN + Math.floor(word / width) * down;
  return [
    Math.round(x),
    Math.round(y),
    Math.round(x) + Math.floor(0.8 * across),
    Math.round(y) + Math.floor(0.6 * down),
  ];
}

const base: LayoutBoxesSettings = {
  dim: 768,
  rows: 1024,
  positionRows: 512,
  seed: 1,
  height: 24,
  width: 12,
  row: 8,
  column: 3,
};

export const LAYOUT_BOXES_PRESETS: Presets<LayoutBoxesSettings> = [
  {
    id: "layoutlm-base",
    label: "LayoutLM base",
    about: "768 dims; tables of 1,024 rows for x, y, height and width, and one of 512 positions.",
    settings: base,
  },
  {
    id: "boxes-only",
    label: "LayoutLM base, boxes alone",
    about: "The same without the positions in the text: only the place on the page counts.",
    settings: { ...base, positionRows: 0 },
  },
];
