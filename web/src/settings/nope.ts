import type { Presets, Shown } from "./shared";

export type NopeSettings = Shown & {
  readonly causal: boolean;
};

export const NOPE_PRESETS: Presets<NopeSettings> = [
  {
    id: "smollm3-3b",
    label: "SmolLM3 3B, every fourth layer",
    about: "A decoder\u2019s causal mask and nothing else; the layers between use RoPE.",
    settings: { offset: 0, length: 32, causal: true, curveLength: 64, logDistance: false },
  },
  {
    id: "no-mask",
    label: "Attention without a mask",
    about: "An encoder without positions: every token sees every other.",
    settings: { offset: 0, length: 32, causal: false, curveLength: 64, logDistance: false },
  },
];
