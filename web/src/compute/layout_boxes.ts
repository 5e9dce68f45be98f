import type { PosencAll } from "posenc";
import { boxOf, type LayoutBoxesSettings } from "../settings/layout_boxes";
import type { Result } from "../types";
import { gridSimilarity, gridTable, requireGrid, similarityCurve } from "./grids";
import type { Job } from "./job";
import { seedOf, trainedRows } from "./random";

export async function layoutBoxes(
  posenc: PosencAll,
  job: Job,
  view: string,
  settings: LayoutBoxesSettings,
): Promise<Result> {
  const { dim, rows, positionRows, seed, height, width, row } = settings;
  requireGrid(settings);
  const table = (part: Parameters<typeof seedOf>[0], count: number) =>
    trainedRows(count, dim, seedOf(part, seed));
  const encoding = posenc.layoutBoxes({
    dim,
    xRows: table("table", rows),
    yRows: table("second table", rows),
    heightRows: table("third table", rows),
    widthRows: table("fourth table", rows),
    ...(positionRows > 0 && { positionRows: table("fifth table", positionRows) }),
  });
  try {
    const count = height * width;
    const boxes = new Int32Array(4 * count);
    for (let word = 0; word < count; word += 1) boxes.set(boxOf(word, settings), 4 * word);
    let values = new Float32Array();
    await job.slices(1, () => {
      values = encoding.table({ boxes, ...(positionRows > 0 && { positions: { length: count } }) });
    });
    const alike = await gridSimilarity(job, values, settings);
    const picture = view === "table" ? gridTable(values, settings) : alike;
    return { picture, curve: similarityCurve(alike, row, width), facts: {} };
  } finally {
    encoding.dispose();
  }
}
