// Plain JavaScript written well: typed arrays made once, loops over indices, nothing computed twice.
// Pages use it too.
import { bucketOf, data, fill, frequencies, slopes, turns } from "./data.mjs";

export const plainMakers = {
  rope: ({ storage, ...shape }) => (storage === "float32" ? rope(shape) : undefined),
  decode,
  angles,
  sinusoidal,
  alibi: (shape) => bias(shape, alibiVectors(shape)),
  t5: (shape) => bias(shape, t5Vectors(shape)),
  learned,
  resize,
};

function rope({ layout, place, heads, length, dim }) {
  const { cos, sin } = turns(0, length, dim / 2);
  const x = new Float32Array(heads * length * dim);
  const out = place === "out" ? new Float32Array(x.length) : x;
  const rotate = layout === "half" ? rotateHalf : rotateInterleaved;
  return {
    reset: () => void fill(x, 1),
    run: () => rotate(x, out, cos, sin, heads, length, dim / 2),
    results: () => [out],
  };
}

function rotateHalf(x, out, cos, sin, heads, length, pairs) {
  let at = 0;
  for (let head = 0; head < heads; ++head) {
    let row = 0;
    for (let token = 0; token < length; ++token) {
      for (let i = 0; i < pairs; ++i) {
        const a = x[at + i];
        const b = x[at + pairs + i];
        const c = cos[row + i];
        const s = sin[row + i];
        out[at + i] = a * c - b * s;
        out[at + pairs + i] = b * c + a * s;
      }
      at += 2 * pairs;
      row += pairs;
    }
  }
}

function rotateInterleaved(x, out, cos, sin, heads, length, pairs) {
  let at = 0;
  for (let head = 0; head < heads; ++head) {
    for (let i = 0; i < length * pairs; ++i) {
      const a = x[at];
      const b = x[at + 1];
      const c = cos[i];
      const s = sin[i];
      out[at] = a * c - b * s;
      out[at + 1] = b * c + a * s;
      at += 2;
    }
  }
}

function decode({ table, heads, dim, position }) {
  const pairs = dim / 2;
  const frequency = frequencies(pairs);
  const { cos, sin } = turns(position, 1, pairs);
  const x = new Float32Array(heads * dim);
  return {
    reset: () => void fill(x, 1),
    run() {
      if (table !== "ready") writeTurns(position, frequency, cos, sin, 0);
      rotateHalf(x, x, cos, sin, heads, 1, pairs);
    },
    results: () => [x],
  };
}

function writeTurns(position, frequency, cos, sin, at) {
  for (let i = 0; i < frequency.length; ++i) {
    const angle = position * frequency[i];
    cos[at + i] = Math.cos(angle);
    sin[at + i] = Math.sin(angle);
  }
}

function angles({ length, pairs }) {
  const frequency = frequencies(pairs);
  const cos = new Float32Array(length * pairs);
  const sin = new Float32Array(length * pairs);
  return {
    run() {
      for (let row = 0; row < length; ++row) writeTurns(row, frequency, cos, sin, row * pairs);
    },
    results: () => [cos, sin],
  };
}

function sinusoidal({ layout, length, dim }) {
  const frequency = frequencies(dim / 2);
  const out = new Float32Array(length * dim);
  const step = layout === "half" ? 1 : 2;
  const distance = layout === "half" ? dim / 2 : 1;
  return {
    run() {
      for (let row = 0; row < length; ++row) {
        for (let i = 0, at = row * dim; i < frequency.length; ++i, at += step) {
          const angle = row * frequency[i];
          out[at] = Math.sin(angle);
          out[at + distance] = Math.cos(angle);
        }
      }
    },
    results: () => [out],
  };
}

/** The values of one head for the distances 1 - length to length - 1. */
function alibiVectors({ heads, length }) {
  const slope = slopes(heads);
  return (head, vector) => {
    for (let i = 0; i < vector.length; ++i) vector[i] = -slope[head] * Math.abs(i - length + 1);
  };
}

function t5Vectors({ heads, length }) {
  const table = data(32 * heads);
  const buckets = Int32Array.from({ length: 2 * length - 1 }, (_, i) => bucketOf(i - length + 1));
  return (head, vector) => {
    for (let i = 0; i < vector.length; ++i) vector[i] = table[buckets[i] * heads + head];
  };
}

/** Row copies: the row of a query is a slice of the vector of distances. */
function bias({ form, heads, length }, write) {
  const vector = new Float32Array(2 * length - 1);
  const size = form === "distances" ? vector.length : length * length;
  const out = new Float32Array(heads * size);
  const rows = Array.from({ length }, (_, query) =>
    vector.subarray(length - 1 - query, 2 * length - 1 - query),
  );
  return {
    run() {
      for (let head = 0; head < heads; ++head) {
        write(head, vector);
        if (form === "distances") out.set(vector, head * size);
        else rows.forEach((row, query) => void out.set(row, head * size + query * length));
      }
    },
    results: () => [out],
  };
}

function learned({ length, dim }) {
  const rows = data(length * dim, 2);
  const x = new Float32Array(length * dim);
  return {
    reset: () => void fill(x, 1),
    run() {
      for (let i = 0; i < x.length; ++i) x[i] += rows[i];
    },
    results: () => [x],
  };
}

/** Weights of PyTorch's bicubic kernel, a = -0.75: four old rows and weights for each new row. */
export function cubicTaps(from, to) {
  const a = -0.75;
  const near = (t) => ((a + 2) * t - (a + 3)) * t * t + 1;
  const far = (t) => ((a * t - 5 * a) * t + 8 * a) * t - 4 * a;
  return Array.from({ length: to }, (_, row) => {
    const center = ((row + 0.5) * from) / to - 0.5;
    const first = Math.floor(center);
    const t = center - first;
    const weights = [far(t + 1), near(t), near(1 - t), far(2 - t)];
    const clamp = (index) => Math.min(Math.max(index, 0), from - 1);
    return weights.map((weight, i) => ({ weight, index: clamp(first - 1 + i) }));
  });
}

function resize({ from, to, dim }) {
  const taps = cubicTaps(from, to);
  const table = data(from * from * dim);
  const line = new Float32Array(from * dim);
  const out = new Float32Array(to * to * dim);
  return {
    run() {
      for (let y = 0; y < to; ++y) {
        mix(taps[y], table, from * dim, line, 0);
        for (let x = 0; x < to; ++x) mix(taps[x], line, dim, out, (y * to + x) * dim);
      }
    },
    results: () => [out],
  };
}

/** Four weighted rows of `width` values. */
function mix([a, b, c, d], rows, width, out, at) {
  const [p, q, r, s] = [a.index * width, b.index * width, c.index * width, d.index * width];
  for (let i = 0; i < width; ++i) {
    out[at + i] =
      a.weight * rows[p + i] +
      b.weight * rows[q + i] +
      c.weight * rows[r + i] +
      d.weight * rows[s + i];
  }
}
