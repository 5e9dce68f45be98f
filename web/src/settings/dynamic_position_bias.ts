import type { Presets, Shown } from "./shared";

export type DynamicPositionBiasSettings = Shown & {
  readonly heads: number;
  /** Width of the network's two hidden layers. */
  readonly hidden: number;
  readonly logInput: boolean;
  readonly head: number;
  readonly seed: number;
  readonly causal: boolean;
};

const plain: DynamicPositionBiasSettings = {
  heads: 8,
  hidden: 128,
  logInput: false,
  head: 0,
  seed: 1,
  causal: false,
  offset: 0,
  length: 128,
  curveLength: 256,
  logDistance: false,
};

export const DYNAMIC_POSITION_BIAS_PRESETS: Presets<DynamicPositionBiasSettings> = [
  {
    id: "distance",
    label: "x-transformers, width 512",
    about:
      "8 heads; two hidden layers of 128, a quarter of the model\u2019s width. The network sees the distance itself.",
    settings: plain,
  },
  {
    id: "log-distance",
    label: "The same, logarithm of the distance",
    about: "Far distances come closer together before the network sees them.",
    settings: { ...plain, logInput: true },
  },
];
