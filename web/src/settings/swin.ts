import type { Presets } from "./shared";

export type SwinSettings = {
  readonly windowHeight: number;
  readonly windowWidth: number;
  readonly heads: number;
  readonly head: number;
  readonly row: number;
  readonly column: number;
  readonly seed: number;
};

const tiny: SwinSettings = {
  windowHeight: 7,
  windowWidth: 7,
  heads: 3,
  head: 0,
  row: 3,
  column: 3,
  seed: 1,
};

export const SWIN_PRESETS: Presets<SwinSettings> = [
  {
    id: "swin-t",
    label: "Swin-T, first stage",
    about: "Windows of 7 \u00d7 7 patches; 3 heads, doubled at every stage.",
    settings: tiny,
  },
  {
    id: "swin-b-384",
    label: "Swin-B at 384 pixels, first stage",
    about: "Windows of 12 \u00d7 12 patches, 4 heads.",
    settings: { ...tiny, windowHeight: 12, windowWidth: 12, heads: 4, row: 5, column: 5 },
  },
];
