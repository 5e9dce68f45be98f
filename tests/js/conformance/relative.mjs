import { withOwned } from "./case.mjs";
import { attend, placesOf, scaleOf, scoredOf, scoresOf, shapeOf } from "./scored.mjs";
import { malformed, shown, unsupported } from "./values.mjs";

function shawIndex(posenc, c) {
  const queries = c.size("length_q");
  const keys = c.size("length_k");
  const maxRelativePosition = c.size("max_relative_position");
  c.oneOf("queries", ["the last length_q of length_k positions"]);
  const table = new Float32Array(2 * maxRelativePosition + 1);
  withOwned(posenc.shaw({ headDim: 1, maxRelativePosition, keys: table }), (encoding) => {
    const places = { queries: { offset: keys - queries, length: queries }, keys: { length: keys } };
    c.output("index", [queries, keys], encoding.index(places));
  });
}

function shaw(posenc, c) {
  if (c.has("length_q")) return shawIndex(posenc, c);
  const s = scoredOf(c);
  s.scale = scaleOf(c, 1 / Math.sqrt(s.headDim));
  s.causal = c.flag("causal");
  const maxRelativePosition = c.size("max_relative_position");
  const rows = 2 * maxRelativePosition + 1;
  const hasValues = c.flag("value_embeddings");
  const q = c.input("q", [s.heads, s.queries, s.headDim]).values;
  const k = c.input("k", [s.heads, s.keys, s.headDim]).values;
  const keys = c.input("rel_k", [rows, s.headDim]).values;
  const values = hasValues ? c.input("rel_v", [rows, s.valueDim]).values : undefined;
  const { headDim, valueDim } = s;
  const config = { headDim, maxRelativePosition, keys, values, valueDim };
  return withOwned(posenc.shaw(config), (encoding) => {
    c.room(shapeOf(s));
    const bias = encoding.scores(q, { ...placesOf(s), scale: s.scale });
    attend(posenc, c, s, bias, q, k, (probs, out) => {
      if (hasValues) encoding.addValues(probs, placesOf(s), out);
    });
  });
}

/** -1 stands for none in the published configs. */
const countOrNone = (c, name) => Math.max(0, c.whole(name));

function debertaBucket(posenc, c) {
  const config = {
    heads: 1,
    headDim: 1,
    positionBuckets: c.size("bucket_size"),
    maxRelativePositions: c.size("max_position"),
  };
  withOwned(posenc.deberta(config), (deberta) => {
    const { shape } = c.input("relative_position");
    const distances = c.wholeInput("relative_position");
    const buckets = distances.map((distance) => deberta.bucket(distance));
    c.output("bucket", shape, buckets);
  });
}

function debertaRelpos(posenc, c) {
  const queries = c.size("query_size");
  const keys = c.size("key_size");
  const most = countOrNone(c, "max_position");
  const config = {
    heads: 1,
    headDim: 1,
    positionBuckets: countOrNone(c, "bucket_size"),
    maxRelativePositions: most !== 0 ? most : queries + keys,
  };
  withOwned(posenc.deberta(config), (deberta) => {
    const positions = { queries: { length: queries }, keys: { length: keys } };
    const rows = deberta.relativePositions(positions);
    c.output("relative_position", [1, queries, keys], rows);
  });
}

/** c2p and p2c as pos_att_type names them. */
function termsOf(c) {
  const terms = [c.any("pos_att_type")].flat();
  for (const term of terms) {
    if (term === "c2p" || term === "p2c") continue;
    unsupported(`parameter "pos_att_type" has the unsupported value ${shown(term)}`);
  }
  return { c2p: terms.includes("c2p"), p2c: terms.includes("p2c") };
}

function projectionOf(c, side, width) {
  if (!c.hasInput(`${side}_weight`)) return undefined;
  const weight = c.input(`${side}_weight`, [width, width]).values;
  return { weight, bias: c.input(`${side}_bias`, [width]).values };
}

function deberta(posenc, c) {
  const s = scoredOf(c);
  const attSpan = c.size("att_span");
  const width = s.heads * s.headDim;
  const most = countOrNone(c, "max_relative_positions");
  const terms = termsOf(c);
  const positionBuckets = countOrNone(c, "position_buckets");
  c.oneOf("share_att_key", [false]);
  c.oneOf("p2c_index", ["delta(i,j)"]);
  c.describes(["rel_embeddings_form", "relative_position"]);
  const config = {
    heads: s.heads,
    headDim: s.headDim,
    ...terms,
    positionBuckets,
    maxRelativePositions: most !== 0 ? most : attSpan,
    attSpan,
    relEmbeddings: c.input("rel_embeddings", [2 * attSpan, width]).values,
    posKey: projectionOf(c, "pos_key", width),
    posQuery: projectionOf(c, "pos_query", width),
  };
  withOwned(posenc.deberta(config), (encoding) => {
    s.scale = scaleOf(c, encoding.scale);
    const q = c.input("q", [s.heads, s.queries, s.headDim]).values;
    const k = c.input("k", [s.heads, s.keys, s.headDim]).values;
    c.room(shapeOf(s));
    const bias = encoding.scores(q, k, placesOf(s));
    if (c.wants("relative_position")) {
      const rows = encoding.relativePositions(placesOf(s));
      c.output("relative_position", [s.queries, s.keys], rows);
    }
    c.output("scores", shapeOf(s), scoresOf(posenc, c, s, bias, q, k));
    attend(posenc, c, s, bias, q, k);
  });
}

