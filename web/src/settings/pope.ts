import type { Presets, Shown } from "./shared";

export type PopeSettings = Shown & {
  readonly headDim: number;
  readonly base: number;
  readonly phases: "zero" | "random";
  readonly seed: number;
  readonly causal: boolean;
};

const plain: PopeSettings = {
  headDim: 64,
  base: 10000,
  phases: "zero",
  seed: 1,
  offset: 0,
  length: 128,
  causal: true,
  curveLength: 2048,
  logDistance: true,
};

export const POPE_PRESETS: Presets<PopeSettings> = [
  {
    id: "zero",
    label: "Phases 0, base 10,000",
    about: "An example, not a model: a head of 64 dims, every phase at the upper end of its range.",
    settings: plain,
  },
  {
    id: "random",
    label: "Random phases",
    about: "Trained phases move each dim\u2019s best distance away from 0.",
    settings: { ...plain, phases: "random" },
  },
];
