import type { PosencAll } from "posenc";
import type { HierarchicalSettings } from "../settings/hierarchical";
import type { Result } from "../types";
import { tableResult } from "./additive";
import type { Job } from "./job";
import { trainedRows } from "./random";

export function hierarchical(
  posenc: PosencAll,
  job: Job,
  view: string,
  settings: HierarchicalSettings,
): Promise<Result> {
  const { rows, dim, alpha, seed } = settings;
  return tableResult(posenc, job, view, settings, () =>
    posenc.hierarchical({ rows: trainedRows(rows, dim, seed), dim, alpha }),
  );
}
