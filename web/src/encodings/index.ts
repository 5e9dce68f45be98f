import type { EncodingId } from "../types";
import { alibi } from "./alibi";
import { cope } from "./cope";
import { deberta } from "./deberta";
import { decomposed } from "./decomposed";
import { detrSine } from "./detr_sine";
import { dynamicPositionBias } from "./dynamic_position_bias";
import { fire } from "./fire";
import { forgettingBias } from "./forgetting_bias";
import { gatedPositionBias } from "./gated_position_bias";
import { hierarchical } from "./hierarchical";
import { interpolate } from "./interpolate";
import { kerple } from "./kerple";
import { layoutBoxes } from "./layout_boxes";
import { learned } from "./learned";
import { multiscale } from "./multiscale";
import { nope } from "./nope";
import { pope } from "./pope";
import { rope } from "./rope";
import { shaw } from "./shaw";
import { sincosGrid } from "./sincos_grid";
import { sinusoidal } from "./sinusoidal";
import { swin } from "./swin";
import { swinCpb } from "./swin_cpb";
import { t5 } from "./t5";
import { transformerXl } from "./transformer_xl";
import type { Encoding } from "./types";

/**
 * In the order of the rail. One more encoding is its id (types.ts), its settings and presets in
 * ../settings, its description here and its numbers in ../compute, under one name.
 */
export const ENCODINGS: readonly Encoding[] = [
  sinusoidal,
  sincosGrid,
  detrSine,
  learned,
  hierarchical,
  multiscale,
  layoutBoxes,
  rope,
  pope,
  alibi,
  kerple,
  fire,
  t5,
  dynamicPositionBias,
  swin,
  swinCpb,
  shaw,
  deberta,
  transformerXl,
  decomposed,
  cope,
  gatedPositionBias,
  forgettingBias,
  interpolate,
  nope,
];

export function encodingOf(id: EncodingId): Encoding {
  const found = ENCODINGS.find((encoding) => encoding.id === id);
  if (!found) throw new Error(`no encoding is called ${id}`);
  return found;
}
