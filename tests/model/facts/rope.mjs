// What models with rotary positions take, and the encodings that follow.
import { field, shape, valuesOf } from "./field.mjs";
import { ropeCases } from "./rope_cases.mjs";

/** Kinds of layers by their index, where a class has no `layer_types`. */
export const pattern = {
  /** Every n-th layer is full, the others slide. */
  lastFull: (i, n) => ((i + 1) % n === 0 ? "full" : "sliding"),
  /** As that, counted from layer 0. */
  firstFull: (i, n) => (i % n === 0 ? "full" : "sliding"),
  /** As lastFull, and the very last layer is full as well. */
  lastFullAlways: (i, n, count) => ((i + 1) % n === 0 || i + 1 === count ? "full" : "sliding"),
  lastFullElseLinear: (i, n) => ((i + 1) % n === 0 ? "full" : "none"),
  lastWithoutRope: (i, n) => ((i + 1) % n === 0 ? "none" : "full"),
  /** Every n-th layer sees all, without a rope. */
  lastBare: (i, n) => ((i + 1) % n === 0 ? "none" : "sliding"),
  thirdAttends: (i) => (i % 3 === 2 ? "sliding" : "none"),
};

/** Frequencies base^(-2i/width) at the first, a middle and the last pair. */
export function ladder(base, width) {
  const pairs = width / 2;
  const samples = [...new Set([0, Math.floor(pairs / 2), pairs - 1])];
  return samples.map((i) => ({ i, value: base ** ((-2 * i) / width) }));
}

/** M-RoPE's sections: the class's own, or some that fill another width. */
function sectionsOf({ sections }, width) {
  const [, height, across] = sections;
  const isOwn = sections[0] + height + across === width / 2;
  return isOwn ? sections : [width / 2 - 4, 3, 1];
}

/** The widths that rotate. */
const widthOf = (v, head) => v.ropeDim ?? v.rotaryDim ?? Math.trunc(head * (v.partial ?? 1));

function paramsOf(traits, v, kind) {
  const isLocal = kind === "sliding" && v.localBase !== undefined;
  const own = { full: v.fullHeadDim, sliding: v.slidingHeadDim }[kind];
  const head = v.nopeDim === undefined ? (own ?? v.headDim ?? v.hidden / v.heads) : 0;
  const width = widthOf(v, head);
  const headDim = v.nopeDim === undefined ? head : v.nopeDim + v.ropeDim;
  const base = isLocal ? v.localBase : (v.base ?? 10000);
  const slides = kind === "sliding" || (traits.pattern === undefined && kind === "full");
  const params = {
    head_dim: headDim,
    rotary_dim: width,
    placement: v.nopeDim === undefined ? "prefix" : "last rotary_dim dims of a head",
    base,
    layout: traits.layout ?? "half",
    max_position: v.max ?? null,
    causal: traits.causal ?? true,
    window: slides ? (v.window ?? null) : null,
    scaling: traits.scaling?.(kind) ?? { type: "none" },
  };
  if (!traits.scaling)
    Object.assign(params, { attention_factor: 1, inv_freq: ladder(base, width) });
  if (traits.softmax) params.softmax_scale = traits.softmax(v.softmax, headDim);
  if (traits.sections) {
    params.sections = sectionsOf(traits, width);
    params.interleaved = traits.interleavedSections ?? false;
  }
  const attention = { scale: params.softmax_scale ?? headDim ** -0.5, causal: params.causal };
  if (params.window !== null) attention.window = params.window;
  return { params, attention };
}

export function encodingsOf(traits, v) {
  const site = traits.site ?? "text";
  const encoding = traits.sections ? "mrope" : "rope";
  if (!traits.pattern) {
    return [{ site, encoding, layers: "all", ...paramsOf(traits, v, "full") }];
  }
  const kinds = Array.from({ length: v.layers }, (_, i) => traits.pattern(i, v.interval, v.layers));
  return [...new Set(kinds)].map((kind) => ({
    site,
    encoding: kind === "none" ? "none" : encoding,
    layers: kinds.flatMap((each, i) => (each === kind ? [i] : [])),
    ...(kind === "none" ? { params: {} } : paramsOf(traits, v, kind)),
  }));
}

/** Spellings of the fields that some ropes have. */
const spellings = {
  base: "rope_theta",
  headDim: "head_dim",
  partial: "partial_rotary_factor",
  rotaryDim: "rotary_dim",
  window: "sliding_window",
  nopeDim: "qk_nope_head_dim",
  ropeDim: "qk_rope_head_dim",
};

/**
 * A model with a rope. Each trait that is a field is given as its default, or as
 * [spellings, default]; `null` stands for a class without that field.
 */
export function rope(sizes, traits = {}) {
  const { names, ...rest } = traits;
  const fields = shape(sizes, names);
  const given = { base: 10000, headDim: undefined, partial: 1, ...rest };
  for (const role of [
    ...Object.keys(spellings),
    "interval",
    "localBase",
    "fullHeadDim",
    "softmaxField",
  ]) {
    if (!(role in given) || given[role] === null) continue;
    const [names, value] = Array.isArray(given[role])
      ? given[role]
      : [spellings[role], given[role]];
    fields[role === "softmaxField" ? "softmax" : role] = field(names, value);
  }
  /** What a config needs beside a field, so that its sections fill its pairs. */
  const beside = (v) => {
    const section = sectionsOf(rest, widthOf(v, v.headDim ?? v.hidden / v.heads));
    return section === rest.sections ? {} : { rope_scaling: { mrope_section: section } };
  };
  return {
    fields,
    others: rest.others,
    beside: rest.sections && beside,
    encodings: (v) => encodingsOf(rest, v),
    more: (fact) => ropeCases(rest, valuesOf(fact.fields), fact.fields),
  };
}
