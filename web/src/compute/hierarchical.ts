import type { PosencAll } from "posenc";
import type { HierarchicalSettings } from "../settings";
import type { Result } from "../types";
import { tableAttention, tableCurve, tablePicture } from "./additive";
import type { Job } from "./job";
import { pastTheEnd } from "./learned";
import { requireCurveLength, requireLength } from "./limits";
import { trainedRows } from "./random";

export async function hierarchical(
  posenc: PosencAll,
  job: Job,
  view: string,
  settings: HierarchicalSettings,
): Promise<Result> {
  const { rows, dim, alpha, seed, offset, length, curveLength } = settings;
  requireLength(length);
  requireCurveLength(curveLength);
  const encoding = posenc.hierarchical({ rows: trainedRows(rows, dim, seed), dim, alpha });
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
