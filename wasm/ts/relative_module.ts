import type { FloatScalars, Pointer, PositionScalars, Status } from "./module.js";

/** Positions of queries and of keys. @internal */
export type ScorePositionScalars = [...queries: PositionScalars, ...keys: PositionScalars];
/** Whole numbers of 32 bits: address and count. @internal */
export type IntScalars = [address: Pointer, count: number];

/** A whole number for every query and key. @internal */
export type Rows = (
  self: Pointer,
  ...rest: [...ScorePositionScalars, ...out: IntScalars]
) => Status;
/** `pope_embed_queries` and `pope_embed_keys`. @internal */
export type Embed = (
  self: Pointer,
  ...rest: [...x: FloatScalars, ...PositionScalars, ...out: FloatScalars]
) => Status;

/**
 * What wasm/bindings declares in relative.cpp, transformer_xl.cpp and contextual.cpp.
 * @internal
 */
export interface RelativeModule {
  shaw_make(
    headDim: number,
    maxRelativePosition: number,
    valueDim: number,
    ...tables: [...keys: FloatScalars, ...values: FloatScalars]
  ): Pointer;
  shaw_dispose(self: Pointer): void;
  shaw_index: Rows;
  shaw_scores(
    self: Pointer,
    ...rest: [...q: FloatScalars, ...ScorePositionScalars, scale: number, ...out: FloatScalars]
  ): Status;
  shaw_add_values(
    self: Pointer,
    ...rest: [...probabilities: FloatScalars, ...ScorePositionScalars, ...out: FloatScalars]
  ): Status;

  deberta_make(
    heads: number,
    headDim: number,
    c2p: boolean,
    p2c: boolean,
    positionBuckets: number,
    maxRelativePositions: number,
    attSpan: number,
    normEps: number,
    ...tables: [
      ...relEmbeddings: FloatScalars,
      ...normWeight: FloatScalars,
      ...normBias: FloatScalars,
      ...keyWeight: FloatScalars,
      ...keyBias: FloatScalars,
      ...queryWeight: FloatScalars,
      ...queryBias: FloatScalars,
    ]
  ): Pointer;
  deberta_dispose(self: Pointer): void;
  deberta_att_span(self: Pointer): number;
  deberta_scale(self: Pointer): number;
  deberta_bucket(self: Pointer, distance: number): number;
  deberta_relative_positions: Rows;
  deberta_scores(
    self: Pointer,
    ...rest: [...q: FloatScalars, ...k: FloatScalars, ...ScorePositionScalars, ...out: FloatScalars]
  ): Status;

  transformer_xl_make(
    heads: number,
    headDim: number,
    dModel: number,
    base: number,
    clampLen: number,
    ...tables: [
      ...contentBias: FloatScalars,
      ...positionBias: FloatScalars,
      ...segmentBias: FloatScalars,
      ...segmentEmbedding: FloatScalars,
    ]
  ): Pointer;
  transformer_xl_dispose(self: Pointer): void;
  transformer_xl_rows(self: Pointer, first: number, ...out: FloatScalars): Status;
  transformer_xl_project(
    self: Pointer,
    ...rest: [...rows: FloatScalars, ...weight: FloatScalars, ...out: FloatScalars]
  ): Status;
  transformer_xl_workspace_size(self: Pointer, rows: number): number;
  transformer_xl_scores(
    self: Pointer,
    ...rest: [
      ...q: FloatScalars,
      ...k: FloatScalars,
      ...r: FloatScalars,
      firstDistance: number,
      ...ScorePositionScalars,
      scale: number,
      workspace: Pointer,
      workspaceFloats: number,
      ...out: FloatScalars,
    ]
  ): Status;
  transformer_xl_add_segments(
    self: Pointer,
    ...rest: [
      ...q: FloatScalars,
      ...querySegments: IntScalars,
      ...keySegments: IntScalars,
      scale: number,
      ...out: FloatScalars,
    ]
  ): Status;
  relative_shift(
    ...rest: [...x: FloatScalars, queries: number, keys: number, ...out: FloatScalars]
  ): Status;

  cope_make(headDim: number, maxPos: number, causal: boolean, ...table: FloatScalars): Pointer;
  cope_dispose(self: Pointer): void;
  cope_positions(
    self: Pointer,
    ...rest: [...logits: FloatScalars, ...ScorePositionScalars, ...out: FloatScalars]
  ): Status;
  cope_scores(
    self: Pointer,
    ...rest: [
      ...q: FloatScalars,
      ...logits: FloatScalars,
      ...ScorePositionScalars,
      ...out: FloatScalars,
    ]
  ): Status;

  decomposed_make(
    queryHeight: number,
    queryWidth: number,
    keyHeight: number,
    keyWidth: number,
    headDim: number,
    ...tables: [...tableH: FloatScalars, ...tableW: FloatScalars]
  ): Pointer;
  decomposed_dispose(self: Pointer): void;
  decomposed_scores(self: Pointer, ...rest: [...q: FloatScalars, ...out: FloatScalars]): Status;

  pope_make(heads: number, headDim: number, base: number, ...delta: FloatScalars): Pointer;
  pope_dispose(self: Pointer): void;
  pope_embed_queries: Embed;
  pope_embed_keys: Embed;
}
