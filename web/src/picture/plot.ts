/** The geometry of curves: ranges, scales, and labels that do not touch. */

export interface Range {
  readonly minimum: number;
  readonly maximum: number;
}

/** Part of the range left free beyond a curve's extremes. */
const MARGIN = 0.04;

/** What a vertical axis must span: the finite values and zero, with a little air. */
export function rangeOf(values: Float32Array): Range {
  let minimum = 0;
  let maximum = 0;
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    minimum = Math.min(minimum, value);
    maximum = Math.max(maximum, value);
  }
  if (minimum === maximum) return { minimum: minimum - 1, maximum: maximum + 1 };
  const margin = (maximum - minimum) * MARGIN;
  return { minimum: minimum && minimum - margin, maximum: maximum && maximum + margin };
}

export type Scale = (value: number) => number;

/** Maps from .. to onto start .. end, by value or by logarithm; a single value onto the middle. A
 * closure over plain numbers: it is called for every point of every line. */
export function scaleOf(
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
  logarithmic = false,
): Scale {
  const size = end - start;
  if (from === to) return () => start + size / 2;
  if (!logarithmic) return (value) => start + ((value - from) / (to - from)) * size;
  const span = Math.log(to / from);
  return (value) => start + (Math.log(value / from) / span) * size;
}

/** Heights of labels in ascending order, moved down where they would touch the one above. */
export function spread(heights: readonly number[], apart: number): number[] {
  let free = Number.NEGATIVE_INFINITY;
  return heights.map((height) => {
    const at = Math.max(height, free);
    free = at + apart;
    return at;
  });
}
