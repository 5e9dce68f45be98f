import type { PosencAll } from "posenc";
import type { ForgettingBiasSettings } from "../settings/forgetting_bias";
import type { Result } from "../types";
import { headLines, headOf } from "./bias";
import type { Job } from "./job";
import { requireAttentionLength, requireHead } from "./limits";
import { randomTable } from "./random";
import { rowCurve, rowOf, termPicture } from "./scores";

export async function forgettingBias(
  posenc: PosencAll,
  job: Job,
  view: string,
  settings: ForgettingBiasSettings,
): Promise<Result> {
  const { heads, logScale, gate, spread, head, seed, length } = settings;
  requireAttentionLength(length);
  const encoding = posenc.forgettingBias({ heads, logScale });
  try {
    requireHead(head, heads);
    const logits = randomTable(heads * length, seed, spread).map((one) => gate + one);
    let all: Float32Array = new Float32Array();
    await job.slices(1, () => {
      all = encoding.bias(logits);
    });
    const size = length * length;
    const term = {
      values: headOf(all, head, size),
      offset: 0,
      length,
      causal: true,
      scale: "sequential",
      quantity: `bias of head ${head}`,
    } as const;
    const rows = new Float32Array(heads * length);
    for (let h = 0; h < heads; h += 1) rows.set(rowOf(headOf(all, h, size), term), h * length);
    return {
      picture: await termPicture(posenc, job, view, term),
      curve: rowCurve(term, "bias of the random gates", headLines(rows, heads, head)),
      facts: { gates: headOf(logits, head, length) },
    };
  } finally {
    encoding.dispose();
  }
}
