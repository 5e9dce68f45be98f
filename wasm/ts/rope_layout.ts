/**
 * Which dims form pair i of the rotated part. Not told by a config.json: see the model's code; a
 * wrong layout gives wrong values silently.
 *
 * - `half`: (i, i + rotaryDim/2); GPT-NeoX, Llama as published for transformers, most checkpoints.
 * - `interleaved`: (2i, 2i + 1); RoFormer's paper, GPT-J, Llama as published by Meta.
 */
export const ROPE_LAYOUTS = ["half", "interleaved"] as const;
/** One of {@link ROPE_LAYOUTS}. */
export type RopeLayout = (typeof ROPE_LAYOUTS)[number];
