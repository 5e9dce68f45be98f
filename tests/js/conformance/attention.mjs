import { withOwned } from "./case.mjs";
import { isObject, malformed, numberOf, shown, unsupported } from "./values.mjs";

function scaleOf(c) {
  return c.any("scale") === "1/sqrt(head_dim)" ? undefined : c.number("scale");
}

/** The parameter `rope`, {"layout", "base", "positions"}, as a config and the positions. */
function ropeOf(json, headDim) {
  if (!isObject(json)) malformed('parameter "rope" must be an object');
  const config = { headDim };
  let positions = [];
  for (const [name, value] of Object.entries(json)) {
    if (name === "layout" && (value === "half" || value === "interleaved")) {
      config.layout = value;
    } else if (name === "base") {
      config.base = numberOf(value, "rope: base");
    } else if (name === "positions" && Array.isArray(value)) {
      positions = value.map((position) => numberOf(position, "a position"));
    } else {
      unsupported(
        `parameter "rope": ${JSON.stringify(name)} has the unsupported value ${shown(value)}`,
      );
    }
  }
  return { config, positions };
}

/** Rotates q, the last of the positions, and k in place. */
function rotate(posenc, json, headDim, q, k) {
  const { config, positions } = ropeOf(json, headDim);
  const [heads, queries] = q.shape;
  const [keyHeads, keys] = k.shape;
  if (positions.length !== keys || queries > keys) {
    malformed('parameter "rope" must have a position for each key');
  }
  withOwned(posenc.rope(config), (rope) => {
    const last = positions.slice(keys - queries);
    rope.apply(q.values, { heads, positions: last, length: queries });
    rope.apply(k.values, { heads: keyHeads, positions, length: keys });
  });
}

/**
 * The input `bias` contains the mask; `bias` among the params and what stands beside it say how it
 * was made.
 */
function biasOf(c, shape) {
  if (!c.hasInput("bias")) {
    c.oneOf("bias", ["none"]);
    return undefined;
  }
  c.describes(["bias", "table", "bidirectional", "num_buckets", "max_distance", "window"]);
  return c.input("bias", shape).values;
}

function attentionCase(posenc, c) {
  const args = {
    heads: c.size("heads"),
    queryCount: c.size("query_len"),
    keyCount: c.size("key_len"),
    headDim: c.size("head_dim"),
    scale: scaleOf(c),
  };
  const { heads, queryCount, keyCount, headDim } = args;
  const q = c.input("q", [heads, queryCount, headDim]);
  const k = c.input("k", [heads, keyCount, headDim]);
  const v = c.input("v", [heads, keyCount, headDim]);
  if (c.has("rope")) rotate(posenc, c.any("rope"), headDim, q, k);
  const scores = [heads, queryCount, keyCount];
  const terms = { bias: biasOf(c, scores) };
  c.room(scores);
  const probabilities = new Float32Array(heads * queryCount * keyCount);
  const out = posenc.attention(q.values, k.values, v.values, { ...args, terms, probabilities });
  c.output("probs", scores, probabilities);
  c.output("out", q.shape, out);
}

export const attentionFamilies = {
  attention: attentionCase,
  rope_shift: attentionCase,
};
