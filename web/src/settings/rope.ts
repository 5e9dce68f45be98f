import type { Presets, Shown } from "./shared";

export type RopeSettings = Shown & {
  readonly headDim: number;
  readonly rotaryDim: number;
  readonly base: number;
  readonly layout: "half" | "interleaved";
  readonly scaling: "none" | "linear" | "static_ntk" | "dynamic_ntk" | "yarn" | "llama3";
  /** Of every scaling but none. */
  readonly factor: number;
  /** The length before it was extended: of dynamic NTK, YaRN and Llama 3. */
  readonly originalLength: number;
  /** The length of the text: of dynamic NTK. */
  readonly sequenceLength: number;
  readonly causal: boolean;
  readonly trainedLength: number;
};

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

export const ROPE_PRESETS: Presets<RopeSettings> = [
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
