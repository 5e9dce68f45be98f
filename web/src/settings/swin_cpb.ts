import type { Presets } from "./shared";

export type SwinCpbSettings = {
  readonly windowHeight: number;
  readonly windowWidth: number;
  /** The window of training, in both directions; 0: the same. */
  readonly pretrained: number;
  readonly coordinates: "normalised" | "logarithmic";
  readonly hidden: number;
  readonly heads: number;
  readonly head: number;
  readonly row: number;
  readonly column: number;
  readonly seed: number;
};

const tiny: SwinCpbSettings = {
  windowHeight: 8,
  windowWidth: 8,
  pretrained: 0,
  coordinates: "normalised",
  hidden: 512,
  heads: 3,
  head: 0,
  row: 3,
  column: 2,
  seed: 1,
};

export const SWIN_CPB_PRESETS: Presets<SwinCpbSettings> = [
  {
    id: "swinv2-t-window8",
    label: "Swin v2-T, window 8, first stage",
    about: "Windows of 8 \u00d7 8 patches, 3 heads; a network with one hidden layer of 512.",
    settings: tiny,
  },
  {
    id: "swinv2-b-window12to16",
    label: "Swin v2-B, window 12 to 16, first stage",
    about: "Trained on windows of 12 \u00d7 12 and used with 16 \u00d7 16; 4 heads.",
    settings: {
      ...tiny,
      windowHeight: 16,
      windowWidth: 16,
      pretrained: 12,
      heads: 4,
      row: 7,
      column: 4,
    },
  },
];