/** First distance, number of rows and batch of a case of sinusoid rows. */
function sinusoidRows(c) {
  if (c.has("dim")) {
    const positions = c.positions();
    if (positions.length === 0) malformed("there must be a position");
    const dModel = c.size("dim");
    const [first] = positions;
    if (positions.some((position, i) => position !== first - i)) {
      unsupported("positions must fall by one");
    }
    return { dModel, clampLen: -1, first, rows: positions.length, batch: 1 };
  }
  const dModel = c.size("d_model");
  const clampLen = c.whole("clamp_len");
  c.oneOf("attn_type", ["uni", "bi"]);
  const first = c.size("klen");
  const rows = first + (c.any("attn_type") === "bi" ? c.size("qlen") : 1);
  c.describes(["qlen"]);
  return { dModel, clampLen, first, rows, batch: c.flag("bi_data") ? 2 : 1 };
}

/** Rows [sin | cos] of distances that fall by one. */
function xlSinusoid(posenc, c) {
  const base = c.number("base");
  const { dModel, clampLen, first, rows, batch } = sinusoidRows(c);
  const zero = new Float32Array(1);
  const config = { heads: 1, headDim: 1, dModel, base, clampLen };
  withOwned(posenc.transformerXl({ ...config, contentBias: zero, positionBias: zero }), (xl) => {
    c.room([rows, dModel]);
    const table = xl.rows(first, rows);
    if (batch === 1) return c.output("pos_emb", [rows, 1, dModel], table);
    // the second half of the batch is read backwards: its positions are negated, and so are its sines
    const both = Array.from({ length: rows }, (_, row) => {
      const forward = Array.from(table.subarray(row * dModel, (row + 1) * dModel));
      return [...forward, ...forward.map((value, i) => (i < dModel / 2 ? 0 - value : value))];
    });
    return c.output("pos_emb", [rows, 2, dModel], both.flat());
  });
}

function relShift(posenc, c) {
  const queries = c.size("qlen");
  const keys = c.size("klen");
  c.describes(["output"]);
  const { shape, values } = c.input("x", [queries, keys]);
  c.output("x", shape, posenc.relativeShift(values, { queries, keys }));
}

/** r as it is given, or made of sinusoid rows and their projection. */
function xlRows(c, s, xl, first, rows) {
  if (c.hasInput("r")) return c.input("r", [s.heads, rows, s.headDim]).values;
  const weight = c.input("w_r", [xl.config.dModel, s.heads, s.headDim]).values;
  c.room([rows, xl.config.dModel]);
  return xl.project(xl.rows(first, rows), weight);
}

function transformerXl(posenc, c) {
  const s = scoredOf(c);
  s.scale = scaleOf(c, 1 / Math.sqrt(s.headDim));
  s.offset = c.whole("mem_len");
  s.causal = c.has("causal") ? c.flag("causal") : c.any("mask") === "causal";
  c.oneOf("mask", ["none", "causal"]);
  c.describes(["attn_type", "r_form", "segments"]);
  const falling = Array.from({ length: s.keys }, (_, i) => s.keys - 1 - i);
  const order = c.has("r_positions") ? c.wholes("r_positions") : falling;
  if (order.length === 0) malformed("there must be a row of r");
  const vector = (name) => c.input(name, [s.heads, s.headDim]).values;
  const segments = c.hasInput("seg_embed");
  const [contentBias, positionBias] = [vector("r_w_bias"), vector("r_r_bias")];
  const segmentBias = segments ? vector("r_s_bias") : undefined;
  const embedding = segments ? c.input("seg_embed", [2, s.heads, s.headDim]).values : undefined;
  const config = {
    heads: s.heads,
    headDim: s.headDim,
    dModel: c.has("d_model") ? c.size("d_model") : undefined,
    base: c.has("base") ? c.number("base") : undefined,
    clampLen: c.has("clamp_len") ? c.whole("clamp_len") : undefined,
    contentBias,
    positionBias,
    segmentBias,
    segmentEmbedding: embedding,
  };
  withOwned(posenc.transformerXl(config), (xl) => {
    const r = xlRows(c, s, xl, order[0], order.length);
    const q = c.input("q", [s.heads, s.queries, s.headDim]).values;
    const k = c.input("k", [s.heads, s.keys, s.headDim]).values;
    c.room(shapeOf(s));
    const { scale } = s;
    const bias = xl.scores(q, k, r, { ...placesOf(s), firstDistance: order[0], scale });
    if (segments) {
      const querySegments = Int32Array.from(c.wholeInput("segment_q"));
      const keySegments = Int32Array.from(c.wholeInput("segment_k"));
      xl.addSegments(q, { querySegments, keySegments, scale }, bias);
    }
    attend(posenc, c, s, bias, q, k);
  });
}

export const relativeFamilies = {
  shaw,
  shaw_cache: shaw,
  deberta_bucket: debertaBucket,
  deberta_relpos: debertaRelpos,
  deberta,
  deberta_projected: deberta,
  deberta_c2p: deberta,
  xl_sinusoid: xlSinusoid,
  rel_shift: relShift,
  transfo_xl: transformerXl,
  xlnet: transformerXl,
};
