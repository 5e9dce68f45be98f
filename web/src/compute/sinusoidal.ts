import type { Posenc } from "posenc";
import type { SinusoidalSettings } from "../settings";
import type { Result } from "../types";
import { tableAttention, tableCurve, tablePicture } from "./additive";
import type { Job } from "./job";
import { requireCurveLength, requireLength } from "./limits";

export async function sinusoidal(
  posenc: Posenc,
  job: Job,
  view: string,
  settings: SinusoidalSettings,
): Promise<Result> {
  const { dim, base, layout, oddWidth, denominator, offset, length, curveLength } = settings;
  requireLength(length);
  requireCurveLength(curveLength);
  const frequencyDenominator = denominator === "dim" ? 0 : dim - 2;
  const encoding = posenc.sinusoidal({ dim, base, layout, oddWidth, frequencyDenominator });
  try {
    const picture = await (view === "attention"
      ? tableAttention(posenc, job, encoding, settings)
      : tablePicture(job, encoding, settings));
    const curve = await tableCurve(job, encoding, { dim, offset, length: curveLength });
    return { picture, curve, facts: {} };
  } finally {
    encoding.dispose();
  }
}
