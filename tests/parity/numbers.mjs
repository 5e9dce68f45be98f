// Elements by their bits in hex: their value, and how far apart two of them are.

const formats = {
  float32: { exponentBits: 8, fractionBits: 23 },
  float64: { exponentBits: 11, fractionBits: 52 },
  float16: { exponentBits: 5, fractionBits: 10 },
  bfloat16: { exponentBits: 8, fractionBits: 7 },
};

/** The number as text; negative zero as "-0". */
export function decimal(type, hex) {
  const bits = BigInt(`0x${hex}`);
  if (type === "int64") return String(BigInt.asIntN(64, bits));
  const { exponentBits, fractionBits } = formats[type];
  const fraction = Number(bits & ((1n << BigInt(fractionBits)) - 1n)) * 2 ** -fractionBits;
  const exponent = Number((bits >> BigInt(fractionBits)) & ((1n << BigInt(exponentBits)) - 1n));
  const sign = bits >> BigInt(exponentBits + fractionBits) ? "-" : "";
  const bias = 2 ** (exponentBits - 1) - 1;
  if (exponent === 2 * bias + 1) return fraction ? "NaN" : `${sign}Infinity`;
  const value = exponent ? (1 + fraction) * 2 ** (exponent - bias) : fraction * 2 ** (1 - bias);
  return `${sign}${value}`;
}

/** Whether two elements are the same bits, every NaN counting as one. */
export function same(type, a, b) {
  return a === b || (decimal(type, a) === "NaN" && decimal(type, b) === "NaN");
}

/** The distance in units of the last place, as text. */
export function distance(type, a, b) {
  const values = [a, b].map((hex) => decimal(type, hex));
  if (values.includes("NaN")) return "one is NaN";
  const [first, second] = [a, b].map((hex) => ordinal(type, hex));
  const ulp = first > second ? first - second : second - first;
  return ulp === 0n ? "0 ulp, another sign of zero" : `${ulp} ulp`;
}

/** Elements in order of size are consecutive integers; both zeros are 0. */
function ordinal(type, hex) {
  const bits = BigInt(`0x${hex}`);
  if (type === "int64") return BigInt.asIntN(64, bits);
  const { exponentBits, fractionBits } = formats[type];
  const sign = 1n << BigInt(exponentBits + fractionBits);
  return bits < sign ? bits : sign - bits;
}
