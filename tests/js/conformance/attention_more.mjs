import { attentionSetup } from "./attention_setup.mjs";

function attentionMore(posenc, c) {
  const { args, q, k, v, outShape, scoreShape } = attentionSetup(posenc, c);
  c.room(scoreShape);
  const probabilities = new Float32Array(scoreShape.reduce((product, size) => product * size));
  const out = posenc.attention(q.values, k.values, v.values, { ...args, probabilities });
  c.output("probs", scoreShape, probabilities);
  c.output("out", outShape, out);
}

export const attentionMoreFamilies = {
  causal_window: attentionMore,
  key_padding: attentionMore,
  grouped_query: attentionMore,
  t5_cross: attentionMore,
  softcap: attentionMore,
  large_logits: attentionMore,
  value_dim: attentionMore,
  alibi_padding: attentionMore,
  rope_inside: attentionMore,
  deepseek_scale: attentionMore,
};
