import type { PosencAll } from "posenc";
import type { DynamicPositionBiasSettings } from "../settings/dynamic_position_bias";
import type { Result } from "../types";
import { distanceCurve, headPicture } from "./bias";
import type { Job } from "./job";
import { requireHead, requireShown } from "./limits";
import { randomLayers } from "./random";

export async function dynamicPositionBias(
  posenc: PosencAll,
  job: Job,
  view: string,
  settings: DynamicPositionBiasSettings,
): Promise<Result> {
  const { heads, hidden, logInput, seed } = settings;
  requireShown(settings);
  const layers = randomLayers([1, hidden, hidden, heads], seed);
  const encoding = posenc.dynamicPositionBias({ heads, logDistance: logInput, layers });
  try {
    requireHead(settings.head, heads);
    const window = { ...settings, scale: "diverging" as const };
    const picture = await headPicture(posenc, job, encoding, view, window);
    const reach = { ...settings, past: false };
    const curve = await distanceCurve(job, encoding, reach, "bias from the random network");
    return { picture, curve, facts: {} };
  } finally {
    encoding.dispose();
  }
}
