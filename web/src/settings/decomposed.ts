import type { Presets } from "./shared";

export type DecomposedSettings = {
  readonly queryHeight: number;
  readonly queryWidth: number;
  readonly keyHeight: number;
  readonly keyWidth: number;
  readonly headDim: number;
  readonly row: number;
  readonly column: number;
  readonly seed: number;
};

const window: DecomposedSettings = {
  queryHeight: 14,
  queryWidth: 14,
  keyHeight: 14,
  keyWidth: 14,
  headDim: 64,
  row: 6,
  column: 4,
  seed: 1,
};

export const DECOMPOSED_PRESETS: Presets<DecomposedSettings> = [
  {
    id: "sam-vit-b-window",
    label: "SAM ViT-B, windows",
    about: "Most layers: windows of 14 \u00d7 14 patches, heads of 64 dims.",
    settings: window,
  },
  {
    id: "sam-vit-b-global",
    label: "SAM ViT-B, global layers",
    about: "Every third layer: the whole image of 64 \u00d7 64 patches, heads of 64 dims.",
    settings: {
      ...window,
      queryHeight: 64,
      queryWidth: 64,
      keyHeight: 64,
      keyWidth: 64,
      row: 20,
      column: 40,
    },
  },
  {
    id: "sam-vit-h-window",
    label: "SAM ViT-H, windows",
    about: "Windows of 14 \u00d7 14 patches, heads of 80 dims.",
    settings: { ...window, headDim: 80 },
  },
  {
    id: "mvitv2-t",
    label: "MViTv2-T, first stage",
    about: "56 \u00d7 56 queries look at keys pooled to 14 \u00d7 14; heads of 96 dims.",
    settings: { ...window, queryHeight: 56, queryWidth: 56, headDim: 96, row: 24, column: 16 },
  },
];
