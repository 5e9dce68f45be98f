import type { Presets, Shown } from "./shared";

export type FireSettings = Shown & {
  readonly heads: number;
  /** Width of the network's hidden layer. */
  readonly hidden: number;
  readonly c: number;
  readonly threshold: number;
  readonly head: number;
  readonly seed: number;
  readonly causal: boolean;
};

const paper: FireSettings = {
  heads: 12,
  hidden: 32,
  c: 0.1,
  threshold: 512,
  head: 0,
  seed: 1,
  causal: true,
  offset: 0,
  length: 128,
  curveLength: 2048,
  logDistance: false,
};

export const FIRE_PRESETS: Presets<FireSettings> = [
  {
    id: "paper",
    label: "The paper\u2019s code",
    about:
      "12 heads, a hidden layer of 32; c = 0.1 and a threshold of 512 are where training starts.",
    settings: paper,
  },
  {
    id: "no-threshold",
    label: "Without a threshold",
    about: "Every query is normalised by its own position, the first ones too.",
    settings: { ...paper, threshold: 0 },
  },
];
