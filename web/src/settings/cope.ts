import type { Presets } from "./shared";

export type CopeSettings = {
  readonly headDim: number;
  readonly maxPos: number;
  readonly causal: boolean;
  readonly seed: number;
  readonly length: number;
};

const paper: CopeSettings = { headDim: 64, maxPos: 64, causal: true, seed: 1, length: 128 };

export const COPE_PRESETS: Presets<CopeSettings> = [
  {
    id: "64",
    label: "64 positions",
    about: "An example, not a model: heads of 64 dims, positions counted up to 63.",
    settings: paper,
  },
  {
    id: "16",
    label: "16 positions",
    about: "The same with few positions: most keys are farther than the last one.",
    settings: { ...paper, maxPos: 16 },
  },
];
