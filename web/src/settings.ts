/** The controls of each encoding, as plain values. `type`, not `interface`: they are Settings. */

/** What part is shown: positions offset .. offset + length - 1, distances up to curveLength. */
type Shown = {
  readonly offset: number;
  readonly length: number;
  readonly curveLength: number;
  readonly logDistance: boolean;
};

export type SinusoidalSettings = Shown & {
  readonly dim: number;
  readonly base: number;
  readonly layout: "interleaved" | "half";
  readonly oddWidth: "sine" | "zero";
  readonly denominator: "dim" | "dim-2";
  readonly causal: boolean;
  readonly trainedLength: number;
};

export type SincosGridSettings = {
  readonly dim: number;
  readonly base: number;
  readonly layout: "axis_blocks" | "function_blocks";
  readonly axisOrder: "yx" | "xy";
  readonly height: number;
  readonly width: number;
  /** The cell that the others are compared with. */
  readonly row: number;
  readonly column: number;
};

export type LearnedSettings = Shown & {
  readonly rows: number;
  readonly dim: number;
  readonly rowOffset: number;
  readonly seed: number;
  readonly causal: boolean;
};

export type HierarchicalSettings = Shown & {
  readonly rows: number;
  readonly dim: number;
  readonly alpha: number;
  readonly seed: number;
  readonly causal: boolean;
};

export type RopeSettings = Shown & {
  readonly headDim: number;
  readonly rotaryDim: number;
  readonly base: number;
  readonly layout: "half" | "interleaved";
  readonly scaling: "none" | "linear" | "static_ntk" | "dynamic_ntk" | "yarn" | "llama3";
  /** Of every scaling but none. */
  readonly factor: number;
  /** The length before it was extended: of dynamic NTK, YaRN and Llama 3. */
  readonly originalLength: number;
  /** The length of the text: of dynamic NTK. */
  readonly sequenceLength: number;
  readonly causal: boolean;
  readonly trainedLength: number;
};

export type AlibiSettings = Shown & {
  readonly heads: number;
  readonly slopes: "checkpoint" | "paper";
  readonly form: "causal" | "symmetric";
  readonly head: number;
  readonly trainedLength: number;
};

/** One head. */
export type KerpleSettings = Shown & {
  readonly kind: "log" | "power";
  readonly p: number;
  readonly a: number;
  readonly causal: boolean;
  readonly trainedLength: number;
};

export type T5Settings = Shown & {
  readonly heads: number;
  readonly bidirectional: boolean;
  readonly numBuckets: number;
  readonly maxDistance: number;
  readonly head: number;
  readonly seed: number;
  readonly trainedLength: number;
};

export type NopeSettings = Shown & {
  readonly causal: boolean;
};
