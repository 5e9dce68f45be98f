import type { Posenc } from "posenc";
import type { NopeSettings } from "../settings/nope";
import type { Result } from "../types";
import { weights } from "./attention";
import type { Job } from "./job";
import { requireAttentionLength, requireCurveLength } from "./limits";

/** No position encoding: attention with nothing added, which the curve shows as a line of zeros. */
export async function nope(
  posenc: Posenc,
  job: Job,
  _view: string,
  { offset, length, curveLength, causal }: NopeSettings,
): Promise<Result> {
  requireAttentionLength(length);
  requireCurveLength(curveLength);
  const picture = await weights(posenc, job, { offset, length, causal });
  const line = { label: "nothing", values: new Float32Array(curveLength), main: true };
  return {
    picture,
    curve: {
      title: "Score against distance",
      x: { label: "distance (tokens)", first: 0, count: curveLength },
      quantity: "added to the score",
      lines: [line],
    },
    facts: {},
  };
}
