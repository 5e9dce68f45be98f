import type { RotaryModule } from "./rotary_module.js";

/** An address in wasm memory; 0 is no address. Made by memory.ts alone. @internal */
export type Pointer = number & { readonly [pointer]: true };
declare const pointer: unique symbol;

/** Positions: kind, first position or address, count. @internal */
export type PositionScalars = [kind: number, first: number, count: number];
/** Address of a buffer and what `sizeOf` says of it. @internal */
export type FloatScalars = [address: Pointer, size: number];
/** x and out, which may be x. @internal */
export type InOutScalars = [...x: FloatScalars, ...out: FloatScalars];

/** What a gradient of a bias means for an encoding's parameters. @internal */
export type Gradient = (
  self: Pointer,
  ...rest: [...PositionScalars, ...PositionScalars, ...FloatScalars, ...FloatScalars]
) => Status;

/** Numbers that a config copies. @internal */
export interface Values {
  address: Pointer;
  count: number;
}

/** What every module has that holds tensors: what `Memory` needs, and status.cpp. @internal */
export interface CoreModule {
  readonly wasmMemory: WebAssembly.Memory;
  _memalign(alignment: number, bytes: number): Pointer;
  _free(address: Pointer): void;

  version(): Pointer;
  kernel(): Pointer;
  status_code(): Pointer;
  status_field(): Pointer;
  status_message(): Pointer;
}

/**
 * What wasm/bindings declares. Functions that return `Status` leave the reason of a failure in
 * `status_*`; those that make an encoding return 0 then.
 * @internal
 */
export interface WasmModule extends CoreModule, RotaryModule {
  sinusoidal_make(options: {
    dim: number;
    base: number;
    layout: number;
    oddWidth: number;
    frequencyDenominator: number;
    order: number;
    scale: number;
    positionScale: number;
    minTimescale: number;
    maxTimescale: number;
    paddingPosition: number;
  }): Pointer;
  sinusoidal_frequencies(self: Pointer): Pointer;
  sinusoidal_frequency_count(self: Pointer): number;
  sinusoidal_dispose(self: Pointer): void;
  sinusoidal_table(self: Pointer, ...rest: [...PositionScalars, ...FloatScalars]): Status;
  sinusoidal_add(self: Pointer, ...rest: [...PositionScalars, ...FloatScalars]): Status;

  learned_make(options: {
    rows: Pointer;
    rowValues: number;
    dim: number;
    rowOffset: number;
  }): Pointer;
  learned_dispose(self: Pointer): void;
  learned_max_positions(self: Pointer): number;
  learned_table(self: Pointer, ...rest: [...PositionScalars, ...FloatScalars]): Status;
  learned_add(self: Pointer, ...rest: [...PositionScalars, ...FloatScalars]): Status;

  alibi_make(options: {
    heads: number;
    slopes: number;
    form: number;
    alibiBiasMax: number;
    alibiHeads: number;
    customSlopes: Values;
  }): Pointer;
  alibi_dispose(self: Pointer): void;
  alibi_slopes(self: Pointer): Pointer;
  alibi_distances(self: Pointer, first: number, ...out: FloatScalars): Status;
  alibi_bias(
    self: Pointer,
    ...rest: [...PositionScalars, ...PositionScalars, ...FloatScalars]
  ): Status;
  alibi_key_bias(self: Pointer, ...rest: [...PositionScalars, ...FloatScalars]): Status;
  alibi_falcon_key_bias(self: Pointer, ...rest: [...PositionScalars, ...FloatScalars]): Status;
  alibi_slope_gradient: Gradient;

  t5_make(options: {
    heads: number;
    bidirectional: boolean;
    numBuckets: number;
    maxDistance: number;
    table: Pointer;
    tableValues: number;
  }): Pointer;
  t5_dispose(self: Pointer): void;
  t5_buckets(self: Pointer, ...rest: [...PositionScalars, Pointer]): void;
  t5_thresholds(self: Pointer): Pointer;
  t5_threshold_count(self: Pointer): number;
  t5_distances(self: Pointer, first: number, ...out: FloatScalars): Status;
  t5_bias(
    self: Pointer,
    ...rest: [...PositionScalars, ...PositionScalars, ...FloatScalars]
  ): Status;
  t5_table_gradient: Gradient;

  attention_workspace_size(call: AttentionCall): number;
  attention(call: AttentionCall): Status;
}

/** What Emscripten's JavaScript is given to make an instance. @internal */
export interface GlueOptions {
  instantiateWasm(
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
}

/** 0 for success. @internal */
export type Status = number;

/** Every argument of one attention call; absent buffers have address and count 0. @internal */
export interface AttentionCall {
  heads: number;
  kvHeads: number;
  queryCount: number;
  keyCount: number;
  headDim: number;
  valueDim: number;
  scale: number;
  causal: boolean;
  queryOffset: number;
  distances: Pointer;
  distanceValues: number;
  firstDistance: number;
  bias: Pointer;
  biasValues: number;
  keyBias: Pointer;
  keyBiasValues: number;
  q: Pointer;
  qValues: number;
  k: Pointer;
  kValues: number;
  v: Pointer;
  vValues: number;
  out: Pointer;
  outValues: number;
  workspace: Pointer;
  workspaceValues: number;
  probabilities: Pointer;
  probabilityValues: number;
}
