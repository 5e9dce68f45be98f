import type { Presets } from "./shared";

export type GatedPositionBiasSettings = {
  readonly heads: number;
  readonly headDim: number;
  readonly numBuckets: number;
  readonly maxDistance: number;
  readonly head: number;
  readonly seed: number;
  readonly length: number;
};

const base: GatedPositionBiasSettings = {
  heads: 12,
  headDim: 64,
  numBuckets: 320,
  maxDistance: 800,
  head: 0,
  seed: 1,
  length: 128,
};

export const GATED_POSITION_BIAS_PRESETS: Presets<GatedPositionBiasSettings> = [
  {
    id: "wavlm-base",
    label: "WavLM base",
    about: "12 heads of 64 dims; T5\u2019s buckets, 320 of them for distances up to 800.",
    settings: base,
  },
  {
    id: "wavlm-large",
    label: "WavLM large",
    about: "16 heads of 64 dims, the same buckets.",
    settings: { ...base, heads: 16 },
  },
];
