import type { Presets } from "./shared";

export type SincosGridSettings = {
  readonly dim: number;
  readonly base: number;
  readonly layout: "axis_blocks" | "function_blocks";
  readonly axisOrder: "yx" | "xy";
  readonly height: number;
  readonly width: number;
  /** The cell that the others are compared with. */
  readonly row: number;
  readonly column: number;
};

const mae: SincosGridSettings = {
  dim: 768,
  base: 10000,
  layout: "axis_blocks",
  axisOrder: "xy",
  height: 14,
  width: 14,
  row: 6,
  column: 4,
};

export const SINCOS_GRID_PRESETS: Presets<SincosGridSettings> = [
  {
    id: "mae-vit-base",
    label: "MAE ViT-Base",
    about: "Images of 224 pixels in patches of 16: 14 rows of 14, 768 dims, x in the first half.",
    settings: mae,
  },
  {
    id: "mae-vit-huge",
    label: "MAE ViT-Huge",
    about: "Images of 224 pixels in patches of 14: 16 rows of 16, 1,280 dims.",
    settings: { ...mae, dim: 1280, height: 16, width: 16, row: 7, column: 5 },
  },
];
