import type { Shown } from "../settings/shared";

/** An error of the page itself, in the library's form: what is too much to draw. */
export class PageError extends Error {
  constructor(
    readonly field: string,
    message: string,
  ) {
    super(message);
  }
}

export const MAX_CELLS = 2 ** 21;
export const MAX_LENGTH = 2048;
export const MAX_ATTENTION_LENGTH = 512;
export const MAX_CURVE_LENGTH = 65536;
export const MAX_TABLE_VALUES = 2 ** 24;

const count = (value: number) => value.toLocaleString("en-US");

function requireRange(field: string, name: string, value: number, low: number, high: number): void {
  if (Number.isInteger(value) && value >= low && value <= high) return;
  throw new PageError(
    field,
    `page: ${name} must be a whole number from ${count(low)} to ${count(high)}, got ${value}`,
  );
}

export function requireLength(length: number): void {
  requireRange("length", "positions shown", length, 1, MAX_LENGTH);
}

export function requireCurveLength(length: number): void {
  requireRange("curveLength", "the curve's last distance", length, 2, MAX_CURVE_LENGTH);
}

/** What is drawn: so many positions, and a curve up to such a distance. */
export function requireShown({ length, curveLength }: Shown): void {
  requireLength(length);
  requireCurveLength(curveLength);
}

export function requireAttentionLength(length: number): void {
  requireLength(length);
  if (length <= MAX_ATTENTION_LENGTH) return;
  throw new PageError(
    "length",
    `page: attention is drawn for at most ${MAX_ATTENTION_LENGTH} positions, got ${count(length)}`,
  );
}

/** A cell of a grid, counted from 0. */
export function requireCell(row: number, height: number, column: number, width: number): void {
  requireRange("row", "row", row, 0, height - 1);
  requireRange("column", "column", column, 0, width - 1);
}

/** What a picture is made from may be larger than the picture. */
export function requireValues(field: string, what: string, sizes: readonly number[]): void {
  if (sizes.reduce((a, b) => a * b) <= MAX_TABLE_VALUES) return;
  const got = sizes.map(count).join(" x ");
  throw new PageError(
    field,
    `page: ${what} may have at most ${count(MAX_TABLE_VALUES)} values, got ${got}`,
  );
}

/** The part of a grid that is an image; the rest is padding. */
export function requireImage(rows: number, height: number, columns: number, width: number): void {
  requireRange("imageHeight", "rows of the image", rows, 1, height);
  requireRange("imageWidth", "columns of the image", columns, 1, width);
}

export function requireDimension(dimension: number, dim: number): void {
  requireRange("dimension", "dimension", dimension, 0, dim - 1);
}

export function requireWhole(field: string, name: string, value: number): void {
  requireRange(field, name, value, 1, MAX_CURVE_LENGTH);
}

export function requireMemory(memory: number): void {
  requireRange("memory", "memory shown", memory, 0, MAX_ATTENTION_LENGTH);
}

export function requireCells(rows: number, columns: number): void {
  if (rows * columns <= MAX_CELLS) return;
  throw tooMany("length", rows, columns, "one picture holds", "show fewer positions");
}

export function requireCurveValues(lines: number, length: number): void {
  if (lines * length <= MAX_CELLS) return;
  throw tooMany("curveLength", lines, length, "the curves hold", "let them end earlier");
}

function tooMany(field: string, rows: number, columns: number, what: string, mend: string) {
  const size = `${count(rows)} x ${count(columns)} values`;
  return new PageError(field, `page: ${size} are more than ${what} (${count(MAX_CELLS)}); ${mend}`);
}

export function requireHead(head: number, heads: number): void {
  requireRange("head", "head", head, 0, heads - 1);
}
