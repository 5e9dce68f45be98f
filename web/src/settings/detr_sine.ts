import type { Presets } from "./shared";

export type DetrSineSettings = {
  readonly numPosFeats: number;
  readonly temperature: number;
  readonly normalize: boolean;
  readonly centered: boolean;
  readonly height: number;
  readonly width: number;
  /** The image's own cells; the others are padding. */
  readonly imageHeight: number;
  readonly imageWidth: number;
  readonly row: number;
  readonly column: number;
};

const detr: DetrSineSettings = {
  numPosFeats: 128,
  temperature: 10000,
  normalize: true,
  centered: false,
  height: 25,
  width: 34,
  imageHeight: 25,
  imageWidth: 25,
  row: 9,
  column: 6,
};

export const DETR_SINE_PRESETS: Presets<DetrSineSettings> = [
  {
    id: "detr-r50",
    label: "DETR R50",
    about:
      "128 dims per axis, coordinates normalised to 2\u03c0. A square image of 800 pixels, padded beside one 1,066 wide: 25 \u00d7 34 cells of 32 pixels.",
    settings: detr,
  },
  {
    id: "deformable-detr",
    label: "Deformable DETR",
    about: "The same, measured at the centres of cells. Drawn: its level of 25 \u00d7 34 cells.",
    settings: { ...detr, centered: true },
  },
];
