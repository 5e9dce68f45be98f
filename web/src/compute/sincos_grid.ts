import type { PosencAll } from "posenc";
import type { SincosGridSettings } from "../settings/sincos_grid";
import type { Result } from "../types";
import { gridSimilarity, gridTable, requireGrid, similarityCurve } from "./grids";
import type { Job } from "./job";

export async function sincosGrid(
  posenc: PosencAll,
  job: Job,
  view: string,
  settings: SincosGridSettings,
): Promise<Result> {
  const { dim, base, layout, axisOrder, height, width, row } = settings;
  requireGrid(settings);
  const encoding = posenc.sincosGrid({ dim, base, layout, axisOrder });
  try {
    let table = new Float32Array();
    await job.slices(1, () => {
      table = encoding.table({ height, width });
    });
    const alike = await gridSimilarity(job, table, settings);
    const picture = view === "table" ? gridTable(table, settings) : alike;
    return { picture, curve: similarityCurve(alike, row, width), facts: {} };
  } finally {
    encoding.dispose();
  }
}
