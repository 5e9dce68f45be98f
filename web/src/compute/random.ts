import { MAX_TABLE_VALUES, PageError } from "./limits";

/**
 * Seeded random numbers, uniform between -size and size (mulberry32). They stand where a trained
 * table would: the page ships no weights and says so wherever these are drawn.
 */
export function randomTable(count: number, seed: number, size: number): Float32Array {
  const values = new Float32Array(count);
  let state = seed | 0;
  for (let i = 0; i < count; i += 1) {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    values[i] = (((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1) * size;
  }
  return values;
}

/** The largest value of the random rows that stand for trained ones. */
const ROW_SIZE = 0.02;

/** A table [rows, dim] in the shape of a trained one. */
export function trainedRows(rows: number, dim: number, seed: number): Float32Array {
  requireTable(rows, dim);
  return randomTable(rows * dim, seed, ROW_SIZE);
}

function requireTable(rows: number, dim: number): void {
  for (const [field, value] of [
    ["rows", rows],
    ["dim", dim],
  ] as const) {
    if (Number.isInteger(value) && value >= 1 && rows * dim <= MAX_TABLE_VALUES) continue;
    throw new PageError(
      field,
      `page: rows and dim must be whole numbers from 1 with at most ` +
        `${MAX_TABLE_VALUES.toLocaleString("en-US")} values in the table, got ${rows} x ${dim}`,
    );
  }
}
