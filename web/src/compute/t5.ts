import type { Posenc, T5 } from "posenc";
import type { T5Settings } from "../settings";
import type { Curve, Picture, Result } from "../types";
import { weights } from "./attention";
import { headLines, headOf, matrixOf, queryKeyAxes } from "./bias";
import type { Job } from "./job";
import {
  requireAttentionLength,
  requireCells,
  requireCurveLength,
  requireCurveValues,
  requireHead,
  requireLength,
} from "./limits";
import { randomTable } from "./random";

export async function t5(
  posenc: Posenc,
  job: Job,
  view: string,
  settings: T5Settings,
): Promise<Result> {
  const { heads, bidirectional, numBuckets, maxDistance, seed, length, curveLength } = settings;
  requireLength(length);
  requireCurveLength(curveLength);
  const size = heads >= 1 && numBuckets >= 1 && heads * numBuckets <= 2 ** 20;
  const table = size ? randomTable(heads * numBuckets, seed, 1) : undefined;
  const encoding = posenc.t5({ heads, bidirectional, numBuckets, maxDistance, table });
  try {
    requireHead(settings.head, heads);
    const picture = await drawn(posenc, job, encoding, view, settings);
    const curve = await curveOf(job, encoding, view, settings);
    const thresholds = Float64Array.from(encoding.thresholds(), Number);
    return { picture, curve, facts: { thresholds } };
  } finally {
    encoding.dispose();
  }
}

async function drawn(
  posenc: Posenc,
  job: Job,
  encoding: T5,
  view: string,
  { heads, bidirectional, head, offset, length }: T5Settings,
): Promise<Picture> {
  const first = 1 - length;
  const count = 2 * length - 1;
  if (view === "buckets") {
    const values = await matrixOf(job, bucketRange(encoding, first, count), length);
    return {
      ...queryKeyAxes(offset, length),
      values,
      scale: "sequential",
      quantity: "bucket",
    };
  }
  requireCells(heads, count);
  const distances = headOf(encoding.distances(first, count), head, count);
  if (view === "attention") {
    requireAttentionLength(length);
    return weights(posenc, job, { offset, length, causal: !bidirectional, distances });
  }
  return {
    ...queryKeyAxes(offset, length),
    values: await matrixOf(job, distances, length),
    scale: "diverging",
    quantity: `bias of head ${head}`,
  };
}

function bucketRange(encoding: T5, first: number, count: number): Int32Array {
  return encoding.buckets(Int32Array.from({ length: count }, (_, i) => first + i));
}

/** Over key minus query from -(curveLength - 1) on: to the other side as well in an encoder. */
async function curveOf(
  job: Job,
  encoding: T5,
  view: string,
  { heads, bidirectional, head, curveLength }: T5Settings,
): Promise<Curve> {
  const first = 1 - curveLength;
  const count = bidirectional ? 2 * curveLength - 1 : curveLength;
  const x = { label: "key \u2212 query (tokens)", first, count };
  requireCurveValues(heads, count);
  let lines: Curve["lines"] = [];
  await job.slices(1, () => {
    lines =
      view === "buckets"
        ? [
            {
              label: "bucket",
              values: Float32Array.from(bucketRange(encoding, first, count)),
              main: true,
            },
          ]
        : headLines(encoding.distances(first, count), heads, head);
  });
  return view === "buckets"
    ? { title: "Bucket against distance", x, quantity: "bucket", lines }
    : { title: "Bias against distance", x, quantity: "bias from the random table", lines };
}
