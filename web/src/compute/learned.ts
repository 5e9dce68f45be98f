import type { Learned, Posenc } from "posenc";
import type { LearnedSettings } from "../settings";
import type { Result } from "../types";
import { tableAttention, tableCurve, tablePicture } from "./additive";
import type { Job } from "./job";
import { MAX_TABLE_VALUES, PageError, requireCurveLength, requireLength } from "./limits";
import { randomTable } from "./random";

/** The largest value of the random table that stands for a trained one. */
const TABLE_SIZE = 0.02;

export async function learned(
  posenc: Posenc,
  job: Job,
  view: string,
  settings: LearnedSettings,
): Promise<Result> {
  const { rows, dim, rowOffset, seed, offset, length, curveLength } = settings;
  requireLength(length);
  requireCurveLength(curveLength);
  requireTable(rows, dim);
  const encoding = posenc.learned({
    rows: randomTable(rows * dim, seed, TABLE_SIZE),
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

function requireTable(rows: number, dim: number): void {
  for (const [field, value] of [
    ["rows", rows],
    ["dim", dim],
  ] as const) {
    if (Number.isInteger(value) && value >= 1 && rows * dim <= MAX_TABLE_VALUES) continue;
    throw new PageError(
      field,
      `page: rows and dim must be whole numbers from 1 with at most ` +
        `${MAX_TABLE_VALUES.toLocaleString("en-US")} values in the table, got ${rows} x ${dim}`,
    );
  }
}

/** The library's own words about the first position without a row. */
function pastTheEnd(encoding: Learned): string {
  try {
    encoding.table({ offset: encoding.maxPositions, length: 1 });
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  return "";
}
