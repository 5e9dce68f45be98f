import type { Presets, Shown } from "./shared";

export type AlibiSettings = Shown & {
  readonly heads: number;
  readonly slopes: "checkpoint" | "paper";
  readonly form: "causal" | "symmetric";
  readonly head: number;
  readonly trainedLength: number;
};

const bloom: AlibiSettings = {
  heads: 112,
  slopes: "checkpoint",
  form: "causal",
  head: 63,
  trainedLength: 2048,
  offset: 0,
  length: 256,
  curveLength: 4096,
  logDistance: false,
};

export const ALIBI_PRESETS: Presets<AlibiSettings> = [
  {
    id: "bloom-176b",
    label: "BLOOM 176B",
    about: "112 heads, not a power of two; trained on 2,048 tokens.",
    settings: bloom,
  },
  {
    id: "mpt-7b",
    label: "MPT 7B",
    about: "32 heads; trained on 2,048 tokens.",
    settings: { ...bloom, heads: 32, head: 31 },
  },
];
