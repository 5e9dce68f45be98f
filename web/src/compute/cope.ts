import type { PosencAll } from "posenc";
import type { CopeSettings } from "../settings/cope";
import type { Curve, Result } from "../types";
import type { Job } from "./job";
import { requireAttentionLength } from "./limits";
import { randomTable, randomTokens, seedOf } from "./random";
import { queryOf, rowCurve, rowOf, type Term, termPicture } from "./scores";

export async function cope(
  posenc: PosencAll,
  job: Job,
  view: string,
  settings: CopeSettings,
): Promise<Result> {
  const { headDim, maxPos, causal, seed, length } = settings;
  requireAttentionLength(length);
  // Products with queries of variance 1 have variance 1 as well.
  const size = Math.sqrt(3 / headDim);
  const table = randomTable(maxPos * headDim, seedOf("table", seed), size);
  const encoding = posenc.cope({ headDim, maxPos, causal, table });
  try {
    const content = randomTokens(length, headDim, seed);
    const args = { queries: { length }, keys: { length } };
    let positions: Float32Array = new Float32Array();
    let bias: Float32Array = new Float32Array();
    await job.slices(1, () => {
      const shape = { queryCount: length, keyCount: length, headDim };
      const logits = posenc.attentionScores(content.queries, content.keys, shape);
      positions = encoding.positions(logits, args);
      bias = encoding.scores(content.queries, logits, args);
    });
    const window = { offset: 0, length, causal };
    const counted: Term = {
      ...window,
      values: positions,
      scale: "sequential",
      quantity: "position",
    };
    const quantity = "added to the score";
    const added: Term = { ...window, values: bias, content, scale: "diverging", quantity };
    const picture = await termPicture(posenc, job, view, view === "positions" ? counted : added);
    return { picture, curve: countCurve(counted), facts: {} };
  } finally {
    encoding.dispose();
  }
}

/** What one query counts from each key to the last that it sees, beside a count of all of them. */
function countCurve(counted: Term): Curve {
  const values = rowOf(counted.values, counted);
  const all = values.map((_, key) => values.length - key);
  const quantity = `position of the keys of query ${queryOf(counted)}`;
  return rowCurve(counted, quantity, [
    { label: "counted", values, main: true },
    { label: "all keys", values: all, main: false },
  ]);
}
