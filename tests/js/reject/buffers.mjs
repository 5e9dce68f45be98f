// Buffers that cannot be had, and parts that a buffer does not have.
import { buffer, posenc } from "./fixture.mjs";

export const buffers = {
  "2^31 floats": [() => posenc.alloc(2 ** 31), "SIZE_LIMIT", "length"],
  "2^29 floats": [() => posenc.alloc(2 ** 29), "SIZE_LIMIT", "length"],
  "floats in parts": [() => posenc.alloc(1.5), "VALUE_RANGE", "length"],
  "a part beyond its whole": [() => buffer.subarray(0, 65), "VALUE_RANGE", "to"],
  "a part that ends before it starts": [() => buffer.subarray(9, 8), "VALUE_RANGE", "from"],
};
