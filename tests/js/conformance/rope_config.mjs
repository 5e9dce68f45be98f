import { withOwned } from "./case.mjs";
import { malformed } from "./values.mjs";

function numberOr(c, name, fallback) {
  return c.has(name) && c.any(name) !== null ? c.number(name) : fallback;
}

function dynamicOf(c, config) {
  config.length = c.whole("seq_len");
  return {
    type: "dynamic_ntk",
    factor: c.number("factor"),
    maxPositionEmbeddings: c.whole("max_position_embeddings"),
  };
}

function yarnOf(c) {
  const yarn = {
    type: "yarn",
    factor: c.number("factor"),
    originalMaxPositionEmbeddings: c.whole("original_max_position_embeddings"),
    betaFast: numberOr(c, "beta_fast", undefined),
    betaSlow: numberOr(c, "beta_slow", undefined),
    mscale: numberOr(c, "mscale", undefined),
    mscaleAllDim: numberOr(c, "mscale_all_dim", undefined),
  };
  if (c.has("truncate")) yarn.truncate = c.flag("truncate");
  yarn.attentionFactor = numberOr(c, "attention_factor", undefined);
  return yarn;
}

/** Both lists are inputs, or the branch's alone is a parameter. */
function longRopeOf(c, config) {
  const original = c.whole("original_max_position_embeddings");
  const rope = {
    type: "long_rope",
    originalMaxPositionEmbeddings: original,
    factor: c.number("max_position_embeddings") / original,
  };
  c.oneOf("branch", ["short", "long"]);
  if (c.has("factors")) {
    const factors = c.numbers("factors");
    const isLong = c.has("branch") && c.any("branch") === "long";
    config.length = original + (isLong ? 1 : 0);
    return { ...rope, shortFactor: factors, longFactor: factors };
  }
  const shortFactor = c.numbersInput("short_factor");
  const longFactor = c.numbersInput("long_factor");
  config.length = c.whole("seq_len");
  return { ...rope, shortFactor, longFactor };
}

function llama3Of(c) {
  return {
    type: "llama3",
    factor: c.number("factor"),
    lowFreqFactor: c.number("low_freq_factor"),
    highFreqFactor: c.number("high_freq_factor"),
    originalMaxPositionEmbeddings: c.whole("original_max_position_embeddings"),
  };
}

const scalings = {
  default: () => ({ type: "none" }),
  linear: (c) => ({ type: "linear", factor: c.number("factor") }),
  dynamic: dynamicOf,
  static_ntk: (c) => ({ type: "static_ntk", factor: c.number("factor") }),
  yarn: yarnOf,
  longrope: longRopeOf,
  llama3: llama3Of,
  proportional: (c) => ({
    type: "proportional",
    partialRotaryFactor: c.number("partial_rotary_factor"),
    factor: c.number("factor"),
  }),
};

/**
 * head_dim, rotary_dim, rotary_start, base, layout and the scaling that rope_type names, of those
 * that are given.
 */
export function ropeConfig(c) {
  const config = {};
  c.oneOf("layout", ["half", "interleaved"]);
  if (c.has("layout")) config.layout = c.any("layout");
  if (c.has("rotary_dim")) config.rotaryDim = c.size("rotary_dim");
  if (c.has("rotary_start")) config.rotaryStart = c.size("rotary_start");
  config.headDim = c.has("head_dim") ? c.size("head_dim") : (config.rotaryDim ?? 0);
  config.base = numberOr(c, "base", undefined);
  if (!c.has("rope_type")) return config;
  c.oneOf("rope_type", Object.keys(scalings));
  config.scaling = scalings[c.any("rope_type")](c, config);
  return config;
}

/** The same with the parameter attention_scaling as the attention factor. */
export function scaledConfig(posenc, c) {
  const config = ropeConfig(c);
  const attentionFactor = c.number("attention_scaling");
  if (attentionFactor === 1) return config;
  const invFreq = withOwned(posenc.rope(config), (rope) => rope.invFreq());
  return { ...config, scaling: { type: "custom_frequencies", invFreq, attentionFactor } };
}

/** Input `name` [batch, heads, positions, headDim] through a verb, as output `out`. */
export function turned(c, rope, verb, positions, name, out, side = "query") {
  const { shape, values } = c.input(name);
  if (shape.length !== 4) malformed(`input "${name}" must have 4 axes`);
  const [batch, heads, length] = shape;
  c.output(out, shape, rope[verb](values, { batch, heads, positions, length, side }));
}

export function turnedQK(c, rope, positions) {
  turned(c, rope, "apply", positions, "q", "q");
  turned(c, rope, "apply", positions, "k", "k", "key");
}

/** A parameter of two sizes, height and width. */
export function pairOf(c, name) {
  const sizes = c.wholes(name);
  if (sizes.length !== 2) malformed(`parameter "${name}" must have 2 values`);
  return sizes.map((size) => sizeFrom(size, name));
}

/** A whole number that is not negative. */
export function sizeFrom(value, name) {
  if (value < 0 || value > 2147483647) {
    malformed(`parameter "${name}" must be from 0 to 2147483647, got ${value}`);
  }
  return value;
}
