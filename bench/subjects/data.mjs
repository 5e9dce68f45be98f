// What every JavaScript subject shares: test data and tables. No import of Node's: pages use it too.
// The rule of `element` stands also in bench/data.hpp and peers/subject.py.

/** Element `index` of the tensor with that seed, in [-1, 1): MurmurHash3's finalizer. */
export function element(index, seed) {
  let hash = (Math.imul(index, 0x9e3779b1) + Math.imul(seed, 0x7f4a7c15)) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash ^= hash >>> 16;
  return (hash >>> 8) / 0x800000 - 1;
}

/** Fills `values` with the tensor of that seed, and returns it. */
export function fill(values, seed) {
  for (let i = 0; i < values.length; ++i) values[i] = element(i, seed);
  return values;
}

/** A tensor of its own. */
export function data(count, seed = 1) {
  return fill(new Float32Array(count), seed);
}

/** At most this many elements of each tensor are compared; see worker/main.cpp. */
const SAMPLE = 2 ** 16;

/** What two subjects' results are compared by. */
export function sampleOf(tensors) {
  return Float32Array.from(
    tensors.flatMap((values) => {
      const step = Math.trunc(values.length / SAMPLE) | 1;
      const sample = [];
      for (let i = 0; i < values.length; i += step) sample.push(values[i]);
      return sample;
    }),
  );
}

/** base^(-2 i / (2 pairs)) for each pair. */
export function frequencies(pairs, base = 10000) {
  return Float64Array.from({ length: pairs }, (_, i) => base ** (-i / pairs));
}

/** Tables [length, pairs] of cosines and sines of positions `first` on. */
export function turns(first, length, pairs) {
  const frequency = frequencies(pairs);
  const cos = new Float32Array(length * pairs);
  const sin = new Float32Array(length * pairs);
  for (let row = 0; row < length; ++row) {
    for (let i = 0; i < pairs; ++i) {
      cos[row * pairs + i] = Math.cos((first + row) * frequency[i]);
      sin[row * pairs + i] = Math.sin((first + row) * frequency[i]);
    }
  }
  return { cos, sin };
}

/** ALiBi's slopes for a power of two of heads. */
export function slopes(heads) {
  return Float32Array.from({ length: heads }, (_, head) => 2 ** ((-8 * (head + 1)) / heads));
}

/** T5's bucket of a distance key - query: bidirectional, 32 buckets, up to 128. */
export function bucketOf(distance) {
  const magnitude = Math.abs(distance);
  const far = 8 + Math.floor((Math.log(magnitude / 8) / Math.log(128 / 8)) * 8 + 1e-9);
  return (distance > 0 ? 16 : 0) + (magnitude < 8 ? magnitude : Math.min(far, 15));
}

/** A square matrix [length, length] of a function of key - query. */
export function matrixOf(length, valueAt, Type = Float32Array) {
  const matrix = new Type(length * length);
  for (let query = 0; query < length; ++query) {
    for (let key = 0; key < length; ++key) matrix[query * length + key] = valueAt(key - query);
  }
  return matrix;
}

/** A bias [heads, length, length] of `terms`: alibi or t5, as the subjects of the worker make it. */
export function biasOf(terms, heads, length) {
  const slope = slopes(heads);
  const table = data(32 * heads);
  const bias = new Float32Array(heads * length * length);
  for (let head = 0; head < heads; ++head) {
    const value =
      terms === "alibi"
        ? (distance) => -slope[head] * Math.abs(distance)
        : (distance) => table[bucketOf(distance) * heads + head];
    bias.set(matrixOf(length, value), head * length * length);
  }
  return bias;
}

/** The float that a float16's bits stand for. */
export function fromHalf(bits) {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const magnitude =
    exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits & 0x8000 ? -magnitude : magnitude;
}

/** The bits of the float16 nearest to a float of magnitude at most 1, ties to even. */
export function toHalf(value) {
  const magnitude = Math.abs(value);
  const sign = value < 0 ? 0x8000 : 0;
  const exponent = Math.max(-14, Math.floor(Math.log2(magnitude || 2 ** -14)));
  const scaled = magnitude / 2 ** (exponent - 10);
  const whole = Math.floor(scaled);
  const isOver = scaled - whole > 0.5 || (scaled - whole === 0.5 && whole % 2 === 1);
  // A carry out of the fraction goes on into the exponent, as it should.
  const biased = magnitude < 2 ** -14 ? 0 : (exponent + 14) << 10;
  return sign + biased + whole + (isOver ? 1 : 0);
}
