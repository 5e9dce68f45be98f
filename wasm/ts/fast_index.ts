/** What the entries fast_web.ts and fast_node.ts export beside `load`. */
export type {
  AttentionMoreArgs,
  RelativeTerms,
  RotaryTables,
  ScoreTermsMore,
} from "./attention_more.js";
export * from "./common_index.js";
export type { FastLoadOptions, PosencFast } from "./fast.js";
export { ROPE_LAYOUTS, type RopeLayout } from "./rope_layout.js";
