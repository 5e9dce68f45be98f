import type { PosencAll } from "posenc";
import type { Content } from "./attention";
import { MAX_TABLE_VALUES, PageError } from "./limits";

type Layers = Parameters<PosencAll["fire"]>[0]["layers"];

/**
 * Seeded random numbers, uniform between -size and size (mulberry32). They stand where a trained
 * table would: the page ships no weights and says so wherever these are drawn. None at all for a
 * count that cannot be: the library then says which parameter is wrong.
 */
export function randomTable(count: number, seed: number, size: number): Float32Array {
  if (!Number.isInteger(count) || count < 0) return new Float32Array();
  if (count > MAX_TABLE_VALUES) {
    const [most, got] = [MAX_TABLE_VALUES, count].map((one) => one.toLocaleString("en-US"));
    throw new PageError("", `page: a random table may have at most ${most} values, got ${got}`);
  }
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

/** Apart from each other, so that content and tables of one seed have nothing in common. */
const TABLES = ["table", "second table", "third table", "fourth table", "fifth table"] as const;
const PARTS = ["queries", "keys", ...TABLES] as const;

/** The seed of one of the things that a panel makes from one seed. */
export function seedOf(part: (typeof PARTS)[number], seed: number): number {
  return seed + 1000 * PARTS.indexOf(part);
}

/** Content of variance 1, which stands for that of a text: uniform, up to sqrt(3). */
export function randomContent(count: number, part: "queries" | "keys", seed: number): Float32Array {
  return randomTable(count, seedOf(part, seed), Math.sqrt(3));
}

/** Queries [length, headDim] and keys [memory + length, headDim] of one head. */
export function randomTokens(length: number, headDim: number, seed: number, memory = 0): Content {
  return {
    queries: randomContent(length * headDim, "queries", seed),
    keys: randomContent((memory + length) * headDim, "keys", seed),
    headDim,
  };
}

/**
 * A network of the given widths, the input's first: weights and biases are uniform between
 * -1 / sqrt(inputs) and 1 / sqrt(inputs), where training starts in PyTorch.
 */
export function randomLayers(widths: readonly number[], seed: number): Layers {
  return widths.slice(1).map((outputs, i) => {
    const inputs = widths[i] ?? 0;
    const size = 1 / Math.sqrt(inputs);
    return {
      weight: randomTable(inputs * outputs, seedOf("table", seed) + 2 * i, size),
      bias: randomTable(outputs, seedOf("table", seed) + 2 * i + 1, size),
    };
  });
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
