import type { Deberta, PosencAll } from "posenc";
import type { DebertaSettings } from "../settings/deberta";
import type { Curve, Picture, Result } from "../types";
import { queryKeyAxes } from "./attention";
import { distanceAxis } from "./bias";
import type { Job } from "./job";
import { requireAttentionLength } from "./limits";
import { randomTable, randomTokens, seedOf } from "./random";
import { rowCurve, rowOf, termPicture } from "./scores";

export async function deberta(
  posenc: PosencAll,
  job: Job,
  view: string,
  settings: DebertaSettings,
): Promise<Result> {
  const { headDim, terms, positionBuckets, maxRelativePositions, seed, length } = settings;
  requireAttentionLength(length);
  const span = positionBuckets || maxRelativePositions;
  const encoding = posenc.deberta({
    heads: 1,
    headDim,
    c2p: terms !== "p2c",
    p2c: terms !== "c2p",
    positionBuckets,
    maxRelativePositions,
    relEmbeddings: randomTable(2 * span * headDim, seedOf("table", seed), 1),
  });
  try {
    const facts = { attSpan: encoding.config.attSpan };
    if (view === "buckets") {
      const curve = bucketCurve(encoding, settings);
      return { picture: bucketPicture(encoding, length), curve, facts };
    }
    const content = { ...randomTokens(length, headDim, seed), scale: encoding.scale };
    const values = new Float32Array(length * length);
    await job.slices(length, (first, size) => {
      const queries = content.queries.subarray(first * headDim, (first + size) * headDim);
      const positions = { queries: { offset: first, length: size }, keys: { length } };
      const part: Float32Array = encoding.scores(queries, content.keys, positions);
      values.set(part, first * length);
    });
    const term = {
      values,
      offset: 0,
      length,
      causal: false,
      content,
      scale: "diverging",
      quantity: "added to the score",
    } as const;
    const line = { label: "added term", values: rowOf(values, term), main: true };
    return {
      picture: await termPicture(posenc, job, view, term),
      curve: rowCurve(term, term.quantity, [line]),
      facts,
    };
  } finally {
    encoding.dispose();
  }
}

function bucketPicture(encoding: Deberta, length: number): Picture {
  const buckets = encoding.relativePositions({ queries: { length }, keys: { length } });
  return {
    ...queryKeyAxes(0, length),
    values: Float32Array.from(buckets),
    scale: "diverging",
    quantity: "bucket",
  };
}

/** The buckets of one query and its keys up to twice the largest distance on both sides. */
function bucketCurve(encoding: Deberta, { maxRelativePositions }: DebertaSettings): Curve {
  const reach = Math.min(2 * maxRelativePositions, 4096);
  const x = distanceAxis(reach, false);
  const buckets = encoding.relativePositions({
    queries: { offset: reach - 1, length: 1 },
    keys: { length: x.count },
  });
  const lines = [{ label: "bucket", values: Float32Array.from(buckets), main: true }];
  return { title: "Bucket against distance", x, quantity: "bucket, before it is clipped", lines };
}
