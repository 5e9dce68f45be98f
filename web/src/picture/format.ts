/** How numbers are written on the page. Real minus signs, thousands separated, nothing rounded off
 * without need. */

const MINUS = "\u2212";

function signed(text: string): string {
  return text.replace("-", MINUS);
}

/** A value of a picture to 7 significant digits, the precision of float32. */
export function exact(value: number): string {
  if (value === Number.NEGATIVE_INFINITY) return `${MINUS}\u221e`;
  if (Object.is(value, -0)) return `${MINUS}0`;
  return signed(String(Number(value.toPrecision(7))));
}

/** A number for a sentence or an axis: up to `digits` significant ones, thousands separated. */
export function short(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return value < 0 ? `${MINUS}\u221e` : "\u221e";
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && (magnitude >= 1e9 || magnitude < 1e-4)) {
    return signed(value.toExponential(Math.min(digits, 3) - 1));
  }
  if (magnitude >= 10 ** (digits - 1)) return signed(Math.round(value).toLocaleString("en-US"));
  return signed(
    Number(value.toPrecision(digits)).toLocaleString("en-US", { maximumFractionDigits: 12 }),
  );
}

export function percent(fraction: number): string {
  return `${short(100 * fraction, 3)}\u00a0%`;
}
