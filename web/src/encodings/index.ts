import type { EncodingId } from "../types";
import { alibi } from "./alibi";
import { hierarchical } from "./hierarchical";
import { kerple } from "./kerple";
import { learned } from "./learned";
import { nope } from "./nope";
import { rope } from "./rope";
import { sincosGrid } from "./sincos_grid";
import { sinusoidal } from "./sinusoidal";
import { t5 } from "./t5";
import type { Encoding } from "./types";

/**
 * In the order of the rail. One more encoding is its id (types.ts), its settings (settings.ts), its
 * presets (presets.ts), its description here and its numbers in ../compute, under one name.
 */
export const ENCODINGS: readonly Encoding[] = [
  sinusoidal,
  sincosGrid,
  learned,
  hierarchical,
  rope,
  alibi,
  kerple,
  t5,
  nope,
];

export function encodingOf(id: EncodingId): Encoding {
  const found = ENCODINGS.find((encoding) => encoding.id === id);
  if (!found) throw new Error(`no encoding is called ${id}`);
  return found;
}
