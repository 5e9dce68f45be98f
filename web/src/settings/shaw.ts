import type { Presets } from "./shared";

export type ShawSettings = {
  readonly headDim: number;
  readonly maxRelativePosition: number;
  readonly causal: boolean;
  readonly seed: number;
  readonly length: number;
};

const base: ShawSettings = {
  headDim: 64,
  maxRelativePosition: 16,
  causal: false,
  seed: 1,
  length: 64,
};

export const SHAW_PRESETS: Presets<ShawSettings> = [
  {
    id: "base",
    label: "Shaw et al., base",
    about: "Translation model of 2018: 8 heads of 64 dims, distances clipped to 16.",
    settings: base,
  },
  {
    id: "big",
    label: "Shaw et al., big",
    about: "The paper\u2019s larger model: heads of 64 dims, distances clipped to 8.",
    settings: { ...base, maxRelativePosition: 8 },
  },
];
