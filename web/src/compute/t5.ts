import type { Posenc, T5 } from "posenc";
import type { T5Settings } from "../settings/t5";
import type { Curve, Picture, Result } from "../types";
import { queryKeyAxes } from "./attention";
import { headLines, headPicture, matrixOf } from "./bias";
import type { Job } from "./job";
import { requireCurveValues, requireHead, requireShown } from "./limits";
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
    const curve = await curveOf(job, encoding, view, settings);
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
