import type { Presets, Shown } from "./shared";

export type MultiscaleSettings = Shown & {
  readonly sectionDim: number;
  readonly sentenceDim: number;
  readonly tokenDim: number;
  readonly coarseBase: number;
  readonly base: number;
  readonly combine: "concatenate" | "sum";
  readonly interleaved: boolean;
  /** How long the sentences and sections of the text are, all alike. */
  readonly tokensPerSentence: number;
  readonly sentencesPerSection: number;
  readonly causal: boolean;
};

const beside: MultiscaleSettings = {
  sectionDim: 64,
  sentenceDim: 64,
  tokenDim: 128,
  coarseBase: 100,
  base: 10000,
  combine: "concatenate",
  interleaved: false,
  tokensPerSentence: 16,
  sentencesPerSection: 4,
  offset: 0,
  length: 128,
  causal: false,
  curveLength: 256,
  logDistance: false,
};

export const MULTISCALE_PRESETS: Presets<MultiscaleSettings> = [
  {
    id: "concatenate",
    label: "Levels side by side",
    about: "An example, not a model: section, sentence and token, each in columns of its own.",
    settings: beside,
  },
  {
    id: "sum",
    label: "Levels added",
    about: "The same three levels of 128 dims each, added.",
    settings: { ...beside, sectionDim: 128, sentenceDim: 128, combine: "sum" },
  },
];
