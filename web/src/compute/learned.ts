import type { Posenc } from "posenc";
import type { LearnedSettings } from "../settings/learned";
import type { Result } from "../types";
import { tableResult } from "./additive";
import type { Job } from "./job";
import { trainedRows } from "./random";

export function learned(
  posenc: Posenc,
  job: Job,
  view: string,
  settings: LearnedSettings,
): Promise<Result> {
  const { rows, dim, rowOffset, seed } = settings;
  return tableResult(posenc, job, view, settings, () =>
    posenc.learned({ rows: trainedRows(rows, dim, seed), dim, rowOffset }),
  );
}
