// Models with one rope for all layers.
import { rope } from "./rope.mjs";

const gpt = {
  hidden: "n_embd|hidden_size",
  heads: "n_head|num_attention_heads",
  layers: "n_layer|num_hidden_layers",
  max: "n_positions|max_position_embeddings",
};
const neox = {
  base: ["rotary_emb_base|rope_theta", 10000],
  partial: ["rotary_pct|partial_rotary_factor", 0.25],
};
/** Code that takes 10000 and reads no scaling. */
const fixed = { base: null, scaled: "none", ignores: { rope_theta: 5000 } };
const gptj = { ...fixed, names: gpt, headDim: null, rotaryDim: 64, layout: "interleaved" };
const phi3 = { window: undefined, longRope: { original: 4096 } };
/** Multi-head latent attention: the rope has dims of its own. */
const latent = (nopeDim, ropeDim, traits) => ({
  headDim: null,
  partial: null,
  nopeDim,
  ropeDim,
  softmax: (_, headDim) => headDim ** -0.5,
  ...traits,
});
const deepseek = latent(128, 64, { layout: "interleaved" });
const granite = { softmaxField: ["attention_multiplier", 1], softmax: (scale) => scale };
const glm = { layout: "interleaved", headDim: 128, partial: 0.5 };
const interleaved = { layout: "interleaved" };

export const ropes = {
  llama: rope([4096, 32, 32, 2048]),
  mistral: rope([4096, 32, 32, 131072], { window: 4096 }),
  mixtral: rope([4096, 32, 32, 131072], { base: 1e6, window: undefined }),
  ministral3: rope([4096, 32, 34, 262144], { base: 1e6, headDim: 128, window: undefined }),
  qwen: rope([4096, 32, 32, 8192], {
    names: { max: "seq_length" },
    base: ["rotary_emb_base", 10000],
    headDim: ["kv_channels", 128],
    partial: ["rotary_pct", 1],
  }),
  phi: rope([2048, 32, 24, 2048], { partial: 0.5 }),
  "phi-msft": rope([1024, 16, 20, 2048], {
    names: gpt,
    rotaryDim: 32,
    others: { heads: [8, 32], headDim: [128, 96] },
  }),
  phi3: rope([3072, 32, 32, 4096], phi3),
  phi3_v: rope([3072, 32, 32, 4096], phi3),
  phi4mm: rope([3072, 32, 32, 131072], phi3),
  phimoe: rope([4096, 32, 32, 131072], { base: 1e6, window: undefined, longRope: {} }),
  minicpm: rope([4096, 32, 32, 2048]),
  minicpm3: rope([2560, 40, 62, 32768], latent(64, 32)),
  gemma: rope([3072, 16, 28, 8192], { headDim: 256 }),
  deepseek_v2: rope([4096, 32, 30, 2048], deepseek),
  deepseek_v3: rope([7168, 128, 61, 4096], {
    ...deepseek,
    more: [[{ rope_interleave: false }, { layout: "half" }]],
  }),
  kimi_k2: rope([7168, 128, 61, 4096], deepseek),
  glm_moe_dsa: rope([6144, 64, 78, 202752], latent(192, 64, interleaved)),
  longcat_flash: rope([6144, 64, 28, 131072], {
    ...deepseek,
    base: 1e7,
    names: { layers: "num_layers|num_hidden_layers" },
  }),
  gpt_neox: rope([6144, 64, 44, 2048], neox),
  gpt_neox_japanese: rope([2560, 32, 32, 2048], {
    ...neox,
    partial: ["rotary_pct|partial_rotary_factor", 1],
  }),
  gptj: rope([4096, 16, 28, 2048], gptj),
  codegen: rope([4096, 16, 28, 2048], gptj),
  stablelm: rope([2560, 32, 32, 4096], { partial: ["partial_rotary_factor|rope_pct", 0.25] }),
  stablelm_epoch: rope([2560, 32, 32, 4096], {
    partial: ["rope_pct|partial_rotary_factor", 0.25],
  }),
  persimmon: rope([4096, 64, 36, 16384], { base: 25000, partial: 0.5 }),
  fuyu: rope([4096, 64, 36, 16384], { base: 25000, partial: 0.5 }),
  nemotron: rope([6144, 48, 32, 4096], {
    partial: ["partial_rotary_factor|rope_percent|rope_percentage", 0.5],
  }),
  "nemotron-nas": rope([8192, 64, 80, 131072], { base: 5e5 }),
  glm: rope([4096, 32, 40, 131072], glm),
  glm4: rope([4096, 32, 40, 131072], glm),
  glm4_moe: rope([4096, 96, 46, 131072], { headDim: 128, partial: 0.5 }),
  cohere: rope([8192, 64, 40, 8192], interleaved),
  exaone: rope([2048, 32, 32, 2048], { names: { layers: "num_layers|num_hidden_layers" } }),
  olmo: rope([4096, 32, 32, 2048]),
  olmo2: rope([4096, 32, 32, 2048]),
  olmoe: rope([2048, 16, 16, 4096]),
  starcoder2: rope([3072, 24, 30, 4096], { window: undefined }),
  internlm: rope([4096, 32, 32, 2048]),
  internlm2: rope([4096, 32, 32, 2048]),
  granite: rope([4096, 32, 32, 2048], granite),
  granitemoe: rope([4096, 32, 32, 2048], granite),
  minimax_m2: rope([3072, 48, 62, 196608], {
    base: 5e6,
    headDim: 128,
    partial: null,
    rotaryDim: undefined,
    others: { rotaryDim: [64, 32] },
  }),
  arcee: rope([2560, 32, 32, 4096]),
  seed_oss: rope([4096, 80, 64, 524288], { headDim: 128 }),
  ernie4_5: rope([1024, 16, 18, 131072], { ...interleaved, base: 5e5, headDim: 128 }),
  ernie4_5_moe: rope([2560, 20, 28, 131072], { ...interleaved, base: 5e5 }),
  helium: rope([2560, 20, 24, 4096], { ...interleaved, base: 1e5, headDim: 128 }),
  apertus: rope([4096, 32, 32, 65536], {
    base: 1.2e7,
    scaling: () => ({
      type: "llama3",
      factor: 8,
      low_freq_factor: 1,
      high_freq_factor: 4,
      original_max_position: 8192,
    }),
  }),
  bitnet: rope([2560, 20, 30, 2048], { base: 5e5 }),
  diffllama: rope([2048, 32, 16, 2048]),
  flex_olmo: rope([4096, 32, 32, 4096], { base: 5e5 }),
  granitemoeshared: rope([4096, 32, 32, 2048], granite),
  jetmoe: rope([2048, 32, 12, 4096], { headDim: ["kv_channels", 128] }),
  phi4_multimodal: rope([3072, 32, 32, 131072], phi3),
  aria_text: rope([4096, 32, 32, 2048]),
  chameleon: rope([4096, 32, 32, 4096]),
  emu3_text_model: rope([4096, 32, 32, 9216], { base: 1e6 }),
  nomic_bert: rope([768, 12, 12, 2048], {
    names: gpt,
    base: ["rotary_emb_base", 1000],
    partial: ["rotary_emb_fraction", 1],
    causal: false,
    more: [[{ rotary_emb_interleaved: true }, interleaved]],
  }),
  roformer: rope([768, 12, 12, 1536], {
    ...fixed,
    headDim: null,
    partial: null,
    layout: "interleaved",
    causal: false,
  }),
};
