import type { Posenc } from "posenc";
import type { SinusoidalSettings } from "../settings/sinusoidal";
import type { Result } from "../types";
import { tableResult } from "./additive";
import type { Job } from "./job";

export function sinusoidal(
  posenc: Posenc,
  job: Job,
  view: string,
  settings: SinusoidalSettings,
): Promise<Result> {
  const { dim, base, layout, oddWidth, denominator } = settings;
  const frequencyDenominator = denominator === "dim" ? 0 : dim - 2;
  return tableResult(posenc, job, view, settings, () =>
    posenc.sinusoidal({ dim, base, layout, oddWidth, frequencyDenominator }),
  );
}
