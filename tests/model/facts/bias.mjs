// Biases of scores: buckets of T5's kind, ALiBi.

/** Buckets of distances, a bias per bucket and head. */
export function t5Bias({ heads, buckets, distance, scaled = false, site = "text", ...more }) {
  const bidirectional = site !== "decoder";
  return {
    site,
    encoding: "t5_bias",
    layers: "all",
    params: {
      num_buckets: buckets,
      max_distance: distance,
      bidirectional,
      heads,
      softmax_scaled: scaled,
      ...more,
    },
    attention: { causal: !bidirectional, ...(scaled ? {} : { scale: 1 }) },
  };
}

/** Slopes 2^(-bias_max k / n); without a power of two the odd steps of twice as many follow. */
export function slopes(heads, biasMax) {
  const power = 2 ** Math.floor(Math.log2(heads));
  const steps = (count, each) => Array.from({ length: count }, (_, i) => 2 ** (-biasMax * each(i)));
  return [
    ...steps(power, (i) => (i + 1) / power),
    ...steps(heads - power, (i) => (2 * i + 1) / (2 * power)),
  ];
}

export function alibi({ heads, biasMax = 8, symmetric = false }) {
  return {
    site: "text",
    encoding: "alibi",
    layers: "all",
    params: {
      heads,
      alibi_bias_max: biasMax,
      slopes: slopes(heads, biasMax),
      form: symmetric ? "symmetric" : "key",
      causal: !symmetric,
    },
    attention: { causal: !symmetric },
  };
}
