import type { Fire, PosencAll } from "posenc";
import type { FireSettings } from "../settings/fire";
import type { Curve, Result } from "../types";
import { headLines, headOf } from "./bias";
import type { Job } from "./job";
import {
  requireAttentionLength,
  requireCells,
  requireCurveValues,
  requireHead,
  requireShown,
} from "./limits";
import { randomLayers } from "./random";
import { termPicture } from "./scores";

export async function fire(
  posenc: PosencAll,
  job: Job,
  view: string,
  settings: FireSettings,
): Promise<Result> {
  const { heads, hidden, head, c, threshold, seed, causal, offset, length } = settings;
  requireShown(settings);
  if (view === "attention") requireAttentionLength(length);
  const layers = randomLayers([1, hidden, heads], seed);
  const encoding = posenc.fire({ heads, causal, c, threshold, layers });
  try {
    requireHead(head, heads);
    requireCells(length, length);
    const values = new Float32Array(length * length);
    await job.slices(length, (first, size) => {
      const queries = { offset: offset + first, length: size };
      const part = encoding.bias({ queries, keys: { offset, length } });
      values.set(headOf(part, head, size * length), first * length);
    });
    const quantity = `bias of head ${head}`;
    const term = { values, offset, length, causal, scale: "diverging", quantity } as const;
    const picture = await termPicture(posenc, job, view, term);
    return { picture, curve: await lastQuery(job, encoding, settings), facts: {} };
  } finally {
    encoding.dispose();
  }
}

/** The bias of the query that has curveLength - 1 keys before it, by how far back the key is. */
async function lastQuery(
  job: Job,
  encoding: Fire,
  { heads, head, curveLength }: FireSettings,
): Promise<Curve> {
  requireCurveValues(heads, curveLength);
  const values = new Float32Array(heads * curveLength);
  await job.slices(curveLength, (first, size) => {
    const part = encoding.bias({
      queries: { offset: curveLength - 1, length: 1 },
      keys: { offset: curveLength - first - size, length: size },
    });
    for (let h = 0; h < heads; h += 1) {
      values.set(headOf(part, h, size).reverse(), h * curveLength + first);
    }
  });
  return {
    title: `Bias of the query at position ${curveLength - 1}`,
    x: { label: "distance (tokens back)", first: 0, count: curveLength },
    quantity: "bias from the random network",
    lines: headLines(values, heads, head),
  };
}
