import type { Alibi, Posenc } from "posenc";
import type { AlibiSettings } from "../settings/alibi";
import type { Curve, Picture, Result } from "../types";
import { headLines, headPicture, tokensBack } from "./bias";
import type { Job } from "./job";
import { requireCells, requireCurveValues, requireHead, requireShown } from "./limits";

export async function alibi(
  posenc: Posenc,
  job: Job,
  view: string,
  settings: AlibiSettings,
): Promise<Result> {
  const { heads, slopes, form, head } = settings;
  requireShown(settings);
  const encoding = posenc.alibi({ heads, slopes, form });
  try {
    requireHead(head, heads);
    const window = { ...settings, causal: form === "causal", scale: "sequential" as const };
    const picture =
      view === "heads"
        ? allHeads(encoding, settings)
        : await headPicture(posenc, job, encoding, view, window);
    const curve = await penalties(job, encoding, settings);
    return { picture, curve, facts: { slopes: encoding.slopes() } };
  } finally {
    encoding.dispose();
  }
}

/** The bias of every head by how far back the key is. */
function allHeads(encoding: Alibi, { heads, length }: AlibiSettings): Picture {
  requireCells(heads, length);
  return {
    rows: { label: "head", first: 0, count: heads },
    columns: { label: "distance (tokens back)", first: 0, count: length },
    values: tokensBack(encoding, heads, length),
    scale: "sequential",
    quantity: "bias",
  };
}

async function penalties(
  job: Job,
  encoding: Alibi,
  { heads, head, curveLength }: AlibiSettings,
): Promise<Curve> {
  requireCurveValues(heads, curveLength);
  let values: Float32Array = new Float32Array();
  await job.slices(1, () => {
    values = tokensBack(encoding, heads, curveLength);
  });
  return {
    title: "Bias against distance",
    x: { label: "distance (tokens back)", first: 0, count: curveLength },
    quantity: "bias added to the score",
    lines: headLines(values, heads, head),
  };
}
