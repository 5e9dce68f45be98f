// Plain JavaScript as most people write it: the formula, arrays of arrays or of numbers, everything
// where it is needed. Pages use it too.
import { bucketOf, data, slopes } from "./data.mjs";

export const usualMakers = {
  rope: ({ storage, place, ...shape }) =>
    storage === "float32" && place === "in" ? rope(shape) : undefined,
  decode: ({ table, ...shape }) => (table === "ready" ? undefined : decode(shape)),
  sinusoidal,
  alibi: (shape) => (shape.form === "written" ? alibi(shape) : undefined),
  t5: (shape) => (shape.form === "written" ? t5(shape) : undefined),
  learned,
};

/** One row, with a new array for the result. */
function rotated(row, position, layout) {
  const half = row.length / 2;
  return row.map((value, i) => {
    const pair = layout === "half" ? i % half : Math.floor(i / 2);
    const isFirst = layout === "half" ? i < half : i % 2 === 0;
    const step = layout === "half" ? half : 1;
    const angle = position / 10000 ** (pair / half);
    const other = isFirst ? -row[i + step] : row[i - step];
    return value * Math.cos(angle) + other * Math.sin(angle);
  });
}

function rowsOf(count, width, seed) {
  const flat = data(count * width, seed);
  return Array.from({ length: count }, (_, i) => [...flat.subarray(i * width, (i + 1) * width)]);
}

const flat = (rows) => Float32Array.from(rows.flat(3));

function rope({ layout, heads, length, dim }) {
  const x = rowsOf(heads * length, dim, 1);
  let out = [];
  return {
    run() {
      out = x.map((row, i) => rotated(row, i % length, layout));
    },
    results: () => [flat(out)],
  };
}

function decode({ heads, dim, position }) {
  const x = rowsOf(heads, dim, 1);
  let out = [];
  return {
    run() {
      out = x.map((row) => rotated(row, position, "half"));
    },
    results: () => [flat(out)],
  };
}

function sinusoidal({ layout, length, dim }) {
  let out = [];
  return {
    run() {
      out = Array.from({ length }, (_, position) =>
        Array.from({ length: dim }, (_, i) => {
          const pair = layout === "half" ? i % (dim / 2) : Math.floor(i / 2);
          const isSine = layout === "half" ? i < dim / 2 : i % 2 === 0;
          const angle = position / 10000 ** ((2 * pair) / dim);
          return isSine ? Math.sin(angle) : Math.cos(angle);
        }),
      );
    },
    results: () => [flat(out)],
  };
}

function alibi({ heads, length }) {
  const slope = slopes(heads);
  const out = new Float32Array(heads * length * length);
  return {
    run() {
      let at = 0;
      for (let head = 0; head < heads; head++) {
        for (let query = 0; query < length; query++) {
          for (let key = 0; key < length; key++) out[at++] = -slope[head] * Math.abs(key - query);
        }
      }
    },
    results: () => [out],
  };
}

function t5({ heads, length }) {
  const table = data(32 * heads);
  const out = new Float32Array(heads * length * length);
  return {
    run() {
      let at = 0;
      for (let head = 0; head < heads; head++) {
        for (let query = 0; query < length; query++) {
          for (let key = 0; key < length; key++) {
            out[at++] = table[bucketOf(key - query) * heads + head];
          }
        }
      }
    },
    results: () => [out],
  };
}

function learned({ length, dim }) {
  const rows = rowsOf(length, dim, 2);
  const x = rowsOf(length, dim, 1);
  let out = [];
  return {
    run() {
      out = x.map((row, i) => row.map((value, j) => value + rows[i][j]));
    },
    results: () => [flat(out)],
  };
}
