import type { PosencAll } from "posenc";
import type { EncodingId, Request, Result, Settings } from "../types";
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
import type { Job } from "./job";
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

type Compute<S> = (posenc: PosencAll, job: Job, view: string, settings: S) => Promise<Result>;

/** What computes each encoding; every one takes settings of its own kind. */
const COMPUTE: Readonly<Record<EncodingId, Compute<never>>> = {
  sinusoidal,
  sincos_grid: sincosGrid,
  detr_sine: detrSine,
  learned,
  hierarchical,
  multiscale,
  layout_boxes: layoutBoxes,
  rope,
  pope,
  alibi,
  kerple,
  fire,
  t5,
  dynamic_position_bias: dynamicPositionBias,
  swin,
  swin_cpb: swinCpb,
  shaw,
  deberta,
  transformer_xl: transformerXl,
  decomposed,
  cope,
  gated_position_bias: gatedPositionBias,
  forgetting_bias: forgettingBias,
  interpolate,
  nope,
};

/** A request's settings are those of its encoding: the page makes both from one description. */
export function evaluate(posenc: PosencAll, job: Job, request: Request): Promise<Result> {
  const compute = COMPUTE[request.encoding] as Compute<Settings>;
  return compute(posenc, job, request.view, request.settings);
}
