import type { AllModule } from "./all_module.js";
import { Memory } from "./memory.js";
import { type PermutePairs, permutePairsOf } from "./permute_pairs.js";
import { coreOf, type Posenc } from "./posenc.js";
import { type RotaryPositionRules, rotaryPositionsOf } from "./rotary_positions.js";

/** The whole library, as `load()` of "posenc/all" gives it. */
export interface PosencAll extends Posenc {
  /** Conversion of query and key weights between pair layouts. */
  readonly permutePairs: PermutePairs;

  /** Positions of images, of prompts with images, and of ragged batches. */
  readonly rotaryPositions: RotaryPositionRules;
}

/** The API over a module. @internal */
export function posencAllOf(module: AllModule): PosencAll {
  const memory = new Memory(module);
  return Object.freeze<PosencAll>({
    ...coreOf(memory),
    permutePairs: permutePairsOf(memory),
    rotaryPositions: rotaryPositionsOf(memory),
  });
}
