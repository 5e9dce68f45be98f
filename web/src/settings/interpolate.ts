import type { Presets } from "./shared";

export type InterpolateSettings = {
  readonly fromHeight: number;
  readonly fromWidth: number;
  readonly toHeight: number;
  readonly toWidth: number;
  readonly dim: number;
  readonly mode: "linear" | "cubic";
  readonly antialias: boolean;
  readonly alignCorners: boolean;
  readonly sizeOffset: number;
  readonly table: "sinusoid" | "random";
  readonly seed: number;
  /** The column that a grid is drawn for. */
  readonly dimension: number;
};

const vit: InterpolateSettings = {
  fromHeight: 14,
  fromWidth: 14,
  toHeight: 24,
  toWidth: 24,
  dim: 768,
  mode: "cubic",
  antialias: false,
  alignCorners: false,
  sizeOffset: 0,
  table: "sinusoid",
  seed: 1,
  dimension: 24,
};

export const INTERPOLATE_PRESETS: Presets<InterpolateSettings> = [
  {
    id: "vit-base-384",
    label: "ViT-B/16, 224 to 384 pixels",
    about: "14 \u00d7 14 patches to 24 \u00d7 24, bicubic, as transformers does it.",
    settings: vit,
  },
  {
    id: "dinov2-base-224",
    label: "DINOv2 ViT-B/14, 518 to 224 pixels",
    about:
      "37 \u00d7 37 patches to 16 \u00d7 16, bicubic without antialias, with DINOv2\u2019s offset of 0.1.",
    settings: {
      ...vit,
      fromHeight: 37,
      fromWidth: 37,
      toHeight: 16,
      toWidth: 16,
      sizeOffset: 0.1,
      dimension: 10,
    },
  },
  {
    id: "timm-smaller",
    label: "timm, 384 to 224 pixels",
    about: "24 \u00d7 24 patches to 14 \u00d7 14, bicubic with antialias, as timm does it.",
    settings: {
      ...vit,
      fromHeight: 24,
      fromWidth: 24,
      toHeight: 14,
      toWidth: 14,
      antialias: true,
      dimension: 10,
    },
  },
  {
    id: "qwen3-vl-8b",
    label: "Qwen3-VL 8B, an image of 32 \u00d7 40",
    about:
      "48 \u00d7 48 trained places of 1,152 dims, read for an image of 32 \u00d7 40 patches: bilinear, corners aligned.",
    settings: {
      ...vit,
      fromHeight: 48,
      fromWidth: 48,
      toHeight: 32,
      toWidth: 40,
      dim: 1152,
      mode: "linear",
      alignCorners: true,
      dimension: 40,
    },
  },
  {
    id: "sequence",
    label: "A sequence, 512 to 1,024",
    about: "An example, not a model: a table of 512 positions stretched to twice as many.",
    settings: {
      ...vit,
      fromHeight: 512,
      fromWidth: 1,
      toHeight: 1024,
      toWidth: 1,
      mode: "linear",
      alignCorners: true,
      dimension: 64,
    },
  },
];
