import type { PosencAll } from "posenc";
import type { DetrSineSettings } from "../settings/detr_sine";
import type { Result } from "../types";
import { gridSimilarity, gridTable, requireGrid, similarityCurve } from "./grids";
import type { Job } from "./job";
import { requireCell, requireImage } from "./limits";

export async function detrSine(
  posenc: PosencAll,
  job: Job,
  view: string,
  settings: DetrSineSettings,
): Promise<Result> {
  const { numPosFeats, temperature, normalize, centered, height, width } = settings;
  const { imageHeight, imageWidth, row, column } = settings;
  const grid = { ...settings, dim: 2 * numPosFeats };
  requireGrid(grid);
  requireImage(imageHeight, height, imageWidth, width);
  requireCell(row, imageHeight, column, imageWidth);
  const config = { numPosFeats, temperature, normalize, centered };
  const encoding = posenc.detrSine({ ...config, order: "channels_last" });
  try {
    const isImage = (y: number, x: number) => y < imageHeight && x < imageWidth;
    const mask = Uint8Array.from({ length: height * width }, (_, cell) =>
      Number(isImage(Math.floor(cell / width), cell % width)),
    );
    let table = new Float32Array();
    await job.slices(1, () => {
      table = encoding.table({ mask, height, width });
    });
    const alike = await gridSimilarity(job, table, grid, isImage);
    const picture = view === "table" ? gridTable(table, grid) : alike;
    return { picture, curve: similarityCurve(alike, row, imageWidth), facts: {} };
  } finally {
    encoding.dispose();
  }
}
