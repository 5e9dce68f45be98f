import type { Preset } from "./encodings/types";
import type {
  AlibiSettings,
  HierarchicalSettings,
  KerpleSettings,
  LearnedSettings,
  NopeSettings,
  RopeSettings,
  SincosGridSettings,
  SinusoidalSettings,
  T5Settings,
} from "./settings";
import type { Settings } from "./types";

/**
 * Published models. Parameters are those of each model's config.json or, where that file is silent
 * (layouts, masks), of its code.
 */

type List<S extends Settings> = readonly [Preset<S>, ...Preset<S>[]];

const transformer: SinusoidalSettings = {
  dim: 512,
  base: 10000,
  layout: "interleaved",
  denominator: "dim",
  oddWidth: "sine",
  trainedLength: 0,
  offset: 0,
  length: 128,
  causal: false,
  curveLength: 512,
  logDistance: false,
};

export const SINUSOIDAL_PRESETS: List<SinusoidalSettings> = [
  {
    id: "transformer-base",
    label: "Transformer (2017), base",
    about:
      "The encoder-decoder of \u201cAttention is all you need\u201d: 512 dims, base 10,000. The paper states no trained length.",
    settings: transformer,
  },
  {
    id: "transformer-big",
    label: "Transformer (2017), big",
    about: "The paper\u2019s larger model: 1,024 dims, base 10,000.",
    settings: { ...transformer, dim: 1024 },
  },
  {
    id: "opus-mt-en-zh",
    label: "Marian opus-mt-en-zh",
    about: "Translation model: 512 dims, all sines before all cosines, at most 512 positions.",
    settings: { ...transformer, layout: "half", trainedLength: 512, curveLength: 1024 },
  },
  {
    id: "whisper-base",
    label: "Whisper base, audio encoder",
    about:
      "Speech recogniser: 512 dims, sines before cosines, tensor2tensor\u2019s exponent; 1,500 positions are 30 seconds.",
    settings: {
      ...transformer,
      layout: "half",
      denominator: "dim-2",
      trainedLength: 1500,
      curveLength: 2048,
    },
  },
];

const mae: SincosGridSettings = {
  dim: 768,
  base: 10000,
  layout: "axis_blocks",
  axisOrder: "xy",
  height: 14,
  width: 14,
  row: 6,
  column: 4,
};

export const SINCOS_GRID_PRESETS: List<SincosGridSettings> = [
  {
    id: "mae-vit-base",
    label: "MAE ViT-Base",
    about: "Images of 224 pixels in patches of 16: 14 rows of 14, 768 dims, x in the first half.",
    settings: mae,
  },
  {
    id: "mae-vit-huge",
    label: "MAE ViT-Huge",
    about: "Images of 224 pixels in patches of 14: 16 rows of 16, 1,280 dims.",
    settings: { ...mae, dim: 1280, height: 16, width: 16, row: 7, column: 5 },
  },
];

const bert: LearnedSettings = {
  rows: 512,
  dim: 768,
  rowOffset: 0,
  seed: 1,
  offset: 0,
  length: 64,
  causal: false,
  curveLength: 512,
  logDistance: false,
};

export const LEARNED_PRESETS: List<LearnedSettings> = [
  {
    id: "bert-base",
    label: "BERT base",
    about: "Encoder: a trained table of 512 rows, 768 dims.",
    settings: bert,
  },
  {
    id: "gpt2",
    label: "GPT-2",
    about: "Decoder: a trained table of 1,024 rows, 768 dims.",
    settings: { ...bert, rows: 1024, causal: true, curveLength: 1024 },
  },
  {
    id: "roberta-base",
    label: "RoBERTa base",
    about: "Encoder: 514 rows, 768 dims; position p reads row p + 2, so 512 positions can be used.",
    settings: { ...bert, rows: 514, rowOffset: 2 },
  },
];

export const HIERARCHICAL_PRESETS: List<HierarchicalSettings> = [
  {
    id: "bert-base-long",
    label: "BERT base, extended",
    about:
      "BERT\u2019s 512 rows of 768 dims, read as positions up to 512\u00b2 with the author\u2019s \u03b1.",
    settings: {
      rows: 512,
      dim: 768,
      alpha: 0.4,
      seed: 1,
      offset: 480,
      length: 64,
      causal: false,
      curveLength: 2048,
      logDistance: false,
    },
  },
];

const llama2: RopeSettings = {
  headDim: 128,
  rotaryDim: 0,
  base: 10000,
  layout: "half",
  scaling: "none",
  factor: 1,
  originalLength: 4096,
  sequenceLength: 8192,
  trainedLength: 4096,
  offset: 0,
  length: 256,
  causal: true,
  curveLength: 8192,
  logDistance: true,
};

