import { malformed } from "./values.mjs";

/**
 * Queries and keys of one case; queries come last among the keys unless the case says otherwise.
 */
export function scoredOf(c) {
  const heads = c.size("heads");
  const headDim = c.size("head_dim");
  const queries = c.has("seq") ? c.size("seq") : c.size("query_len");
  const keys = c.has("seq") ? queries : c.size("key_len");
  const valueDim = c.has("value_dim") ? c.size("value_dim") : headDim;
  const offset = keys - queries;
  return { heads, headDim, queries, keys, valueDim, offset, scale: 1, causal: false };
}

export const shapeOf = (s) => [s.heads, s.queries, s.keys];

/** The positions of a case. */
export const placesOf = (s) => ({
  queries: { offset: s.offset, length: s.queries },
  keys: { length: s.keys },
});

/** The parameter `scale`; `otherwise` where a word stands for it. */
export function scaleOf(c, otherwise) {
  return typeof c.any("scale") === "string" ? otherwise : c.number("scale");
}

/** What hides the keys that the mask of a case leaves out, for every head. */
function keyBiasOf(c, s) {
  if (!c.has("key_mask") || c.any("key_mask") === null) return undefined;
  const mask = c.numbers("key_mask");
  if (mask.length !== s.keys) malformed('parameter "key_mask" must have a value for each key');
  const hidden = mask.map((kept) => (kept !== 0 ? 0 : -Infinity));
  return Float32Array.from({ length: s.heads * s.keys }, (_, i) => hidden[i % s.keys]);
}

const argsOf = (s) => ({
  heads: s.heads,
  queryCount: s.queries,
  keyCount: s.keys,
  headDim: s.headDim,
  scale: s.scale,
});

/** Attention over the terms of an encoding; writes probs and out, the latter after `finish`. */
export function attend(posenc, c, s, bias, q, k, finish) {
  const v = c.input("v", [s.heads, s.keys, s.valueDim]).values;
  const keyBias = keyBiasOf(c, s);
  c.room(shapeOf(s));
  const probabilities = new Float32Array(s.heads * s.queries * s.keys);
  const out = posenc.attention(q, k, v, {
    ...argsOf(s),
    valueDim: s.valueDim,
    causal: s.causal,
    queryOffset: s.offset,
    terms: { bias, keyBias },
    probabilities,
  });
  finish?.(probabilities, out);
  c.output("probs", shapeOf(s), probabilities);
  c.output("out", [s.heads, s.queries, s.valueDim], out);
}

/** What attention's softmax would read, its own terms being `bias`. */
export function scoresOf(posenc, c, s, bias, q, k) {
  c.room(shapeOf(s));
  return posenc.attentionScores(q, k, { ...argsOf(s), terms: { bias } });
}
