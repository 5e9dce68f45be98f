// What a rope refuses to rotate, where to and by which positions.
import {
  axial,
  buffer,
  detached,
  four,
  gone,
  rope,
  shared,
  strangeBuffer,
  stranger,
} from "./fixture.mjs";

export const ropeCalls = {
  "a range of positions for several axes": [
    () => axial.apply(four(), { offset: 0 }),
    "TYPE",
    "positions",
  ],
  "a rope of another instance": [
    () => rope.rerotate(four(), { from: stranger, to: {} }),
    "TYPE",
    "from",
  ],
  "an offset that is a fraction": [
    () => rope.apply(four(), { offset: 0.5 }),
    "VALUE_RANGE",
    "offset",
    "rope: offset must be a whole number, got 0.5",
  ],
  "an offset beyond 2^53": [
    () => rope.apply(four(), { offset: 2 ** 60 }),
    "POSITION_RANGE",
    "offset",
  ],
  "an offset beyond 64 bits": [
    () => rope.apply(four(), { offset: 1n << 70n }),
    "POSITION_RANGE",
    "offset",
  ],
  "an offset beyond 2^50": [
    () => rope.apply(four(), { offset: 2 ** 52 }),
    "POSITION_RANGE",
    "positions",
  ],
  "an x of another type": [
    () => rope.apply(new Float64Array(4)),
    "TYPE",
    "x",
    "rope: x must be a Float32Array or a buffer from alloc(), got Float64Array",
  ],
  "no x": [() => rope.apply(), "TYPE", "x", "got undefined"],
  "an x that was transferred away": [() => rope.apply(detached), "TYPE", "x", "detached"],
  "an x of another length": [
    () => rope.apply(new Float32Array(6), { offset: 1 }),
    "SHAPE",
    "x",
    "batch * heads * length * head_dim",
  ],
  "an x that is too short": [() => rope.apply(new Float32Array(2)), "SHAPE", "x", "got 2"],
  "an x that was disposed": [() => rope.apply(gone), "DISPOSED", "x", "rope: x was disposed"],
  "a buffer of another instance": [() => rope.apply(strangeBuffer), "TYPE", "x", "one of another"],
  "an out of another length": [
    () => rope.apply(four(), { out: new Float32Array(5) }),
    "SHAPE",
    "out",
    "got 5",
  ],
  "an order of another name": [() => rope.apply(four(), { order: "bhnd" }), "VALUE_RANGE", "order"],
  "half a head": [() => rope.apply(four(), { heads: 0.5 }), "VALUE_RANGE", "heads"],
  "arrays that overlap": [
    () => rope.apply(shared.subarray(0, 8), { out: shared.subarray(4, 12) }),
    "OVERLAP",
    "out",
  ],
  "buffers that overlap": [
    () => rope.apply(buffer.subarray(0, 8), { out: buffer.subarray(4, 12) }),
    "OVERLAP",
    "out",
  ],
  "views that overlap": [
    () => rope.apply(buffer.view().subarray(0, 8), { out: buffer.view().subarray(4, 12) }),
    "OVERLAP",
  ],
  "cos in the place of sin": [
    () => rope.angles({ length: 2 }, { cos: shared.subarray(0, 4), sin: shared.subarray(3, 7) }),
    "OVERLAP",
    "sin",
  ],
  "cosines for other rows": [() => rope.rotate(four(), four(), four()), "SHAPE", "cos"],
  "an out that is a table": [
    () => {
      const cos = shared.subarray(0, 2);
      return rope.rotate(four(), cos, new Float32Array(2), { out: shared.subarray(0, 4) });
    },
    "OVERLAP",
    "out",
  ],
  "2^31 heads of a tensor": [() => rope.apply(four(), { heads: 2 ** 31 }), "SIZE_LIMIT", "heads"],
  "2^62 rotated values": [
    () => rope.apply(four(), { heads: 2 ** 31 - 1, batch: 2 ** 31 - 1, length: 1 }),
    "SIZE_LIMIT",
  ],
};
