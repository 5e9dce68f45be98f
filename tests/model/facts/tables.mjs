// Models that add a table of positions to their inputs.

import { t5Bias } from "./bias.mjs";
import { field, valuesOf } from "./field.mjs";
import { rope } from "./rope.mjs";
import {
  learned,
  learnedPair,
  learnedTable,
  sinusoidal,
  sinusoidalPair,
  sinusoids,
} from "./table.mjs";

const gpt = {
  hidden: "n_embd|hidden_size",
  heads: "n_head|num_attention_heads",
  layers: "n_layer|num_hidden_layers",
  max: "n_positions|n_ctx|max_position_embeddings",
};
const bart = {
  hidden: "d_model|hidden_size",
  heads: "encoder_attention_heads|num_attention_heads",
  layers: "encoder_layers|num_hidden_layers",
};
const distil = {
  hidden: "dim|hidden_size",
  heads: "n_heads|num_attention_heads",
  layers: "n_layers|num_hidden_layers",
};
const xglm = {
  hidden: "d_model|hidden_size",
  heads: "attention_heads|num_attention_heads",
  layers: "num_layers|num_hidden_layers",
};

const narrow = { dim: ["embedding_size", 128] };
/** Fairseq's tables: positions begin behind the padding's row. */
const roberta = { pad: 1 };
const opt = { extra: 2, offset: 2 };
const marian = { names: bart, variant: "half_paper", scaleField: false };
const fairseq = { names: bart, variant: "half_t2t", extra: 2, pad: 1, scaleField: true };

/** A table beside buckets of T5's kind in the scores. */
function withBuckets(table, fields, biases) {
  return {
    ...table,
    fields: { ...table.fields, ...fields },
    encodings: (v) => [...table.encodings(v), ...biases(v)],
  };
}

/** Rows by distance, as far as positions reach, that queries are multiplied with. */
function relativeKey({ max, hidden, heads }) {
  const params = {
    rows: 2 * max - 1,
    left_clip: max - 1,
    right_clip: max - 1,
    dim: hidden / heads,
  };
  return { site: "text", encoding: "shaw", layers: "all", params, attention: { causal: false } };
}

/** BERT's code also has rows by distance in place of the table. */
function withRelativeKey(fact) {
  const position_embedding_type = "relative_key";
  return {
    ...fact,
    *more({ fields }) {
      const v = valuesOf(fields);
      const [heads, hidden] = [2 * v.heads, 2 * v.hidden];
      yield ["relative_key", { position_embedding_type }, [relativeKey(v)]];
      yield [
        "relative_key with twice the heads",
        { position_embedding_type, num_attention_heads: heads },
        [relativeKey({ ...v, heads })],
      ];
      yield [
        "relative_key of twice the width",
        { position_embedding_type, hidden_size: hidden },
        [relativeKey({ ...v, hidden })],
      ];
    },
  };
}

const layoutlm = learned([768, 12, 12, 512]);
const whisper = learned([384, 6, 4], { names: bart, causal: true });

