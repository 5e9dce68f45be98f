import type { FloatScalars, Gradient, Pointer, PositionScalars, Status } from "./module.js";

type Dispose = (self: Pointer) => void;
type Distances = (self: Pointer, first: number, ...out: FloatScalars) => Status;
type Write = (self: Pointer, ...out: FloatScalars) => Status;
type PositionsBias = (
  self: Pointer,
  ...rest: [...PositionScalars, ...PositionScalars, ...FloatScalars]
) => Status;

/** What wasm/bindings declares of biases.cpp. `layers` are four doubles each. @internal */
export interface BiasesModule {
  kerple_make(
    heads: number,
    kind: number,
    causal: boolean,
    minimum: number,
    pMaximum: number,
    ...values: [...p: FloatScalars, ...a: FloatScalars]
  ): Pointer;
  kerple_dispose: Dispose;
  kerple_distances: Distances;
  kerple_bias: PositionsBias;
  kerple_gradient: Gradient;

  fire_make(
    heads: number,
    causal: boolean,
    c: number,
    threshold: number,
    eps: number,
    ...layers: FloatScalars
  ): Pointer;
  fire_dispose: Dispose;
  fire_bias: PositionsBias;

  dynamic_position_bias_make(heads: number, logDistance: boolean, ...layers: FloatScalars): Pointer;
  dynamic_position_bias_dispose: Dispose;
  dynamic_position_bias_distances: Distances;
  dynamic_position_bias_bias: PositionsBias;

  swin_make(
    windowHeight: number,
    windowWidth: number,
    heads: number,
    ...table: FloatScalars
  ): Pointer;
  swin_dispose: Dispose;
  swin_index: Write;
  swin_bias: Write;

  swin_cpb_make(
    windowHeight: number,
    windowWidth: number,
    pretrainedHeight: number,
    pretrainedWidth: number,
    heads: number,
    coordinates: number,
    ...layers: FloatScalars
  ): Pointer;
  swin_cpb_dispose: Dispose;
  swin_cpb_coordinates: Write;
  swin_cpb_bias: Write;
  swin_cpb_bias_from_output(
    self: Pointer,
    ...buffers: [...output: FloatScalars, ...out: FloatScalars]
  ): Status;

  gated_position_bias_make(
    heads: number,
    headDim: number,
    ...tables: [...weight: FloatScalars, ...bias: FloatScalars, ...constant: FloatScalars]
  ): Pointer;
  gated_position_bias_dispose: Dispose;
  gated_position_bias_gate(
    self: Pointer,
    ...rest: [...hidden: FloatScalars, length: number, ...out: FloatScalars]
  ): Status;
  gated_position_bias_bias(
    self: Pointer,
    ...rest: [
      ...gate: FloatScalars,
      ...positionBias: FloatScalars,
      queries: number,
      keys: number,
      ...out: FloatScalars,
    ]
  ): Status;

  forgetting_bias_make(heads: number, causal: boolean, logScale: number): Pointer;
  forgetting_bias_dispose: Dispose;
  forgetting_bias_bias(
    self: Pointer,
    ...rest: [...gateLogits: FloatScalars, workspace: Pointer, length: number, ...out: FloatScalars]
  ): Status;
}