export const ROPE_PRESETS: List<RopeSettings> = [
  {
    id: "llama-2-7b",
    label: "Llama 2 7B",
    about:
      "Heads of 128 dims, all rotated, base 10,000; trained on 4,096 tokens (early copies of its config.json say 2,048).",
    settings: llama2,
  },
  {
    id: "gpt-neox-20b",
    label: "GPT-NeoX 20B",
    about: "Heads of 96 dims of which a quarter, 24, are rotated; 2,048 tokens.",
    settings: {
      ...llama2,
      headDim: 96,
      rotaryDim: 24,
      trainedLength: 2048,
      curveLength: 4096,
    },
  },
  {
    id: "gpt-j-6b",
    label: "GPT-J 6B",
    about: "Heads of 256 dims of which 64 are rotated, in neighbouring pairs; 2,048 tokens.",
    settings: {
      ...llama2,
      headDim: 256,
      rotaryDim: 64,
      layout: "interleaved",
      trainedLength: 2048,
      curveLength: 4096,
    },
  },
  {
    id: "vicuna-13b-16k",
    label: "Vicuna 13B v1.5 16k",
    about:
      "Llama 2 13B made to reach 16,384 tokens: frequencies divided by 4, then tuned on the longer texts.",
    settings: {
      ...llama2,
      scaling: "linear",
      factor: 4,
      trainedLength: 16384,
      curveLength: 32768,
    },
  },
  {
    id: "llama-3.1-8b",
    label: "Llama 3.1 8B",
    about:
      "Base 500,000; trained on 8,192 tokens, then extended to 131,072: pairs slower than that are divided by 8.",
    settings: {
      ...llama2,
      base: 500000,
      scaling: "llama3",
      factor: 8,
      originalLength: 8192,
      trainedLength: 131072,
      curveLength: 65536,
    },
  },
  {
    id: "qwen2.5-7b-yarn",
    label: "Qwen2.5 7B with YaRN",
    about:
      "Base 1,000,000; trained on 32,768 tokens, and read up to 131,072 with YaRN\u2019s factor 4.",
    settings: {
      ...llama2,
      base: 1000000,
      scaling: "yarn",
      factor: 4,
      originalLength: 32768,
      trainedLength: 131072,
      curveLength: 65536,
    },
  },
];

const bloom: AlibiSettings = {
  heads: 112,
  slopes: "checkpoint",
  form: "causal",
  head: 63,
  trainedLength: 2048,
  offset: 0,
  length: 256,
  curveLength: 4096,
  logDistance: false,
};

export const ALIBI_PRESETS: List<AlibiSettings> = [
  {
    id: "bloom-176b",
    label: "BLOOM 176B",
    about: "112 heads, not a power of two; trained on 2,048 tokens.",
    settings: bloom,
  },
  {
    id: "mpt-7b",
    label: "MPT 7B",
    about: "32 heads; trained on 2,048 tokens.",
    settings: { ...bloom, heads: 32, head: 31 },
  },
];

const logKernel: KerpleSettings = {
  kind: "log",
  p: 1,
  a: 1,
  causal: true,
  trainedLength: 512,
  offset: 0,
  length: 256,
  curveLength: 4096,
  logDistance: true,
};

export const KERPLE_PRESETS: List<KerpleSettings> = [
  {
    id: "log",
    label: "Logarithm, p = a = 1",
    about:
      "The kernel that the paper recommends, trained on 512 tokens there. Heads learn p and a: here both are 1.",
    settings: logKernel,
  },
  {
    id: "power",
    label: "Power, p = 0.5",
    about: "The square root of the distance: between ALiBi\u2019s line and the logarithm.",
    settings: { ...logKernel, kind: "power", p: 0.5, a: 0.3 },
  },
];

const t5Small: T5Settings = {
  heads: 8,
  bidirectional: true,
  numBuckets: 32,
  maxDistance: 128,
  head: 0,
  seed: 1,
  trainedLength: 512,
  offset: 0,
  length: 256,
  curveLength: 256,
  logDistance: false,
};

export const T5_PRESETS: List<T5Settings> = [
  {
    id: "t5-small-encoder",
    label: "T5 small, encoder",
    about: "8 heads, 32 buckets for both directions, largest distance 128; trained on 512 tokens.",
    settings: t5Small,
  },
  {
    id: "t5-small-decoder",
    label: "T5 small, decoder",
    about: "8 heads, 32 buckets for keys before the query; trained on 512 tokens.",
    settings: { ...t5Small, bidirectional: false },
  },
];

export const NOPE_PRESETS: List<NopeSettings> = [
  {
    id: "smollm3-3b",
    label: "SmolLM3 3B, every fourth layer",
    about: "A decoder\u2019s causal mask and nothing else; the layers between use RoPE.",
    settings: { offset: 0, length: 32, causal: true, curveLength: 64, logDistance: false },
  },
  {
    id: "no-mask",
    label: "Attention without a mask",
    about: "An encoder without positions: every token sees every other.",
    settings: { offset: 0, length: 32, causal: false, curveLength: 64, logDistance: false },
  },
];
