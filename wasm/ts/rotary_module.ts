import type {
  FloatScalars,
  InOutScalars,
  Pointer,
  PositionScalars,
  Status,
  Values,
} from "./module.js";

/** @internal */
export type ShapeScalars = [
  batch: number,
  heads: number,
  length: number,
  order: number,
  side: number,
  batchStride: number,
  headStride: number,
  lengthStride: number,
];
/** `apply` and its kin. @internal */
export type Turn = (
  self: Pointer,
  ...rest: [...InOutScalars, ...PositionScalars, ...ShapeScalars]
) => Status;

/** The options of every rope scaling; a type reads its own. @internal */
export interface ScalingNumbers {
  type: number;
  factor: number;
  trainedLength: number;
  betaFast: number;
  betaSlow: number;
  truncate: boolean;
  mscale: number;
  mscaleAllDim: number;
  attentionFactor: number;
  shortFactor: Values;
  longFactor: Values;
  shortAttentionFactor: number;
  longAttentionFactor: number;
  lowFreqFactor: number;
  highFreqFactor: number;
  partialRotaryFactor: number;
  invFreq: Values;
  axes: number;
  frequencyHeads: number;
}

/** The options of every kind of rope axes; a type reads its own. @internal */
export interface AxesNumbers {
  type: number;
  timePairs: number;
  heightPairs: number;
  widthPairs: number;
  interleaved: boolean;
  bands: number;
  order: number;
  maxResolution: number;
}

/** @internal */
export interface RopeNumbers {
  headDim: number;
  rotaryDim: number;
  rotaryStart: number;
  base: number;
  layout: number;
  scaling: ScalingNumbers;
  length: number;
  angles: number;
  axes: AxesNumbers;
  hasXpos: boolean;
  xposScaleBase: number;
  xposOrigin: number;
}

/** What wasm/bindings declares of the rotary family. @internal */
export interface RotaryModule {
  rope_make(options: RopeNumbers): Pointer;
  rope_dispose(self: Pointer): void;
  rope_set_length(self: Pointer, length: number): Status;
  rope_inv_freq(self: Pointer): Pointer;
  rope_inv_freq_count(self: Pointer): number;
  rope_attention_factor(self: Pointer): number;
  rope_softmax_scale(self: Pointer): number;
  rope_softmax_scale_factor(self: Pointer): number;
  rope_scaled_base(self: Pointer): number;
  rope_yarn_ramp(self: Pointer, end: boolean): number;
  rope_axis_count(self: Pointer): number;
  rope_angles(
    self: Pointer,
    ...rest: [...PositionScalars, ...FloatScalars, ...FloatScalars]
  ): Status;
  rope_rotate(
    self: Pointer,
    ...rest: [...InOutScalars, ...FloatScalars, ...FloatScalars, ...ShapeScalars]
  ): Status;
  rope_apply: Turn;
  rope_unapply: Turn;
  rope_backward: Turn;
  rope_apply_both(
    self: Pointer,
    ...rest: [
      ...FloatScalars,
      ...FloatScalars,
      kvHeads: number,
      ...PositionScalars,
      batch: number,
      heads: number,
      length: number,
      order: number,
    ]
  ): Status;
  rope_rerotate(
    self: Pointer,
    from: Pointer,
    ...rest: [...InOutScalars, ...PositionScalars, ...PositionScalars, ...ShapeScalars]
  ): Status;
}
