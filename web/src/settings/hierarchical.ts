import type { Presets, Shown } from "./shared";

export type HierarchicalSettings = Shown & {
  readonly rows: number;
  readonly dim: number;
  readonly alpha: number;
  readonly seed: number;
  readonly causal: boolean;
};

export const HIERARCHICAL_PRESETS: Presets<HierarchicalSettings> = [
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
