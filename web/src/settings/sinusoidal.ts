import type { Presets, Shown } from "./shared";

export type SinusoidalSettings = Shown & {
  readonly dim: number;
  readonly base: number;
  readonly layout: "interleaved" | "half";
  readonly oddWidth: "sine" | "zero";
  readonly denominator: "dim" | "dim-2";
  readonly causal: boolean;
  readonly trainedLength: number;
};

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

export const SINUSOIDAL_PRESETS: Presets<SinusoidalSettings> = [
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
