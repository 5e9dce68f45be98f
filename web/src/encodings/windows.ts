import { number } from "./parameters";
import { type Cell, type Sentence, say } from "./types";

/** What panels of biases between the cells of a window or an image have in common. */

export const SIDES = [4, 7, 8, 12, 14, 16, 24, 32, 37, 48, 56, 64];

export const ONE_CELL = { id: "cell", label: "One cell" } as const;
export const ALL_CELLS = { id: "cells", label: "All cells" } as const;

/** The cell that the others are compared with. */
export const chosenCell = [
  number("row", "Chosen row", undefined, { section: "shown", hint: "Counted from 0." }),
  number("column", "Chosen column", undefined, { section: "shown", hint: "Counted from 0." }),
] as const;

export interface Place {
  readonly row: number;
  readonly column: number;
}

/** Row and column of a cell of a grid that is `width` cells wide. */
export function placeOf(cell: number, width: number): Place {
  return { row: Math.floor(cell / width), column: cell % width };
}

interface Pair {
  readonly query: Place;
  readonly key: Place;
}

/** The two cells that a cell of the picture is about. */
export function pairOf(
  view: string,
  chosen: Place,
  { row, column }: Cell,
  widths: { readonly queries: number; readonly keys: number },
): Pair {
  if (view === "cell") return { query: chosen, key: { row, column } };
  return { query: placeOf(row, widths.queries), key: placeOf(column, widths.keys) };
}

export function describePair({ query, key }: Pair, what: string): string {
  return `query (${query.row}, ${query.column}), key (${key.row}, ${key.column}): ${what}`;
}

/** "The bias of head 0 from cell (3, 3) to every cell of its window." */
export function windowCaption(view: string, what: string, { row, column }: Place): string {
  if (view === "cell") return `${what} from cell (${row}, ${column}) to every key cell.`;
  return `${what} from every cell to every other, both counted row by row.`;
}

/** How many offsets a window has, and how many numbers stand for them. */
export function offsetsSentence(height: number, width: number): Sentence {
  const [down, across] = [2 * height - 1, 2 * width - 1];
  const cells = height * width;
  return say`A window of ${String(height)} \u00d7 ${String(width)} cells has ${(cells * cells).toLocaleString("en-US")} pairs of cells but only ${String(down)} \u00d7 ${String(across)} = ${(down * across).toLocaleString("en-US")} different offsets between them.`;
}
