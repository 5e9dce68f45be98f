import { withOwned } from "./case.mjs";
import { attend, scoredOf, scoresOf, shapeOf } from "./scored.mjs";
import { malformed, sizeOf } from "./values.mjs";

function cope(posenc, c) {
  const s = scoredOf(c);
  s.scale = 1 / Math.sqrt(s.headDim);
  s.causal = c.flag("causal");
  c.oneOf("logits", ["given", "q.k/sqrt(head_dim)"]);
  const queries = { positions: c.numbers("query_positions") };
  const maxPos = c.size("max_pos");
  const table = c.input("pos_emb", [maxPos, s.headDim]).values;
  const q = c.input("q", [s.heads, s.queries, s.headDim]).values;
  const config = { headDim: s.headDim, maxPos, table, causal: s.causal };
  withOwned(posenc.cope(config), (encoding) => {
    const given = c.hasInput("logits");
    const k = given ? undefined : c.input("k", [s.heads, s.keys, s.headDim]).values;
    const logits = given
      ? c.input("logits", shapeOf(s)).values
      : scoresOf(posenc, c, s, undefined, q, k);
    c.room(shapeOf(s));
    const args = () => ({
      queries,
      keys: { length: s.keys },
      out: new Float32Array(logits.length),
    });
    const positions = encoding.positions(logits, args());
    const bias = encoding.scores(q, logits, args());
    c.output("positions", shapeOf(s), positions);
    c.output("bias", shapeOf(s), bias);
    if (k?.length > 0) attend(posenc, c, s, bias, q, k);
  });
}

function pope(posenc, c) {
  const heads = c.size("heads");
  const headDim = c.size("head_dim");
  const mine = c.numbers("query_positions");
  const theirs = c.numbers("key_positions");
  c.oneOf("delta_clamp", [[-6.283185307179586, 0]]);
  const delta = c.input("delta", [heads, headDim]).values;
  const q = c.input("q", [heads, mine.length, headDim]).values;
  const k = c.input("k", [heads, theirs.length, headDim]).values;
  withOwned(posenc.pope({ heads, headDim, base: c.number("base"), delta }), (encoding) => {
    const queries = encoding.embedQueries(q, { positions: mine });
    const keys = encoding.embedKeys(k, { positions: theirs });
    c.output("q_embedded", [heads, mine.length, 2 * headDim], queries);
    c.output("k_embedded", [heads, theirs.length, 2 * headDim], keys);
    const s = {
      heads,
      queries: mine.length,
      keys: theirs.length,
      headDim: 2 * headDim,
      scale: c.number("scale"),
    };
    const causal = c.flag("causal");
    const rows = mine.map((at) => theirs.map((key) => (causal && key > at ? -Infinity : 0)));
    const mask = Float32Array.from(Array(heads).fill(rows).flat(2));
    c.output("logits", shapeOf(s), scoresOf(posenc, c, s, mask, queries, keys));
  });
}

/** A parameter that is [height, width]. */
function gridOf(c, name) {
  const sides = c.any(name);
  if (!Array.isArray(sides) || sides.length !== 2) {
    malformed(`parameter ${JSON.stringify(name)} must be [height, width]`);
  }
  return sides.map((side) => sizeOf(side, "a side"));
}

function samDecomposed(posenc, c) {
  const [queryHeight, queryWidth] = gridOf(c, "query_size");
  const [keyHeight, keyWidth] = gridOf(c, "key_size");
  const batch = c.size("batch_heads");
  const headDim = c.size("dim");
  c.describes(["table_interpolation"]);
  const tableH = c.input("rel_pos_h").values;
  const tableW = c.input("rel_pos_w").values;
  const config = { queryHeight, queryWidth, keyHeight, keyWidth, headDim, tableH, tableW };
  withOwned(posenc.decomposed(config), (encoding) => {
    const shape = [batch, queryHeight * queryWidth, keyHeight * keyWidth];
    const q = c.input("q", [batch, shape[1], headDim]).values;
    c.room(shape);
    c.output("bias", shape, encoding.scores(q));
  });
}

export const contextualFamilies = {
  cope,
  pope,
  sam_decomposed: samDecomposed,
};
