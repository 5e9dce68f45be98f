import type { PosencAll, TransformerXl } from "posenc";
import type { TransformerXlSettings } from "../settings/transformer_xl";
import type { Result } from "../types";
import type { Job } from "./job";
import { requireAttentionLength, requireMemory } from "./limits";
import { randomTable, randomTokens, seedOf } from "./random";
import { rowCurve, rowOf, termPicture } from "./scores";

export async function transformerXl(
  posenc: PosencAll,
  job: Job,
  view: string,
  settings: TransformerXlSettings,
): Promise<Result> {
  const { dModel, headDim, variant, clampLen, memory, seed, length } = settings;
  requireAttentionLength(length);
  requireMemory(memory);
  const encoding = posenc.transformerXl({
    heads: 1,
    headDim,
    dModel,
    clampLen,
    contentBias: randomTable(headDim, seedOf("second table", seed), 1),
    positionBias: randomTable(headDim, seedOf("third table", seed), 1),
  });
  try {
    const content = randomTokens(length, headDim, seed, memory);
    const keys = memory + length;
    const first = variant === "xlnet" ? keys : keys - 1;
    const rows = await projected(job, encoding, settings, first);
    const positions = { queries: { offset: memory, length }, keys: { length: keys } };
    const values: Float32Array = encoding.scores(content.queries, content.keys, rows, {
      ...positions,
      firstDistance: first,
    });
    const term = {
      values,
      offset: memory,
      length,
      memory,
      causal: variant === "transformer-xl",
      content,
      scale: "diverging",
      quantity: "added to the score",
    } as const;
    const line = { label: "added term", values: rowOf(values, term), main: true };
    const picture = await termPicture(posenc, job, view, term);
    return { picture, curve: rowCurve(term, term.quantity, [line]), facts: {} };
  } finally {
    encoding.dispose();
  }
}

/** The rows of the distances first, first - 1, ... as far as the variant goes. */
async function projected(
  job: Job,
  encoding: TransformerXl,
  { dModel, headDim, variant, length, seed }: TransformerXlSettings,
  first: number,
): Promise<Float32Array> {
  const last = variant === "xlnet" ? 1 - length : 0;
  const size = 1 / Math.sqrt(dModel);
  const weight = randomTable(dModel * headDim, seedOf("table", seed), size);
  const count = first - last + 1;
  const out = new Float32Array(count * headDim);
  await job.slices(count, (at, slice) => {
    const part: Float32Array = encoding.project(encoding.rows(first - at, slice), weight);
    out.set(part, at * headDim);
  });
  return out;
}
