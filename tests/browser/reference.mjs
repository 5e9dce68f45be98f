// What pictures are computed from a second time: the package in Node, and the page's random numbers.
import { load } from "posenc/all";

export const posenc = await load();

/** The page's seeded stand-in for trained tables (mulberry32), written a second time. */
export function randomTable(count, seed, size) {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1) * size;
  });
}

/** The seeds of what a panel makes from seed 1. */
export const SEED = { queries: 1, keys: 1001, table: 2001, second: 3001, third: 4001 };

/** Queries or keys of variance 1. */
export const content = (count, seed) => randomTable(count, seed, Math.sqrt(3));

/** A network as PyTorch starts it, of the seeds of table and after. */
export function layers(...widths) {
  return widths.slice(1).map((outputs, i) => {
    const size = 1 / Math.sqrt(widths[i]);
    return {
      weight: randomTable(widths[i] * outputs, SEED.table + 2 * i, size),
      bias: randomTable(outputs, SEED.table + 2 * i + 1, size),
    };
  });
}

/** Attention weights by definition, in double: what the picture's float32 ones must be close to. */
export function softmaxRows(score, length, causal) {
  const weights = new Float64Array(length * length);
  for (let query = 0; query < length; query += 1) {
    const keys = causal ? query + 1 : length;
    const scores = Array.from({ length: keys }, (_, key) => score(query, key));
    const largest = Math.max(...scores);
    const powers = scores.map((one) => Math.exp(one - largest));
    const sum = powers.reduce((a, b) => a + b);
    for (let key = 0; key < length; key += 1) {
      weights[query * length + key] = key < keys ? powers[key] / sum : -Infinity;
    }
  }
  return weights;
}

/** The dot product of two rows of a table. */
export const dot = (rows, dim, a, b) => {
  let sum = 0;
  for (let i = 0; i < dim; i += 1) sum += rows[a * dim + i] * rows[b * dim + i];
  return sum;
};

export const range = (offset, length) => ({
  queries: { offset, length },
  keys: { offset, length },
});
export const head = (all, index, count) => all.slice(index * count, (index + 1) * count);
