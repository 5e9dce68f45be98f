import type { Posenc } from "posenc";
import type { LearnedSettings } from "../settings";
import type { Result } from "../types";
import { type TableSource, tableAttention, tableCurve, tablePicture } from "./additive";
import type { Job } from "./job";
import { requireCurveLength, requireLength } from "./limits";
import { trainedRows } from "./random";

export async function learned(
  posenc: Posenc,
  job: Job,
  view: string,
  settings: LearnedSettings,
): Promise<Result> {
  const { rows, dim, rowOffset, seed, offset, length, curveLength } = settings;
  requireLength(length);
  requireCurveLength(curveLength);
  const encoding = posenc.learned({
    rows: trainedRows(rows, dim, seed),
    dim,
    rowOffset,
  });
  try {
    const picture = await (view === "attention"
      ? tableAttention(posenc, job, encoding, settings)
      : tablePicture(job, encoding, settings));
    const reach = Math.max(1, Math.min(curveLength, encoding.maxPositions - offset));
    const curve = await tableCurve(job, encoding, { dim, offset, length: reach });
    const facts = { maxPositions: encoding.maxPositions, pastTheEnd: pastTheEnd(encoding) };
    return { picture, curve, facts };
  } finally {
    encoding.dispose();
  }
}

/** The library's own words about the first position without a row. */
export function pastTheEnd(encoding: TableSource & { readonly maxPositions: number }): string {
  try {
    encoding.table({ offset: encoding.maxPositions, length: 1 });
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  return "";
}
