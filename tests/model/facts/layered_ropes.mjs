// Models whose layers have different ropes, or some of them none.
import { pattern, rope } from "./rope.mjs";

/** Spellings of Gemma's interval, of old files and of the newest. */
const everyNth = "sliding_window_pattern|_sliding_window_pattern";
const inverseRoot = { softmaxField: ["query_pre_attn_scalar", 256], softmax: (x) => x ** -0.5 };
const gemma2 = {
  headDim: 256,
  pattern: pattern.lastFull,
  interval: [everyNth, 2],
  window: 4096,
  ...inverseRoot,
};
const gemma3 = {
  base: 1e6,
  headDim: 256,
  pattern: pattern.lastFull,
  localBase: ["rope_local_base_freq", 10000],
  scaled: "full",
};
const nextQwen = {
  headDim: 256,
  partial: 0.25,
  pattern: pattern.lastFullElseLinear,
  interval: ["full_attention_interval", 4],
};
const qwen = { windowFrom: [28, 4096] };
const qwenVl = { base: 1e6, sections: [16, 24, 24], windowFrom: [80, 4096] };

const mimo = (values) => ({
  pattern: (i) => (i === 1 || i === 2 ? "sliding" : "full"),
  values: { layers: 4, ...values },
});

export const layeredRopes = {
  // A window is of no use until use_sliding_window switches it on.
  qwen2: rope([4096, 32, 32, 32768], qwen),
  qwen2_moe: rope([2048, 16, 24, 32768], qwen),
  qwen3: rope([4096, 32, 32, 32768], { ...qwen, headDim: 128 }),
  qwen3_moe: rope([2048, 32, 24, 32768], qwen),
  qwen3_next: rope([2048, 16, 48, 32768], nextQwen),
  qwen3_5_text: rope([4096, 16, 32, 32768], {
    ...nextQwen,
    sections: [11, 11, 10],
    interleavedSections: true,
  }),
  qwen2_vl_text: rope([8192, 64, 80, 32768], qwenVl),
  qwen2_5_vl_text: rope([8192, 64, 80, 32768], qwenVl),
  qwen2_5_omni_text: rope([3584, 28, 28, 32768], { ...qwenVl, windowFrom: [28, 32768] }),
  qwen3_vl_text: rope([4096, 32, 32, 128000], {
    base: 5e6,
    headDim: 128,
    sections: [24, 20, 20],
    interleavedSections: true,
  }),
  qwen3_vl_moe_text: rope([2048, 16, 24, 128000], {
    base: 5e6,
    sections: [24, 20, 20],
    interleavedSections: true,
  }),
  llama4_text: rope([5120, 40, 48, 131072], {
    base: 5e5,
    headDim: 128,
    layout: "interleaved",
    pattern: pattern.lastWithoutRope,
    interval: ["nope_layer_interval|no_rope_layer_interval", 4],
    ignoresLayerTypes: true,
    ignores: { sliding_window: 100 },
  }),
  smollm3: rope([2048, 16, 36, 32768], {
    base: 2e6,
    pattern: pattern.lastWithoutRope,
    interval: ["no_rope_layer_interval|nope_layer_interval", 4],
    ignoresLayerTypes: true,
  }),
  gemma2: rope([2304, 8, 26, 8192], gemma2),
  gemma3_text: rope([2304, 8, 26, 131072], {
    ...gemma3,
    interval: [everyNth, 6],
    window: 4096,
    ...inverseRoot,
  }),
  gemma3n_text: rope([2048, 8, 35, 32768], { ...gemma3, interval: [everyNth, 5], window: 512 }),
  gemma4_text: rope([2304, 8, 30, 131072], {
    ...gemma3,
    pattern: pattern.lastFullAlways,
    partial: null,
    scaling: (kind) =>
      kind === "full"
        ? { type: "proportional", partial_rotary_factor: 0.25, factor: 1 }
        : { type: "none" },
    interval: [everyNth, 6],
    window: 512,
    fullHeadDim: ["global_head_dim", 512],
  }),
  gpt_oss: rope([2880, 64, 36, 131072], {
    base: 150000,
    headDim: 64,
    pattern: pattern.lastFull,
    interval: [everyNth, 2],
    window: 128,
    scaling: () => ({
      type: "yarn",
      factor: 32,
      original_max_position: 4096,
      beta_fast: 32,
      beta_slow: 1,
      truncate: false,
    }),
  }),
  cohere2: rope([8192, 64, 40, 8192], {
    layout: "interleaved",
    pattern: pattern.lastBare,
    allFull: () => "none",
    interval: [everyNth, 4],
    window: 4096,
  }),
  exaone4: rope([4096, 32, 32, 2048], {
    pattern: pattern.lastBare,
    allFull: () => "none",
    interval: [everyNth, 4],
    window: 4096,
  }),
  olmo3: rope([4096, 32, 32, 2048], {
    scaled: "full",
    pattern: pattern.lastFull,
    interval: [everyNth, 4],
    window: 4096,
  }),
  mimo_v2_flash: rope([4096, 64, 48, 262144], {
    base: 5e6,
    headDim: 192,
    partial: 0.334,
    more: [
      [
        { num_hidden_layers: 4, hybrid_layer_pattern: [0, 1, 1, 0] },
        mimo({ localBase: 10000, window: 128 }),
      ],
      [
        {
          num_hidden_layers: 4,
          hybrid_layer_pattern: [0, 1, 1, 0],
          swa_rope_theta: 5000,
          sliding_window: 64,
          swa_head_dim: 96,
        },
        mimo({ localBase: 5000, window: 64, slidingHeadDim: 96 }),
      ],
    ],
  }),
  recurrent_gemma: rope([2560, 10, 26], {
    partial: 0.5,
    pattern: pattern.thirdAttends,
    allFull: () => "sliding",
    window: ["attention_window_size", 2048],
  }),
  modernbert: rope([768, 12, 22, 8192], {
    base: ["global_rope_theta", 160000],
    pattern: pattern.firstFull,
    interval: ["global_attn_every_n_layers", 3],
    window: ["local_attention", 128],
    localBase: ["local_rope_theta", 10000],
    causal: false,
  }),
  lfm2: rope([2560, 32, 32, 128000], {
    base: 1e6,
    more: [
      [
        { num_hidden_layers: 4, full_attn_idxs: [1, 3] },
        { pattern: (i) => (i % 2 === 1 ? "full" : "none"), values: { layers: 4 } },
      ],
    ],
  }),
  lfm2_moe: rope([2048, 32, 32, 128000], { base: 1e6 }),
  ministral: rope([4096, 32, 32, 131072], { window: 4096 }),
  vaultgemma: rope([2304, 8, 26, 8192], gemma2),
};
