import type { PosencAll } from "posenc";
import type { SwinSettings } from "../settings/swin";
import type { Picture, Result } from "../types";
import type { Job } from "./job";
import { requireCells, requireHead, requireValues } from "./limits";
import { randomTable } from "./random";
import { alongTheRow, cellAxes, windowPicture } from "./windows";

export async function swin(
  posenc: PosencAll,
  job: Job,
  view: string,
  settings: SwinSettings,
): Promise<Result> {
  const { windowHeight, windowWidth, heads, head, row, column, seed } = settings;
  const cells = windowHeight * windowWidth;
  requireValues("windowHeight", "the bias", [heads, cells, cells]);
  const rows = (2 * windowHeight - 1) * (2 * windowWidth - 1);
  const table = randomTable(rows * heads, seed, 1);
  const encoding = posenc.swin({ windowHeight, windowWidth, heads, table });
  try {
    requireHead(head, heads);
    const window = { height: windowHeight, width: windowWidth };
    let values: Float32Array = new Float32Array();
    await job.slices(1, () => {
      values = encoding.bias();
    });
    const shown = { heads, head, row, column, queries: window, keys: window };
    const quantity = `bias of head ${head}`;
    const bias = { ...shown, values, quantity, scale: "diverging" } as const;
    const picture = windowPicture(view, bias);
    const curve = alongTheRow(bias);
    if (view !== "rows") return { picture, curve, facts: {} };
    requireCells(cells, cells);
    const index: Picture = {
      ...cellAxes(window, window),
      values: Float32Array.from(encoding.index()),
      scale: "sequential",
      quantity: "row of the table",
    };
    return { picture: index, curve, facts: {} };
  } finally {
    encoding.dispose();
  }
}
