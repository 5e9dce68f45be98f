/** What the page and its worker say to each other. */

export const ENCODING_IDS = [
  "sinusoidal",
  "sincos_grid",
  "detr_sine",
  "learned",
  "hierarchical",
  "multiscale",
  "layout_boxes",
  "rope",
  "pope",
  "alibi",
  "kerple",
  "fire",
  "t5",
  "dynamic_position_bias",
  "swin",
  "swin_cpb",
  "shaw",
  "deberta",
  "transformer_xl",
  "decomposed",
  "cope",
  "gated_position_bias",
  "forgetting_bias",
  "interpolate",
  "nope",
] as const;
export type EncodingId = (typeof ENCODING_IDS)[number];

export type SettingValue = number | string | boolean;
/** The values of an encoding's controls, by parameter name. */
export type Settings = Readonly<Record<string, SettingValue>>;

/** One axis of a picture: `count` whole numbers from `first`. */
export interface Axis {
  readonly label: string;
  readonly first: number;
  readonly count: number;
}

/** How values become colours: viridis from minimum to maximum, or RdBu with zero in the middle. */
export type ColourScale = "sequential" | "diverging";

export interface Picture {
  readonly rows: Axis;
  readonly columns: Axis;
  /** [rows, columns]; -Infinity is a masked cell. */
  readonly values: Float32Array;
  readonly scale: ColourScale;
  /** What a value is, for the legend and the table. */
  readonly quantity: string;
}

export interface CurveLine {
  readonly label: string;
  /** [x.count] */
  readonly values: Float32Array;
  /** Drawn in the accent colour and read out; the others stay in the background. */
  readonly main: boolean;
}

export interface Curve {
  readonly title: string;
  readonly x: Axis;
  readonly quantity: string;
  readonly lines: readonly CurveLine[];
}

/** Numbers from the library that the sentences beside the picture speak of. */
export interface Facts {
  /** Radians per position of each rotary pair. */
  readonly frequencies?: Float64Array;
  /** The same before they were scaled. */
  readonly unscaledFrequencies?: Float64Array;
  /** What cosines and sines are multiplied by. */
  readonly attentionFactor?: number;
  /** One slope per ALiBi head. */
  readonly slopes?: Float64Array;
  /** Smallest distance of each T5 bucket of one direction. */
  readonly thresholds?: Float64Array;
  /** What the tokens of the chosen head open their gates by: a factor, or a logit. */
  readonly gates?: Float32Array;
  /** What Swin v2's network sees of each offset [2H - 1, 2W - 1, 2]. */
  readonly coordinates?: Float32Array;
  /** Rows of DeBERTa's table on each side. */
  readonly attSpan?: number;
  /** How many positions a learned table has, and what the library says about the next one. */
  readonly maxPositions?: number;
  readonly pastTheEnd?: string;
}

export interface Result {
  readonly picture: Picture;
  readonly curve: Curve;
  readonly facts: Facts;
}

export interface Request {
  readonly encoding: EncodingId;
  readonly view: string;
  readonly settings: Settings;
}

/** Why there is no picture: the parameter at fault, where it is known, and a sentence. */
export interface Failure {
  readonly field: string;
  readonly message: string;
}

export type Outcome =
  | { readonly status: "ready"; readonly result: Result }
  | { readonly status: "failed"; readonly failure: Failure }
  | { readonly status: "cancelled" };
