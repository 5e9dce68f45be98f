import type { AdditiveModule } from "./additive_module.js";
import type { AttentionModule } from "./attention_module.js";
import type { BiasesModule } from "./biases_module.js";
import type { FloatScalars, Pointer, Status, WasmModule } from "./module.js";
import type { RelativeModule } from "./relative_module.js";

/** What wasm/bindings declares of rotary_positions.cpp. @internal */
interface RotaryPositionsModule {
  grid_positions(
    height: number,
    width: number,
    frames: number,
    merge: number,
    coordinates: number,
    extent: number,
    offset: number,
    referenceHeight: number,
    referenceWidth: number,
    columnsFirst: boolean,
    ...out: FloatScalars
  ): Status;
  mrope_positions(
    batch: number,
    imageToken: number,
    videoToken: number,
    merge: number,
    masked: number,
    ...buffers: [
      ...ids: FloatScalars,
      ...mask: FloatScalars,
      ...images: FloatScalars,
      ...videos: FloatScalars,
      positions: Pointer,
      delta: Pointer,
    ]
  ): Status;
  offset_positions(...rest: [...FloatScalars, ...FloatScalars]): Status;
  packed_positions(...rest: [...FloatScalars, ...FloatScalars, ...FloatScalars]): Status;
  permute_pairs(
    ...rest: [
      ...FloatScalars,
      ...FloatScalars,
      heads: number,
      headDim: number,
      rotaryDim: number,
      columns: number,
      from: number,
      to: number,
    ]
  ): Status;
  permute_pairs_rows(
    rows: Pointer,
    length: number,
    heads: number,
    headDim: number,
    rotaryDim: number,
    from: number,
    to: number,
  ): Status;
}

/** What posenc_all.wasm has: all of posenc.wasm and more. @internal */
export interface AllModule
  extends WasmModule,
    AdditiveModule,
    AttentionModule,
    RotaryPositionsModule,
    BiasesModule,
    RelativeModule {}
