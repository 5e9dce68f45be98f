import type { Kerple, PosencAll } from "posenc";
import type { KerpleSettings } from "../settings/kerple";
import type { Curve, Result } from "../types";
import { headLines, headPicture, tokensBack } from "./bias";
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
    return { picture, curve: await penalties(job, encoding, settings), facts: {} };
  } finally {
    encoding.dispose();
  }
}

async function penalties(
  job: Job,
  encoding: Kerple,
  { curveLength }: KerpleSettings,
): Promise<Curve> {
  let values: Float32Array = new Float32Array();
  await job.slices(1, () => {
    values = tokensBack(encoding, 1, curveLength);
  });
  return {
    title: "Bias against distance",
    x: { label: "distance (tokens back)", first: 0, count: curveLength },
    quantity: "bias added to the score",
    lines: headLines(values, 1, 0),
  };
}
