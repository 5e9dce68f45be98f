import type { Presets, Shown } from "./shared";

export type LearnedSettings = Shown & {
  readonly rows: number;
  readonly dim: number;
  readonly rowOffset: number;
  readonly seed: number;
  readonly causal: boolean;
};

const bert: LearnedSettings = {
  rows: 512,
  dim: 768,
  rowOffset: 0,
  seed: 1,
  offset: 0,
  length: 64,
  causal: false,
  curveLength: 512,
  logDistance: false,
};

export const LEARNED_PRESETS: Presets<LearnedSettings> = [
  {
    id: "bert-base",
    label: "BERT base",
    about: "Encoder: a trained table of 512 rows, 768 dims.",
    settings: bert,
  },
  {
    id: "gpt2",
    label: "GPT-2",
    about: "Decoder: a trained table of 1,024 rows, 768 dims.",
    settings: { ...bert, rows: 1024, causal: true, curveLength: 1024 },
  },
  {
    id: "roberta-base",
    label: "RoBERTa base",
    about: "Encoder: 514 rows, 768 dims; position p reads row p + 2, so 512 positions can be used.",
    settings: { ...bert, rows: 514, rowOffset: 2 },
  },
];
