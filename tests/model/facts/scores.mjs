// Models whose positions enter the scores.
import { alibi, t5Bias } from "./bias.mjs";
import { field, shape, valuesOf } from "./field.mjs";
import { rope } from "./rope.mjs";
import { learned, learnedTable } from "./table.mjs";

const t5Names = {
  hidden: "d_model|hidden_size",
  heads: "num_heads|num_attention_heads",
  layers: "num_layers|num_hidden_layers",
};
const xlNames = {
  hidden: "d_model|hidden_size",
  heads: "n_head|num_attention_heads",
  layers: "n_layer|num_hidden_layers",
};

/** An encoder and a decoder; `sharing` tells which layers have a table. */
function t5(sizes, sharing = "table in layer 0, reused by all layers") {
  return {
    fields: {
      ...shape(sizes, t5Names),
      buckets: field("relative_attention_num_buckets", 32),
      distance: field("relative_attention_max_distance", 128),
    },
    others: { heads: [4, 16], buckets: [64, 16] },
    parameters: { heads: "heads", buckets: "num_buckets", distance: "max_distance" },
    encodings: ({ heads, buckets, distance }) =>
      ["encoder", "decoder"].map((site) => t5Bias({ heads, buckets, distance, site, sharing })),
  };
}

/** A convolution over the inputs. */
function speech(sizes, traits = {}) {
  const fields = {
    ...shape(sizes),
    kernel: field("num_conv_pos_embeddings", 128),
    groups: field("num_conv_pos_embedding_groups", 16),
    ...traits.fields,
  };
  return {
    fields,
    others: traits.others,
    parameters: { kernel: "kernel", groups: "groups", ...traits.parameters },
    encodings: (v) => [
      {
        site: "audio",
        encoding: "convolutional",
        layers: "all",
        params: { kernel: v.kernel, groups: v.groups },
      },
      ...(traits.more?.(v) ?? []),
    ],
  };
}

/** Rows of angles for relative distances. */
function recurrent(sizes, { fields, params, bidirectional }) {
  return {
    fields: { ...shape(sizes, xlNames), ...fields },
    others: { heads: [8, 32] },
    parameters: { width: "d_head", clamp: "clamp_len" },
    encodings: (v) => [
      {
        site: "text",
        encoding: "transformer_xl",
        layers: "all",
        params: {
          dim: v.hidden,
          heads: v.heads,
          d_head: v.width ?? v.hidden / v.heads,
          clamp_len: v.clamp,
          base: 10000,
          bidirectional,
          ...params,
        },
        attention: { causal: !bidirectional },
      },
    ],
  };
}

const mptShape = shape([2048, 16, 24, 2048], {
  hidden: "d_model|hidden_size",
  heads: "n_heads|num_attention_heads",
  layers: "n_layers|num_hidden_layers",
  max: "max_seq_len",
});

/** Terms of content and position from 2 * span rows. */
function deberta(sizes, version) {
  const told = ({ hidden, heads, max }) => ({
    site: "text",
    encoding: "deberta",
    layers: "all",
    params: {
      version,
      span: max,
      table_rows: 2 * max,
      terms: ["c2p", "p2c"],
      heads,
      head_dim: hidden / heads,
      softmax_scale: (3 * (hidden / heads)) ** -0.5,
    },
  });
  return {
    ...learned(sizes),
    *more({ fields }) {
      const v = valuesOf(fields);
      const config = { relative_attention: true, pos_att_type: "c2p|p2c" };
      const rest = { ...config, position_biased_input: false };
      yield ["relative attention", config, [told(v), ...learned(sizes).encodings(v)]];
      for (const [name, role] of [
        ["hidden_size", "hidden"],
        ["num_attention_heads", "heads"],
        ["max_position_embeddings", "max"],
      ]) {
        const value = 2 * v[role];
        yield [
          `relative attention, ${name}`,
          { ...rest, [name]: value },
          [told({ ...v, [role]: value })],
        ];
      }
    },
  };
}

