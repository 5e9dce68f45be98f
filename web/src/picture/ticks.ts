/** A round step (1, 2 or 5 times a power of ten) that gives at most `most` ticks over `span`. */
function roundStep(span: number, most: number): number {
  const raw = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(raw));
  for (const factor of [1, 2, 5]) if (raw <= factor * power) return factor * power;
  return 10 * power;
}

/** Round values from `low` to `high`, at most about `most`. */
export function ticks(low: number, high: number, most: number): number[] {
  if (!(high > low)) return [low];
  const step = roundStep(high - low, most);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}

/** Whole-number ticks of an axis with `count` cells from `first`. */
export function cellTicks(first: number, count: number, most: number): number[] {
  const step = Math.max(1, roundStep(Math.max(1, count - 1), most));
  const start = Math.ceil(first / step) * step;
  const result: number[] = [];
  for (let tick = start; tick <= first + count - 1; tick += step) result.push(tick);
  return result;
}

/** Powers of ten from `low` to `high`; `low` is at least 1. */
export function decades(low: number, high: number): number[] {
  const result: number[] = [];
  for (let tick = 10 ** Math.ceil(Math.log10(low)); tick <= high; tick *= 10) result.push(tick);
  return result;
}