export const tables = {
  bert: withRelativeKey(learned([768, 12, 12, 512])),
  albert: withRelativeKey(learned([4096, 64, 12, 512], narrow)),
  electra: withRelativeKey(learned([256, 4, 12, 512], narrow)),
  roberta: withRelativeKey(learned([768, 12, 12, 512], roberta)),
  "xlm-roberta": withRelativeKey(learned([768, 12, 12, 512], roberta)),
  "xlm-roberta-xl": withRelativeKey(learned([2560, 32, 36, 514], roberta)),
  camembert: withRelativeKey(learned([768, 12, 12, 512], roberta)),
  "data2vec-text": withRelativeKey(learned([768, 12, 12, 512], roberta)),
  "roberta-prelayernorm": withRelativeKey(learned([768, 12, 12, 512], roberta)),
  xmod: withRelativeKey(learned([768, 12, 12, 512], roberta)),
  ibert: withRelativeKey(learned([768, 12, 12, 512], roberta)),
  luke: learned([768, 12, 12, 512], roberta),
  ernie: withRelativeKey(learned([768, 12, 12, 512])),
  big_bird: withRelativeKey(learned([768, 12, 12, 4096])),
  "megatron-bert": withRelativeKey(learned([1024, 16, 24, 512])),
  splinter: withRelativeKey(learned([768, 12, 12, 512])),
  "bert-generation": withRelativeKey(learned([1024, 16, 24, 512])),
  rembert: learned([1152, 18, 32, 512], { dim: ["input_embedding_size", 256] }),
  convbert: learned([768, 12, 12, 512], { dim: ["embedding_size", 768] }),
  squeezebert: learned([768, 12, 12, 512], { dim: ["embedding_size", 768] }),
  nystromformer: learned([768, 12, 12, 510], opt),
  fnet: learned([768, 12, 12, 512]),
  longformer: withRelativeKey(learned([768, 12, 12, 512], roberta)),
  esm: {
    ...learned([768, 12, 12, 1026], roberta),
    // Its rope takes 10000, and no scaling.
    more: ({ fields }) => [
      [
        "rotary",
        {
          position_embedding_type: "rotary",
          rope_theta: 5000,
          rope_scaling: { rope_type: "linear", factor: 2 },
        },
        rope([768, 12, 12, 1026], { causal: false }).encodings(valuesOf(fields)),
      ],
      ...withRelativeKey({}).more({ fields }),
    ],
  },
  mpnet: withBuckets(
    learned([768, 12, 12, 512], roberta),
    { buckets: field("relative_attention_num_buckets", 32) },
    ({ heads, buckets }) => [t5Bias({ heads, buckets, distance: 128, scaled: true })],
  ),
  layoutlm: {
    ...layoutlm,
    fields: { ...layoutlm.fields, boxes: field("max_2d_position_embeddings", 1024) },
    parameters: { ...layoutlm.parameters, boxes: "extra_tables" },
    encodings: (v) =>
      layoutlm.encodings(v).map((each) => ({
        ...each,
        params: { ...each.params, extra_tables: { "x, y, h, w": v.boxes } },
      })),
  },
  layoutlmv3: withBuckets(
    learned([768, 12, 12, 512], roberta),
    {
      buckets: field("rel_pos_bins", 32),
      distance: field("max_rel_pos", 128),
      buckets2d: field("rel_2d_pos_bins", 64),
      distance2d: field("max_rel_2d_pos", 256),
    },
    ({ heads, buckets, distance, buckets2d, distance2d }) => [
      t5Bias({ heads, buckets, distance, scaled: true }),
      t5Bias({ heads, buckets: buckets2d, distance: distance2d, scaled: true }),
    ],
  ),
  mobilebert: learned([512, 4, 24, 512]),
  distilbert: {
    ...learned([768, 12, 6, 512], { names: distil }),
    more: ({ fields }) => [
      [
        "sinusoids",
        { sinusoidal_pos_embds: true },
        [sinusoids({ variant: "interleaved" }, valuesOf(fields))],
      ],
    ],
  },
  gpt2: learned([768, 12, 12, 1024], { names: gpt, causal: true }),
  gpt_bigcode: learned([768, 12, 12, 1024], { names: gpt, causal: true }),
  "openai-gpt": learned([768, 12, 12, 512], { names: gpt, causal: true }),
  imagegpt: learned([512, 8, 24, 1024], { names: gpt, causal: true }),
  gpt_neo: learned([2048, 16, 24, 2048], {
    names: { heads: "num_heads|num_attention_heads", layers: "num_layers" },
    causal: true,
  }),
  opt: learned([768, 12, 12, 2048], { ...opt, causal: true }),
  biogpt: learned([1024, 16, 24, 1024], { ...opt, causal: true }),
  bart: learnedPair([1024, 16, 12, 1024], { ...opt, names: bart }),
  mbart: learnedPair([1024, 16, 12, 1024], { ...opt, names: bart }),
  plbart: learnedPair([768, 12, 6, 1024], { ...opt, names: bart }),
  bigbird_pegasus: learnedPair([1024, 16, 16, 4096], { names: bart }),
  blenderbot: learnedPair([2560, 32, 2, 128], { names: bart }),
  "blenderbot-small": learnedPair([512, 16, 8, 512], { names: bart }),
  whisper: {
    ...whisper,
    fields: {
      ...whisper.fields,
      source: field("max_source_positions", 1500),
      target: field("max_target_positions", 448),
    },
    parameters: { hidden: "dim" },
    encodings: (v) => [
      sinusoids({ variant: "half_t2t" }, { ...v, rows: v.source }, { site: "encoder" }),
      learnedTable({}, { ...v, rows: v.target }, { site: "decoder", causal: true }),
    ],
  },
  clip_text_model: learned([512, 8, 12, 77], { causal: true }),
  clipseg_text_model: learned([512, 8, 12, 77], { causal: true }),
  metaclip_2_text_model: learned([512, 8, 12, 77], { causal: true }),
  owlvit_text_model: learned([512, 8, 12, 16], { causal: true }),
  owlv2_text_model: learned([512, 8, 12, 16], { causal: true }),
  siglip_text_model: learned([768, 12, 12, 64]),
  siglip2_text_model: learned([768, 12, 12, 64]),
  marian: sinusoidalPair([1024, 16, 12, 1024], marian),
  pegasus: sinusoidalPair([1024, 16, 12, 1024], marian),
  ctrl: sinusoidal([1280, 16, 48, 256], {
    names: gpt,
    variant: "half_paper",
    scales: true,
    causal: true,
  }),
  m2m_100: sinusoidalPair([1024, 16, 12, 1024], fairseq),
  "nllb-moe": sinusoidalPair([1024, 16, 12, 1024], fairseq),
  fsmt: sinusoidalPair([1024, 16, 12, 1024], fairseq),
  xglm: sinusoidal([1024, 16, 24, 2048], { ...fairseq, names: xglm, causal: true }),
};