export const scores = {
  bloom: {
    fields: shape([64, 8, 2], {
      hidden: "hidden_size|n_embed",
      heads: "n_head|num_attention_heads",
      layers: "n_layer|num_hidden_layers",
    }),
    parameters: { heads: "heads" },
    encodings: ({ heads }) => [alibi({ heads })],
  },
  mpt: {
    fields: { ...mptShape, biasMax: field("attn_config.alibi_bias_max", 8) },
    parameters: { heads: "heads", biasMax: "alibi_bias_max" },
    encodings: ({ heads, biasMax }) => [alibi({ heads, biasMax })],
    // Without ALiBi it has a table of its own.
    *more({ fields }) {
      const attn_config = { alibi: false };
      const v = valuesOf(fields);
      const told = (values) => [learnedTable({}, { ...v, ...values }, { causal: true })];
      yield ["no alibi", { attn_config }, told({})];
      for (const [name, role] of [
        ["d_model", "hidden"],
        ["hidden_size", "hidden"],
        ["max_seq_len", "max"],
      ]) {
        yield [`no alibi, ${name}`, { attn_config, [name]: 64 }, told({ [role]: 64 })];
      }
      const config = { attn_config, d_model: 64, hidden_size: 32 };
      yield ["no alibi, d_model before hidden_size", config, told({ hidden: 64 })];
    },
  },
  t5: t5([512, 8, 6]),
  mt5: t5([512, 6, 8]),
  umt5: t5([512, 6, 8], "own table in every layer"),
  longt5: t5([512, 8, 6]),
  pop2piano: t5([512, 8, 6]),
  switch_transformers: t5([768, 12, 12]),
  // Without relative_attention only the table counts.
  deberta: deberta([768, 12, 12, 512], 1),
  "deberta-v2": deberta([1536, 24, 24, 512], 2),
  "transfo-xl": recurrent([1024, 16, 18], {
    fields: { width: field("d_head", 64), clamp: field("clamp_len", 1000) },
    params: { variant: "transformer_xl", first_row: "klen-1", last_row: "0" },
    bidirectional: false,
  }),
  xlnet: recurrent([1024, 16, 24], {
    fields: { clamp: field("clamp_len", -1) },
    params: { variant: "xlnet", first_row: "klen", last_row: "-qlen+1" },
    bidirectional: true,
  }),
  wav2vec2: speech([768, 12, 12]),
  sew: speech([768, 12, 12]),
  hubert: speech([768, 12, 12]),
  unispeech: speech([768, 12, 12]),
  "unispeech-sat": speech([768, 12, 12]),
  wavlm: speech([768, 12, 12], {
    fields: { buckets: field("num_buckets", 320), distance: field("max_bucket_distance", 800) },
    others: { buckets: [64, 160] },
    parameters: { heads: "heads", buckets: "num_buckets", distance: "max_distance" },
    more: ({ heads, buckets, distance }) => [
      t5Bias({ heads, buckets, distance, scaled: true, site: "audio", gated: true }),
    ],
  }),
  "wav2vec2-bert": {
    fields: {
      ...shape([1024, 16, 24]),
      left: field("left_max_position_embeddings", 64),
      right: field("right_max_position_embeddings", 8),
    },
    parameters: { left: "left_clip", right: "right_clip" },
    encodings: ({ hidden, heads, left, right }) => [
      {
        site: "audio",
        encoding: "shaw",
        layers: "all",
        params: {
          rows: left + 1 + right,
          left_clip: left,
          right_clip: right,
          dim: hidden / heads,
          value_term: false,
        },
      },
    ],
    // One of its three kinds of positions is a rope.
    *more({ fields }) {
      const fact = rope([1024, 16, 24], { causal: false, site: "audio" });
      const position_embeddings_type = "rotary";
      const told = (values) => fact.encodings({ ...valuesOf(fields), ...values });
      const rope_scaling = { rope_type: "linear", factor: 2 };
      yield ["rotary", { position_embeddings_type, rope_scaling }, told({})];
      const config = { position_embeddings_type, rotary_embedding_base: 5000 };
      yield ["rotary, another base", config, told({ base: 5000 })];
    },
  },
};
