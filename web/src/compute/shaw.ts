import type { PosencAll } from "posenc";
import type { ShawSettings } from "../settings/shaw";
import type { Picture, Result } from "../types";
import { queryKeyAxes } from "./attention";
import type { Job } from "./job";
import { requireAttentionLength } from "./limits";
import { randomTable, randomTokens, seedOf } from "./random";
import { rowCurve, rowOf, termPicture } from "./scores";

export async function shaw(
  posenc: PosencAll,
  job: Job,
  view: string,
  settings: ShawSettings,
): Promise<Result> {
  const { headDim, maxRelativePosition, causal, seed, length } = settings;
  requireAttentionLength(length);
  const rows = 2 * maxRelativePosition + 1;
  const keys = randomTable(rows * headDim, seedOf("table", seed), 1);
  const encoding = posenc.shaw({ headDim, maxRelativePosition, keys });
  try {
    const content = randomTokens(length, headDim, seed);
    const positions = { queries: { length }, keys: { length } };
    let values: Float32Array = new Float32Array();
    await job.slices(1, () => {
      values = encoding.scores(content.queries, positions);
    });
    const quantity = "added to the score";
    const term = {
      values,
      offset: 0,
      length,
      causal,
      content,
      scale: "diverging",
      quantity,
    } as const;
    const line = { label: "added term", values: rowOf(values, term), main: true };
    const index: Picture = {
      ...queryKeyAxes(0, length),
      values: Float32Array.from(encoding.index(positions)),
      scale: "sequential",
      quantity: "row of the table",
    };
    const picture = view === "rows" ? index : await termPicture(posenc, job, view, term);
    return { picture, curve: rowCurve(term, quantity, [line]), facts: {} };
  } finally {
    encoding.dispose();
  }
}
