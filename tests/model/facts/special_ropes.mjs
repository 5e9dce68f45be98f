// Models with a rope whose config says more than one thing, or says it in its own way.
import { alibi } from "./bias.mjs";
import { field } from "./field.mjs";
import { rope } from "./rope.mjs";

const falconNames = {
  heads: "num_attention_heads|n_head",
  layers: "num_hidden_layers|n_layer",
};
const baichuan = rope([4096, 32, 32, 4096], {
  names: { max: "max_position_embeddings|model_max_length" },
});
const ownRule = { ignoresLayerTypes: true, scaled: "none" };
const chatglm = rope([4096, 32, 28, 8192], {
  ...ownRule,
  names: { max: "seq_length" },
  base: null,
  partial: null,
  headDim: ["kv_channels", 128],
  layout: "interleaved",
});

export const specialRopes = {
  falcon: rope([4544, 71, 32, 2048], { names: falconNames }),
  // Falcon's first names, of 7B and of 40B.
  RefinedWebModel: rope([4544, 71, 32, 2048], { names: falconNames }),
  RefinedWeb: rope([8192, 128, 60, 2048], { names: falconNames }),
  // 7B has a rope; 13B, told by its width, has ALiBi.
  baichuan: {
    ...baichuan,
    encodings: (v) => (v.hidden === 4096 ? baichuan.encodings(v) : [alibi(v)]),
  },
  // Half of a head rotates.
  chatglm: {
    ...chatglm,
    fields: { ...chatglm.fields, ratio: field("rope_ratio", 1) },
    encodings: ({ ratio, ...v }) =>
      chatglm.encodings({ ...v, base: 10000 * ratio, rotaryDim: v.headDim / 2 }),
    more: undefined,
  },
  dbrx: rope([2048, 16, 24, 2048], {
    names: {
      hidden: "d_model|hidden_size",
      heads: "n_heads|num_attention_heads",
      max: "max_seq_len|max_position_embeddings",
    },
    ...ownRule,
    base: ["attn_config.rope_theta", 10000],
    headDim: null,
    partial: null,
  }),
};
