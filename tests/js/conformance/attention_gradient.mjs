import { attentionSetup, distancesOf, t5ConfigOf } from "./attention_setup.mjs";
import { withOwned } from "./case.mjs";

/**
 * From the gradient by distance to that of alibi's slopes or t5's table, as one query at 0 and keys
 * at the distances.
 */
function parameterGradients(posenc, c, args, distances) {
  const { first, count } = distancesOf(args);
  const places = { queries: { length: 1 }, keys: { offset: first, length: count } };
  const { heads } = args;
  if (c.wants("dslopes")) {
    withOwned(posenc.alibi({ heads, form: "symmetric" }), (alibi) => {
      c.output("dslopes", [heads], alibi.slopeGradient(places, distances));
    });
  }
  if (c.wants("dtable")) {
    const config = t5ConfigOf(c, heads);
    const shape = [config.numBuckets, heads];
    withOwned(posenc.t5(config), (t5) => {
      c.output("dtable", shape, t5.tableGradient(places, distances));
    });
  }
}

const like = (x) => x && new Float32Array(x.length);

function attentionGradient(posenc, c) {
  const { args, q, k, v, outShape } = attentionSetup(posenc, c);
  const dout = c.input("dout", outShape);
  c.output("out", outShape, posenc.attention(q.values, k.values, v.values, args));
  const { distances, relative } = args.terms;
  const gradients = {
    q: like(q.values),
    k: like(k.values),
    v: like(v.values),
    distances: like(distances),
    relativeKeys: like(relative?.keys),
    relativeValues: like(relative?.values),
  };
  posenc.attentionBackward(q.values, k.values, v.values, dout.values, { ...args, gradients });
  c.output("dq", q.shape, gradients.q);
  c.output("dk", k.shape, gradients.k);
  c.output("dv", v.shape, gradients.v);
  parameterGradients(posenc, c, args, gradients.distances);
  const rows = relative?.rowCount;
  if (c.wants("drel_k")) c.output("drel_k", [rows, args.headDim], gradients.relativeKeys);
  if (c.wants("drel_v")) c.output("drel_v", [rows, args.valueDim], gradients.relativeValues);
}

export const attentionGradientFamilies = {
  grad_attention: attentionGradient,
  grad_alibi: attentionGradient,
  grad_t5: attentionGradient,
  grad_shaw: attentionGradient,
  grad_rope_attention: attentionGradient,
};
