// What the tests of the relative family share.
import assert from "node:assert/strict";

export const floats = (...values) => Float32Array.from(values);
/** Two queries and two keys. */
export const two = { queries: { length: 2 }, keys: { length: 2 } };

/** Values that bfloat16 holds exactly, and the way back. */
export const short = (...values) => ({
  type: "bfloat16",
  values: Uint16Array.from(new Uint32Array(floats(...values).buffer), (bits) => bits >>> 16),
});
export const long = ({ values }) => [
  ...new Float32Array(Uint32Array.from(values, (bits) => bits << 16).buffer),
];

/** An encoding, disposed after use. */
export function using(encoding, use) {
  try {
    return use(encoding);
  } finally {
    encoding.dispose();
    assert.ok(encoding.disposed);
  }
}
