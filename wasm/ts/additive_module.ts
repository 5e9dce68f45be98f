import type { FloatScalars, Pointer, PositionScalars, Status } from "./module.js";

/** Address and length of an array that holds no floats. */
type ListScalars = [address: Pointer, length: number];
/** A mask, its length, and the shape that it has. */
type MaskScalars = [...mask: ListScalars, batch: number, height: number, width: number];
/** The verbs of Additive. */
type RowsVerb = (self: Pointer, ...rest: [...PositionScalars, ...FloatScalars]) => Status;
/** Boxes, positions of their tokens, and out or x. */
type BoxesVerb = (
  self: Pointer,
  ...rest: [...ListScalars, ...PositionScalars, ...FloatScalars]
) => Status;

/** The cells of a grid. @internal */
export interface GridScalars {
  height: number;
  width: number;
  depth: number;
  stepY: number;
  stepX: number;
  stepZ: number;
  firstY: number;
  firstX: number;
  firstZ: number;
  order: number;
}

/** What wasm/bindings declares of additive_more.cpp, grids.cpp and position_ids.cpp. @internal */
export interface AdditiveModule {
  trainable_learned_make(
    ...rest: [...FloatScalars, dim: number, rowOffset: number, scale: number, paddingRow: number]
  ): Pointer;
  learned_scatter(
    self: Pointer,
    ...rest: [...PositionScalars, ...FloatScalars, ...FloatScalars]
  ): Status;

  hierarchical_make(...rest: [...FloatScalars, dim: number, alpha: number]): Pointer;
  hierarchical_dispose(self: Pointer): void;
  hierarchical_max_positions(self: Pointer): number;
  hierarchical_table: RowsVerb;
  hierarchical_add: RowsVerb;

  multiscale_make(...rest: [...ListScalars, combine: number, interleaved: boolean]): Pointer;
  multiscale_dispose(self: Pointer): void;
  multiscale_table(self: Pointer, ...rest: [...ListScalars, ...FloatScalars]): Status;
  multiscale_add(self: Pointer, ...rest: [...ListScalars, ...FloatScalars]): Status;

  layout_boxes_make(
    dim: number,
    ...tables: [
      ...xRows: FloatScalars,
      ...yRows: FloatScalars,
      ...heightRows: FloatScalars,
      ...widthRows: FloatScalars,
      ...positionRows: FloatScalars,
    ]
  ): Pointer;
  layout_boxes_dispose(self: Pointer): void;
  layout_boxes_table: BoxesVerb;
  layout_boxes_add: BoxesVerb;

  sincos_grid_make(
    dim: number,
    axes: number,
    base: number,
    layout: number,
    axisOrder: number,
    frequencyDenominator: number,
    prefixRows: number,
  ): Pointer;
  sincos_grid_dispose(self: Pointer): void;
  sincos_grid_table(self: Pointer, grid: GridScalars, ...out: FloatScalars): Status;
  sincos_grid_add(self: Pointer, grid: GridScalars, ...x: FloatScalars): Status;
  sincos_grid_table_at(self: Pointer, ...rest: [...ListScalars, ...FloatScalars]): Status;
  sincos_grid_add_at(self: Pointer, ...rest: [...ListScalars, ...FloatScalars]): Status;

  detr_sine_make(
    numPosFeats: number,
    temperature: number,
    normalize: boolean,
    scale: number,
    eps: number,
    centered: boolean,
    order: number,
  ): Pointer;
  detr_sine_dispose(self: Pointer): void;
  detr_sine_table(self: Pointer, ...rest: [...MaskScalars, ...FloatScalars]): Status;
  detr_sine_add(self: Pointer, ...rest: [...MaskScalars, ...FloatScalars]): Status;

  interpolate_make(options: {
    fromHeight: number;
    fromWidth: number;
    toHeight: number;
    toWidth: number;
    dim: number;
    mode: number;
    antialias: boolean;
    alignCorners: boolean;
    sizeOffset: number;
    spacing: number;
    prefixRows: number;
    suffixRows: number;
  }): Pointer;
  interpolate_dispose(self: Pointer): void;
  interpolate_workspace_size(self: Pointer): number;
  interpolate_apply(
    self: Pointer,
    ...rest: [...table: FloatScalars, ...workspace: ListScalars, ...out: FloatScalars]
  ): Status;

  roberta_positions(
    ...rest: [
      ...ids: ListScalars,
      batch: number,
      paddingId: number,
      pastLength: number,
      out: Pointer,
    ]
  ): Status;
  opt_positions(
    ...rest: [
      ...mask: ListScalars,
      batch: number,
      pastLength: number,
      offset: number,
      ...out: ListScalars,
    ]
  ): Status;
  left_padding_positions(
    ...rest: [...mask: ListScalars, batch: number, maskedValue: number, out: Pointer]
  ): Status;
  next_positions(...rest: [...mask: ListScalars, ...out: ListScalars]): Status;
}
