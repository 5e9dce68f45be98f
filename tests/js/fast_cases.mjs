// Calls of attention with every kind of term, and attention in double with the bound that stands in
// src/posenc/attention/attention.hpp. Pages import it too.

/** `count` floats within `size` of 0, the same each time. */
function floats(count, seed, size = 2) {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return size * (state / 2 ** 31 - 1);
  });
}

/** [rows, pairs] of angles. */
const angles = (wave, rows, pairs) =>
  Float32Array.from({ length: rows * pairs }, (_, i) =>
    wave((1 + Math.floor(i / pairs)) * 0.7 ** (i % pairs)),
  );

const shape = { heads: 2, kvHeads: 2, queryCount: 5, keyCount: 37, headDim: 20, valueDim: 20 };
const rows = 9;
const terms = {
  distances: { distances: floats(2 * 80, 11), firstDistance: -40 },
  bias: { bias: floats(2 * 5 * 37, 12), keyBias: floats(2 * 37, 13) },
  relative: {
    relative: {
      index: Int32Array.from({ length: 80 }, (_, i) =>
        Math.min(Math.max(i - 40 + 4, -1), rows - 1),
      ),
      firstDistance: -40,
      rowCount: rows,
      keys: floats(rows * 20, 14),
      queries: floats(2 * rows * 20, 15),
      values: floats(rows * 20, 16, 1),
      positionBias: floats(2 * 20, 17),
      contentBias: floats(2 * 20, 18),
    },
  },
};
const rotary = {
  queryCos: angles(Math.cos, 5, 6),
  querySin: angles(Math.sin, 5, 6),
  keyCos: angles(Math.cos, 37, 6),
  keySin: angles(Math.sin, 37, 6),
  rotaryDim: 12,
  rotaryStart: 4,
};

/** Args of calls, by what is special of each. */
const cases = {
  "nothing added": {},
  "one query and one key": { queryCount: 1, keyCount: 1 },
  "grouped heads and odd widths, causal": {
    ...{ heads: 6, kvHeads: 2, queryCount: 31, keyCount: 31, headDim: 19, valueDim: 7 },
    causal: true,
  },
  "rows of many keys": { queryCount: 2, keyCount: 700, headDim: 64, valueDim: 64, scale: 0.3 },
  "distances, causal": { terms: terms.distances, causal: true },
  "biases and hidden keys": {
    terms: terms.bias,
    keyMask: Uint8Array.from({ length: 37 }, (_, key) => key % 3),
  },
  "a window and a soft cap": { window: 6, softcap: 4, queryOffset: 20 },
  "rotation, halves": { rotary },
  "rotation, interleaved": { rotary: { ...rotary, layout: "interleaved" } },
  "relative rows": { terms: terms.relative },
  everything: {
    terms: { ...terms.distances, ...terms.bias, ...terms.relative },
    rotary,
    window: 30,
  },
};

/** [{ name, q, k, v, args }]; `probabilities` and `out` are for the caller to add. */
export const calls = Object.entries(cases).map(([name, special]) => {
  const args = { ...shape, ...special };
  const { heads, kvHeads, queryCount, keyCount, headDim, valueDim } = args;
  return {
    name,
    q: floats(heads * queryCount * headDim, 1),
    k: floats(kvHeads * keyCount * headDim, 2),
    v: floats(kvHeads * keyCount * valueDim, 3, 1),
    args,
  };
});

/** A new array for the probabilities of a call. */
export function probabilitiesOf({ args: { heads, queryCount, keyCount } }) {
  return new Float32Array(heads * queryCount * keyCount);
}

const UNIT = 2 ** -24;
const sum = (values) => values.reduce((total, value) => total + value, 0);

/** A vector in double, with the magnitudes that its rounding is a part of. */
function vector(x, row, width) {
  const values = Array.from(x.subarray(row * width, (row + 1) * width));
  return { values, sizes: values.map(Math.abs) };
}

function rotate({ values, sizes }, { rotaryDim, rotaryStart, layout }, cos, sin, row) {
  const pairs = rotaryDim / 2;
  for (let pair = 0; pair < pairs; ++pair) {
    const [first, step] = layout === "interleaved" ? [2 * pair, 1] : [pair, pairs];
    const [a, b] = [rotaryStart + first, rotaryStart + first + step];
    const [c, s] = [cos[row * pairs + pair], sin[row * pairs + pair]];
    const [x, y] = [values[a], values[b]];
    values[a] = x * c - y * s;
    values[b] = y * c + x * s;
    sizes[a] = Math.abs(x * c) + Math.abs(y * s);
    sizes[b] = Math.abs(y * c) + Math.abs(x * s);
  }
}

