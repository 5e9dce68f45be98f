import type { Presets, Shown } from "./shared";

export type T5Settings = Shown & {
  readonly heads: number;
  readonly bidirectional: boolean;
  readonly numBuckets: number;
  readonly maxDistance: number;
  readonly head: number;
  readonly seed: number;
  readonly trainedLength: number;
};

const t5Small: T5Settings = {
  heads: 8,
  bidirectional: true,
  numBuckets: 32,
  maxDistance: 128,
  head: 0,
  seed: 1,
  trainedLength: 512,
  offset: 0,
  length: 256,
  curveLength: 256,
  logDistance: false,
};

export const T5_PRESETS: Presets<T5Settings> = [
  {
    id: "t5-small-encoder",
    label: "T5 small, encoder",
    about: "8 heads, 32 buckets for both directions, largest distance 128; trained on 512 tokens.",
    settings: t5Small,
  },
  {
    id: "t5-small-decoder",
    label: "T5 small, decoder",
    about: "8 heads, 32 buckets for keys before the query; trained on 512 tokens.",
    settings: { ...t5Small, bidirectional: false },
  },
];
