/** What the entries all_web.ts and all_node.ts export beside `load`. */
export type { PosencAll } from "./all.js";
export * from "./index.js";
export type { PermutePairs, PermutePairsArgs } from "./permute_pairs.js";
export {
  GRID_COORDINATES,
  GRID_EXTENTS,
  type GridCoordinates,
  type GridExtent,
  type GridPositionsArgs,
  type MropePositionsArgs,
  type RotaryPositionRules,
} from "./rotary_positions.js";
