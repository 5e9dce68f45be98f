import type { PosencAll } from "posenc";
import type { KerpleSettings } from "../settings/kerple";
import type { Result } from "../types";
import { headPicture, tokensBackCurve } from "./bias";
import type { Job } from "./job";
import { requireShown } from "./limits";

export async function kerple(
  posenc: PosencAll,
  job: Job,
  view: string,
  settings: KerpleSettings,
): Promise<Result> {
  const { kind, p, a, causal } = settings;
  requireShown(settings);
  const encoding = posenc.kerple({ heads: 1, kind, causal, p: [p], a: [a] });
  try {
    const window = { ...settings, heads: 1, head: 0, scale: "sequential" as const };
    const picture = await headPicture(posenc, job, encoding, view, window);
    return { picture, curve: await tokensBackCurve(job, encoding, window), facts: {} };
  } finally {
    encoding.dispose();
  }
}
