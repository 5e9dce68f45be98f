import type { Posenc, Rope, RopeScaling } from "posenc";
import type { RopeSettings } from "../settings/rope";
import type { Curve, Picture, Result } from "../types";
import { weights } from "./attention";
import type { Job } from "./job";
import { requireAttentionLength, requireCells, requireShown } from "./limits";

export async function rope(
  posenc: Posenc,
  job: Job,
  view: string,
  settings: RopeSettings,
): Promise<Result> {
  const { headDim, rotaryDim, base, layout, sequenceLength } = settings;
  requireShown(settings);
  const plain = { headDim, rotaryDim, base, layout };
  const scaling = scalingOf(settings);
  const tokens = scaling.type === "dynamic_ntk" ? sequenceLength : 0;
  const encoding = posenc.rope({ ...plain, scaling, length: tokens });
  const unscaled = posenc.rope(plain);
  try {
    const frequencies = encoding.invFreq();
    const unscaledFrequencies = unscaled.invFreq();
    const { attentionFactor } = encoding;
    const picture = await (view === "attention"
      ? attention(posenc, job, encoding, settings)
      : angles(job, encoding, frequencies.length, view === "sine" ? "sin" : "cos", settings));
    const curve = await scores(job, encoding, frequencies.length, settings);
    return { picture, curve, facts: { frequencies, unscaledFrequencies, attentionFactor } };
  } finally {
    encoding.dispose();
    unscaled.dispose();
  }
}

function scalingOf({ scaling: type, factor, originalLength }: RopeSettings): RopeScaling {
  switch (type) {
    case "none":
      return { type };
    case "linear":
    case "static_ntk":
      return { type, factor };
    case "dynamic_ntk":
      return { type, factor, maxPositionEmbeddings: originalLength };
    case "yarn":
    case "llama3":
      return { type, factor, originalMaxPositionEmbeddings: originalLength };
  }
}

async function angles(
  job: Job,
  encoding: Rope,
  pairs: number,
  part: "cos" | "sin",
  { offset, length }: RopeSettings,
): Promise<Picture> {
  requireCells(length, pairs);
  const values = new Float32Array(length * pairs);
  await job.slices(length, (first, size) => {
    values.set(encoding.angles({ offset: offset + first, length: size })[part], first * pairs);
  });
  return {
    rows: { label: "position", first: offset, count: length },
    columns: { label: "pair", first: 0, count: pairs },
    values,
    scale: "diverging",
    quantity: part === "cos" ? "cosine of the angle" : "sine of the angle",
  };
}

/** Queries and keys are all ones before they are rotated: only positions tell tokens apart. */
async function attention(
  posenc: Posenc,
  job: Job,
  encoding: Rope,
  { headDim, offset, length, causal }: RopeSettings,
): Promise<Picture> {
  requireAttentionLength(length);
  const rows = new Float32Array(length * headDim).fill(1);
  encoding.apply(rows, { heads: 1, offset });
  const content = { queries: rows, keys: rows, headDim };
  return weights(posenc, job, { offset, length, causal, content });
}

/**
 * q . R(distance) k / head_dim with q and k all ones: every rotated pair gives 2 cos(distance *
 * frequency), times the attention factor of q and that of k; every dim that is not rotated gives 1.
 */
async function scores(
  job: Job,
  encoding: Rope,
  pairs: number,
  { headDim, curveLength }: RopeSettings,
): Promise<Curve> {
  const values = new Float32Array(curveLength);
  await job.slices(curveLength, (first, size) => {
    const { cos } = encoding.angles({ offset: first, length: size });
    for (let i = 0; i < size; i += 1) {
      let sum = 0;
      for (let pair = 0; pair < pairs; pair += 1) sum += cos[i * pairs + pair] ?? 0;
      // The cosines carry the factor of one of the two.
      const turned = 2 * sum * encoding.attentionFactor;
      values[first + i] = (turned + headDim - 2 * pairs) / headDim;
    }
  });
  return {
    title: "Score against distance",
    x: { label: "distance (tokens)", first: 0, count: curveLength },
    quantity: "q \u00b7 R(distance) k / head_dim, q = k = (1, \u2026, 1)",
    lines: [{ label: "mean score", values, main: true }],
  };
}
