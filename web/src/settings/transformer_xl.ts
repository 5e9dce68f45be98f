import type { Presets } from "./shared";

export type TransformerXlSettings = {
  readonly dModel: number;
  readonly headDim: number;
  /** Transformer-XL sees keys up to the query, XLNet those after it too. */
  readonly variant: "transformer-xl" | "xlnet";
  readonly clampLen: number;
  readonly memory: number;
  readonly seed: number;
  readonly length: number;
};

const base: TransformerXlSettings = {
  dModel: 410,
  headDim: 41,
  variant: "transformer-xl",
  clampLen: -1,
  memory: 64,
  seed: 1,
  length: 64,
};

export const TRANSFORMER_XL_PRESETS: Presets<TransformerXlSettings> = [
  {
    id: "transformer-xl-base",
    label: "Transformer-XL base, WikiText-103",
    about: "10 heads of 41 dims in a model of 410. Memory is shortened here to be seen.",
    settings: base,
  },
  {
    id: "transformer-xl-large",
    label: "Transformer-XL large, WikiText-103",
    about: "16 heads of 64 dims in a model of 1,024. Memory is shortened here to be seen.",
    settings: { ...base, dModel: 1024, headDim: 64 },
  },
  {
    id: "xlnet-base",
    label: "XLNet base",
    about: "12 heads of 64 dims in a model of 768; keys on both sides, no memory here.",
    settings: { ...base, dModel: 768, headDim: 64, variant: "xlnet", memory: 0 },
  },
];
