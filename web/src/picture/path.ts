/** A point of a line in pixels. */
type Point = readonly [number, number];

/** Pixels a line may stray from its points before one is kept: not visible. */
const TOLERANCE = 0.05;

/**
 * An SVG path through the points `at(0) .. at(count - 1)`, x ascending. Of the points within one
 * pixel column only the first, lowest, highest and last are kept, and of straight runs only the
 * ends: the line looks the same, with far fewer points.
 */
export function linePath(count: number, at: (index: number) => Point): string {
  const points: Point[] = [];
  let column = Number.NaN;
  let bucket: Point[] = [];
  const flush = () => {
    if (bucket.length > 4) {
      const byHeight = [...bucket].sort((a, b) => a[1] - b[1]);
      const keep = new Set([
        bucket[0],
        byHeight[0],
        byHeight[byHeight.length - 1],
        bucket[bucket.length - 1],
      ]);
      bucket = bucket.filter((point) => keep.has(point));
    }
    points.push(...bucket);
    bucket = [];
  };
  for (let i = 0; i < count; i += 1) {
    const point = at(i);
    if (!Number.isFinite(point[0]) || !Number.isFinite(point[1])) continue;
    if (Math.floor(point[0]) !== column) {
      flush();
      column = Math.floor(point[0]);
    }
    bucket.push(point);
  }
  flush();
  const kept = points.filter((point, i) => !isStraight(points[i - 1], point, points[i + 1]));
  return kept.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x.toFixed(2)} ${y.toFixed(2)}`).join("");
}

function isStraight(before: Point | undefined, [x, y]: Point, after: Point | undefined): boolean {
  if (!before || !after || after[0] === before[0]) return false;
  const part = (x - before[0]) / (after[0] - before[0]);
  return Math.abs(before[1] + part * (after[1] - before[1]) - y) < TOLERANCE / 4;
}
