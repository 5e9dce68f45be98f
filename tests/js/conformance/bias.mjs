import { withOwned } from "./case.mjs";
import { malformed } from "./values.mjs";

/** The rule of every published checkpoint, BLOOM's and MPT's alike. */
function alibiOf(posenc, c, form) {
  c.oneOf("order", ["paper/BLOOM", "MPT"]);
  const heads = c.size("heads");
  const alibiBiasMax = c.has("alibi_bias_max") ? c.number("alibi_bias_max") : undefined;
  return posenc.alibi({ heads, form, alibiBiasMax });
}

function slopes(posenc, c) {
  withOwned(alibiOf(posenc, c), (alibi) => {
    const values = alibi.slopes();
    c.output("slopes", [values.length], values);
  });
}

/** Queries come last among the keys unless query_offset says otherwise. */
export function writeBias(c, encoding) {
  const queries = c.size("query_len");
  const keys = c.size("key_len");
  const offset = c.wholeOr("query_offset", keys - queries);
  const shape = [encoding.config.heads, queries, keys];
  c.room(shape);
  const positions = { queries: { offset, length: queries }, keys: { length: keys } };
  c.output("bias", shape, encoding.bias(positions));
}

function biasSymmetric(posenc, c) {
  c.oneOf("form", ["symmetric"]);
  withOwned(alibiOf(posenc, c, "symmetric"), (alibi) => writeBias(c, alibi));
}

function biasCausal(posenc, c) {
  c.oneOf("form", ["causal"]);
  withOwned(alibiOf(posenc, c, "causal"), (alibi) => writeBias(c, alibi));
}

/** Positions that do not count masked keys: (running sum of the mask - 1) * mask. */
function unmaskedPositions(mask) {
  let sum = 0;
  return mask.map((kept) => {
    sum += kept;
    return (sum - 1) * kept;
  });
}

/** One row of keys per head: [heads, keys], or with a mask [batch * heads, 1, keys]. */
function biasBloom(posenc, c) {
  c.oneOf("form", [
    "slope*key_index (translation-equivalent to causal form under softmax)",
    "(cumsum(mask)-1)*mask * slope",
  ]);
  withOwned(alibiOf(posenc, c), (alibi) => {
    const { heads } = alibi.config;
    const keys = c.size("key_len");
    if (!c.hasInput("attention_mask")) {
      c.room([heads, keys]);
      c.output("bias", [heads, keys], alibi.keyBias({ length: keys }));
      return;
    }
    const { shape } = c.input("attention_mask");
    if (shape.length !== 2 || shape[1] !== keys) {
      malformed('input "attention_mask" must have the shape [batch, key_len]');
    }
    const kept = c.wholeInput("attention_mask");
    const [batch] = shape;
    c.room([batch, heads, keys]);
    const rows = Array.from({ length: batch }, (_, b) => {
      const positions = unmaskedPositions(kept.slice(b * keys, (b + 1) * keys));
      return Array.from(alibi.keyBias({ positions }));
    });
    c.output("bias", [batch * heads, 1, keys], rows.flat());
  });
}

/** MPT's row of keys ends at 0: positions 1 - keys to 0. */
function biasMpt(posenc, c) {
  c.oneOf("form", ["slope*(key_index-(L-1))"]);
  withOwned(alibiOf(posenc, c), (alibi) => {
    const keys = c.size("key_len");
    const shape = [alibi.config.heads, 1, keys];
    c.room(shape);
    c.output("bias", shape, alibi.keyBias({ offset: 1 - keys, length: keys }));
  });
}

/** Falcon's row of keys, in bfloat16 throughout. */
function biasFalcon(posenc, c) {
  c.describes(["note"]);
  withOwned(alibiOf(posenc, c), (alibi) => {
    const keys = c.size("key_len");
    const shape = [alibi.config.heads, keys];
    c.room(shape);
    c.output("bias", shape, alibi.falconKeyBias({ length: keys }));
  });
}

export function t5Config(c, heads) {
  return {
    heads,
    bidirectional: c.flag("bidirectional"),
    numBuckets: c.size("num_buckets"),
    maxDistance: c.size("max_distance"),
  };
}

function t5Bucket(posenc, c) {
  withOwned(posenc.t5(t5Config(c, 1)), (t5) => {
    const { shape } = c.input("relative_position");
    c.output("bucket", shape, t5.buckets(c.wholeInput("relative_position")));
  });
}

function t5Bias(posenc, c) {
  const config = t5Config(c, c.size("heads"));
  const { values: table } = c.input("table", [config.numBuckets, config.heads]);
  withOwned(posenc.t5({ ...config, table }), (t5) => writeBias(c, t5));
}

export const biasFamilies = {
  slopes_paper: slopes,
  slopes_mpt: slopes,
  bias_bloom: biasBloom,
  bias_mpt: biasMpt,
  bias_falcon: biasFalcon,
  bias_symmetric: biasSymmetric,
  bias_causal: biasCausal,
  t5_bucket: t5Bucket,
  t5_bias: t5Bias,
};