function added({ values, sizes }, table, row) {
  if (!table) return { values, sizes };
  const term = table.subarray(row * values.length, (row + 1) * values.length);
  return {
    values: values.map((value, i) => value + term[i]),
    sizes: sizes.map((size, i) => size + Math.abs(term[i])),
  };
}

/** One row of scores by the definition, and how far each may be off. */
function scoresOf({ q, k, args }, head, query) {
  const { heads, kvHeads, queryCount, keyCount, headDim, rotary, softcap = 0 } = args;
  const { scale = 1 / Math.sqrt(headDim), terms: { relative, ...added_ } = {} } = args;
  const position = query + (args.queryOffset ?? keyCount - queryCount);
  const line = head * queryCount + query;
  const own = vector(q, line, headDim);
  if (rotary) rotate(own, rotary, rotary.queryCos, rotary.querySin, query);
  const units = headDim + 3 + (rotary ? 4 : 0);
  return Array.from({ length: keyCount }, (_, key) => {
    const distance = key - position;
    const isHidden = args.keyMask?.[key] === 0 || (args.causal && distance > 0);
    if (isHidden || (args.window && Math.abs(distance) >= args.window))
      return { score: -Infinity, error: 0 };
    let score = 0;
    let error = 0;
    const round = (count = 1) => {
      error += count * UNIT * (Math.abs(score) + error);
    };
    const product = (a, b) => {
      score += scale * sum(a.values.map((value, i) => value * b.values[i]));
      error += units * UNIT * Math.abs(scale) * sum(a.sizes.map((size, i) => size * b.sizes[i]));
    };
    const other = vector(k, Math.floor((head * kvHeads) / heads) * keyCount + key, headDim);
    if (rotary) rotate(other, rotary, rotary.keyCos, rotary.keySin, key);
    product(added(own, relative?.contentBias, head), other);
    if (softcap) {
      score = softcap * Math.tanh(score / softcap);
      round(5);
    }
    const row = relative ? relative.index[distance - relative.firstDistance] : -1;
    if (row >= 0) {
      product(added(own, relative.positionBias, head), vector(relative.keys, row, headDim));
      round();
      product(other, vector(relative.queries, head * relative.rowCount + row, headDim));
      round();
    }
    const { distances, firstDistance, bias, keyBias } = added_;
    const list = [
      distances?.[(head * distances.length) / heads + distance - firstDistance],
      bias?.[line * keyCount + key],
      keyBias?.[head * keyCount + key],
    ];
    for (const term of list.filter((one) => one !== undefined)) {
      score += term;
      round();
    }
    return { score, error };
  });
}

/** Softmax of a row, and how far each probability may be off, relative to itself. */
function probabilitiesOfRow(scores) {
  const largest = Math.max(...scores.map(({ score }) => score));
  const worst = Math.max(...scores.map(({ error }) => error));
  const weights = scores.map(({ score }) => Math.exp(score - largest));
  const total = sum(weights);
  const common = Math.ceil(scores.length / 16) + Math.log(scores.length) + 9;
  return scores.map(({ score, error }, key) => ({
    value: weights[key] / total,
    error: score === -Infinity ? 0 : (common + largest - score) * UNIT + Math.expm1(error + worst),
  }));
}

/** How much of its bound the largest error of a call's results is: at most 1. */
export function partOfBound(call, out, probabilities) {
  const { heads, kvHeads, queryCount, keyCount, valueDim, terms = {}, ...rest } = call.args;
  const { relative } = terms;
  let part = 0;
  const see = (got, exact, bound) => {
    part = Math.max(part, Math.abs(got - exact) / (bound + 2 ** -126));
  };
  for (let line = 0; line < heads * queryCount; ++line) {
    const [head, query] = [Math.floor(line / queryCount), line % queryCount];
    const row = probabilitiesOfRow(scoresOf(call, head, query));
    for (const [key, { value, error }] of row.entries()) {
      see(probabilities[line * keyCount + key], value, value * error);
    }
    const position = query + (rest.queryOffset ?? keyCount - queryCount);
    const first = Math.floor((head * kvHeads) / heads) * keyCount;
    for (let column = 0; column < valueDim; ++column) {
      const products = row.flatMap(({ value, error }, key) => {
        const index = relative?.index[key - position - relative.firstDistance] ?? -1;
        const values = [call.v[(first + key) * valueDim + column]];
        if (index >= 0) values.push(relative.values[index * valueDim + column]);
        return values.map((x) => ({ exact: value * x, bound: Math.abs(value * x) * error }));
      });
      const sums = (keyCount + rows) * UNIT * sum(products.map(({ exact }) => Math.abs(exact)));
      const exact = sum(products.map((one) => one.exact));
      const bound =
        sum(products.map((one) => one.bound)) * (1 + 2 ** -20) + sums + UNIT * Math.abs(exact);
      see(out[line * valueDim + column], exact, bound);
    }
  }
  return part;
}
