import type { AttentionGradients } from "./attention_backward.js";
import type { AttentionCall, Status, Values } from "./module.js";

/** What posenc/all's attention takes beside an AttentionCall; a Values may have a type. @internal */
export interface AttentionMore {
  window: number;
  softcap: number;
  keyMask: Values;
  queryCos: Values;
  querySin: Values;
  keyCos: Values;
  keySin: Values;
  rotaryDim: number;
  rotaryStart: number;
  rotaryLayout: number;
  relativeIndex: Values;
  relativeFirstDistance: number;
  rowCount: number;
  relativeKeys: Values;
  relativeQueries: Values;
  relativeValues: Values;
  positionBias: Values;
  contentBias: Values;
}

/** Where gradients go; those that are not wanted have address and count 0. @internal */
export type GradientBuffers = Record<keyof AttentionGradients, Values>;

/** What wasm/bindings declares in attention_more.cpp. @internal */
export interface AttentionModule {
  attention_more_workspace_size(call: AttentionCall, more: AttentionMore): number;
  attention_more(call: AttentionCall, more: AttentionMore): Status;
  attention_backward_workspace_size(call: AttentionCall, more: AttentionMore): number;
  attention_backward(call: AttentionCall, more: AttentionMore, to: GradientBuffers): Status;
  attention_scores(call: AttentionCall, more: AttentionMore): Status;
}
