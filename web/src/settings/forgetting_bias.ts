import type { Presets } from "./shared";

export type ForgettingBiasSettings = {
  readonly heads: number;
  readonly logScale: number;
  /** What the random logits of the gates vary around, and how far. */
  readonly gate: number;
  readonly spread: number;
  readonly head: number;
  readonly seed: number;
  readonly length: number;
};

const open: ForgettingBiasSettings = {
  heads: 8,
  logScale: 1,
  gate: 4,
  spread: 2,
  head: 0,
  seed: 1,
  length: 128,
};

export const FORGETTING_BIAS_PRESETS: Presets<ForgettingBiasSettings> = [
  {
    id: "open",
    label: "Gates nearly open",
    about: "An example, not a model: logits around 4, so that most tokens are kept to about 98 %.",
    settings: open,
  },
  {
    id: "resets",
    label: "Gates that may close",
    about:
      "An example, not a model: logits from \u22126 to 14; a closed gate hides all that came before it.",
    settings: { ...open, spread: 10 },
  },
];
