import type { Alibi, Posenc } from "posenc";
import type { AlibiSettings } from "../settings/alibi";
import type { Picture, Result } from "../types";
import { headPicture, tokensBack, tokensBackCurve } from "./bias";
import type { Job } from "./job";
import { requireCells, requireHead, requireShown } from "./limits";

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
    const curve = await tokensBackCurve(job, encoding, settings);
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
