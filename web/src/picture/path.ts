/** Pixels a line may stray from its points before one is kept: not visible. */
const TOLERANCE = 0.0125;

/**
 * An SVG path through the points (xs[i], toY(values[i])), xs ascending, in pixels. Of the points within one
 * pixel column only the first, lowest, highest and last are kept, and of straight runs only the
 * ends: the line looks the same, with far fewer points.
 */
export function linePath(
  xs: Float64Array,
  values: Float32Array,
  toY: (value: number) => number,
): string {
  const kept: number[] = [];
  const ys = new Float64Array(xs.length);
  for (let i = 0; i < ys.length; i += 1) ys[i] = toY(values[i] ?? Number.NaN);
  let first = 0;
  let low = 0;
  let high = 0;
  for (let i = 0; i <= xs.length; i += 1) {
    const column = Math.floor(xs[first] ?? 0);
    if (i < xs.length && Math.floor(xs[i] ?? 0) === column) {
      if ((ys[i] ?? 0) < (ys[low] ?? 0)) low = i;
      if ((ys[i] ?? 0) > (ys[high] ?? 0)) high = i;
      continue;
    }
    for (const index of [first, Math.min(low, high), Math.max(low, high), i - 1]) {
      if (index > (kept[kept.length - 1] ?? -1) && isPoint(xs, ys, index)) kept.push(index);
    }
    first = i;
    low = i;
    high = i;
  }
  const corners = kept.filter((index, i) => !isStraight(xs, ys, kept[i - 1], index, kept[i + 1]));
  const texts = corners.map((index) => `${xs[index]?.toFixed(2)} ${ys[index]?.toFixed(2)}`);
  return texts.length > 0 ? `M${texts.join("L")}` : "";
}

function isPoint(xs: Float64Array, ys: Float64Array, index: number): boolean {
  return Number.isFinite(xs[index]) && Number.isFinite(ys[index]);
}

function isStraight(
  xs: Float64Array,
  ys: Float64Array,
  before: number | undefined,
  index: number,
  after: number | undefined,
): boolean {
  if (before === undefined || after === undefined) return false;
  const [x0, x1, x2] = [xs[before] ?? 0, xs[index] ?? 0, xs[after] ?? 0];
  const [y0, y1, y2] = [ys[before] ?? 0, ys[index] ?? 0, ys[after] ?? 0];
  return Math.abs(y0 + ((x1 - x0) / (x2 - x0)) * (y2 - y0) - y1) < TOLERANCE;
}
