import type { PosencAll } from "posenc";
import type { EncodingId, Request, Result, Settings } from "../types";
import { alibi } from "./alibi";
import { hierarchical } from "./hierarchical";
import type { Job } from "./job";
import { kerple } from "./kerple";
import { learned } from "./learned";
import { nope } from "./nope";
import { rope } from "./rope";
import { sincosGrid } from "./sincos_grid";
import { sinusoidal } from "./sinusoidal";
import { t5 } from "./t5";

type Compute<S> = (posenc: PosencAll, job: Job, view: string, settings: S) => Promise<Result>;

/** What computes each encoding; every one takes settings of its own kind. */
const COMPUTE: Readonly<Record<EncodingId, Compute<never>>> = {
  sinusoidal,
  sincos_grid: sincosGrid,
  learned,
  hierarchical,
  rope,
  alibi,
  kerple,
  t5,
  nope,
};

/** A request's settings are those of its encoding: the page makes both from one description. */
export function evaluate(posenc: PosencAll, job: Job, request: Request): Promise<Result> {
  const compute = COMPUTE[request.encoding] as Compute<Settings>;
  return compute(posenc, job, request.view, request.settings);
}
