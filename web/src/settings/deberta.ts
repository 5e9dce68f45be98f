import type { Presets } from "./shared";

export type DebertaSettings = {
  readonly headDim: number;
  readonly terms: "both" | "c2p" | "p2c";
  readonly positionBuckets: number;
  readonly maxRelativePositions: number;
  readonly seed: number;
  readonly length: number;
};

const v3: DebertaSettings = {
  headDim: 64,
  terms: "both",
  positionBuckets: 256,
  maxRelativePositions: 512,
  seed: 1,
  length: 512,
};

export const DEBERTA_PRESETS: Presets<DebertaSettings> = [
  {
    id: "deberta-v3-base",
    label: "DeBERTa v3 base",
    about: "12 heads of 64 dims; 256 buckets on each side for distances up to 512.",
    settings: v3,
  },
  {
    id: "deberta-base",
    label: "DeBERTa base (v1)",
    about: "12 heads of 64 dims; no buckets: every distance up to 512 has a row.",
    settings: { ...v3, positionBuckets: 0 },
  },
];
