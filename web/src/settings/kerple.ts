import type { Presets, Shown } from "./shared";

/** One head. */
export type KerpleSettings = Shown & {
  readonly kind: "log" | "power";
  readonly p: number;
  readonly a: number;
  readonly causal: boolean;
  readonly trainedLength: number;
};

const logKernel: KerpleSettings = {
  kind: "log",
  p: 1,
  a: 1,
  causal: true,
  trainedLength: 512,
  offset: 0,
  length: 256,
  curveLength: 4096,
  logDistance: true,
};

export const KERPLE_PRESETS: Presets<KerpleSettings> = [
  {
    id: "log",
    label: "Logarithm, p = a = 1",
    about:
      "The kernel that the paper recommends, trained on 512 tokens there. Heads learn p and a: here both are 1.",
    settings: logKernel,
  },
  {
    id: "power",
    label: "Power, p = 0.5",
    about: "The square root of the distance: between ALiBi\u2019s line and the logarithm.",
    settings: { ...logKernel, kind: "power", p: 0.5, a: 0.3 },
  },
];
