import type { Posenc, T5 } from "posenc";
import type { T5Settings } from "../settings/t5";
import type { Curve, Picture, Result } from "../types";
import { queryKeyAxes } from "./attention";
import { distanceAxis, distanceCurve, headPicture, matrixOf } from "./bias";
import type { Job } from "./job";
import { requireHead, requireShown } from "./limits";
import { randomTable } from "./random";

export async function t5(
  posenc: Posenc,
  job: Job,
  view: string,
  settings: T5Settings,
): Promise<Result> {
  const { heads, bidirectional, numBuckets, maxDistance, seed } = settings;
  requireShown(settings);
  const size = heads >= 1 && numBuckets >= 1 && heads * numBuckets <= 2 ** 20;
  const table = size ? randomTable(heads * numBuckets, seed, 1) : undefined;
  const encoding = posenc.t5({ heads, bidirectional, numBuckets, maxDistance, table });
  try {
    requireHead(settings.head, heads);
    const window = { ...settings, causal: !bidirectional, scale: "diverging" as const };
    const picture = await (view === "buckets"
      ? buckets(job, encoding, settings)
      : headPicture(posenc, job, encoding, view, window));
    const reach = { ...settings, past: !bidirectional };
    const curve = await (view === "buckets"
      ? bucketCurve(job, encoding, settings)
      : distanceCurve(job, encoding, reach, "bias from the random table"));
    const thresholds = Float64Array.from(encoding.thresholds(), Number);
    return { picture, curve, facts: { thresholds } };
  } finally {
    encoding.dispose();
  }
}

/** The bucket of every query and key. */
async function buckets(job: Job, encoding: T5, { offset, length }: T5Settings): Promise<Picture> {
  const numbers = bucketRange(encoding, 1 - length, 2 * length - 1);
  return {
    ...queryKeyAxes(offset, length),
    values: await matrixOf(job, numbers, length),
    scale: "sequential",
    quantity: "bucket",
  };
}

function bucketRange(encoding: T5, first: number, count: number): Int32Array {
  return encoding.buckets(Int32Array.from({ length: count }, (_, i) => first + i));
}

/** The bucket against key - query: to the other side as well in an encoder. */
async function bucketCurve(
  job: Job,
  encoding: T5,
  { bidirectional, curveLength }: T5Settings,
): Promise<Curve> {
  const x = distanceAxis(curveLength, !bidirectional);
  let values = new Float32Array();
  await job.slices(1, () => {
    values = Float32Array.from(bucketRange(encoding, x.first, x.count));
  });
  const lines = [{ label: "bucket", values, main: true }];
  return { title: "Bucket against distance", x, quantity: "bucket", lines };
}
