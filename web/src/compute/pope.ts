import type { Pope, PosencAll } from "posenc";
import type { PopeSettings } from "../settings/pope";
import type { Curve, Picture, Result } from "../types";
import { dot } from "./additive";
import { weights } from "./attention";
import type { Job } from "./job";
import { requireAttentionLength, requireCells, requireShown } from "./limits";
import { randomTable, seedOf } from "./random";

export async function pope(
  posenc: PosencAll,
  job: Job,
  view: string,
  settings: PopeSettings,
): Promise<Result> {
  const { headDim, base, phases, seed } = settings;
  requireShown(settings);
  // Between -2 pi and 0, where trained phases are clamped.
  const delta = randomTable(headDim, seedOf("table", seed), Math.PI).map((one) => one - Math.PI);
  const encoding = posenc.pope({ heads: 1, headDim, base, ...(phases === "random" && { delta }) });
  try {
    const picture = await (view === "attention"
      ? attention(posenc, job, encoding, settings)
      : table(job, encoding, view, settings));
    return { picture, curve: await scores(job, encoding, settings), facts: {} };
  } finally {
    encoding.dispose();
  }
}

/** Zeros, whose magnitude is ln 2 in every dim: only positions tell tokens apart. */
const zeros = (length: number, headDim: number) => new Float32Array(length * headDim);

async function table(
  job: Job,
  encoding: Pope,
  view: string,
  { headDim, offset, length }: PopeSettings,
): Promise<Picture> {
  requireCells(length, 2 * headDim);
  const values = new Float32Array(length * 2 * headDim);
  await job.slices(length, (first, size) => {
    const positions = { offset: offset + first, length: size };
    const x = zeros(size, headDim);
    const part =
      view === "keys" ? encoding.embedKeys(x, positions) : encoding.embedQueries(x, positions);
    values.set(part, first * 2 * headDim);
  });
  return {
    rows: { label: "position", first: offset, count: length },
    columns: { label: "dimension", first: 0, count: 2 * headDim },
    values,
    scale: "diverging",
    quantity: view === "keys" ? "embedded key" : "embedded query",
  };
}

async function attention(
  posenc: PosencAll,
  job: Job,
  encoding: Pope,
  { headDim, offset, length, causal }: PopeSettings,
): Promise<Picture> {
  requireAttentionLength(length);
  const x = zeros(length, headDim);
  const content = {
    queries: encoding.embedQueries(x, { offset, length }),
    keys: encoding.embedKeys(x, { offset, length }),
    headDim: 2 * headDim,
    scale: 1 / Math.sqrt(headDim),
  };
  return weights(posenc, job, { offset, length, causal, content });
}

/** The score of a key at position 0 and queries at positions 0 .. curveLength - 1, all of zeros. */
async function scores(
  job: Job,
  encoding: Pope,
  { headDim, curveLength }: PopeSettings,
): Promise<Curve> {
  const values = new Float32Array(curveLength);
  const key = encoding.embedKeys(zeros(1, headDim), { length: 1 });
  await job.slices(curveLength, (first, size) => {
    const queries = encoding.embedQueries(zeros(size, headDim), { offset: first, length: size });
    for (let i = 0; i < size; i += 1) {
      values[first + i] = dot(key, queries, 2 * headDim, 0, i) / Math.sqrt(headDim);
    }
  });
  return {
    title: "Score against distance",
    x: { label: "distance (tokens)", first: 0, count: curveLength },
    quantity: "score of a query and a key of zeros",
    lines: [{ label: "score", values, main: true }],
  };
}
