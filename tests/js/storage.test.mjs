// 16-bit storage: named raw arrays, Float16Array where the host has it, and buffers. Values are
// computed as for float32 and rounded to nearest even, once.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { load, PosencError } from "posenc/all";

const posenc = await load();
const isError = (code, field, message) => (error) =>
  error instanceof PosencError &&
  error.code === code &&
  error.field === field &&
  (message === undefined || error.message === message);

/** Exact conversions, by the formats' rules and not by the library's. */
const formats = {
  float16: {
    toNumber(bits) {
      const exponent = (bits >> 10) & 31;
      const fraction = bits & 1023;
      const size = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25);
      return bits & 0x8000 ? -size : size;
    },
  },
  bfloat16: {
    toNumber(bits) {
      return new Float32Array(Uint32Array.of(bits << 16).buffer)[0];
    },
  },
};

/** The nearest of all 2^16 values, ties to the even one. */
function nearest(type, value) {
  const { toNumber } = formats[type];
  let best = 0;
  for (let bits = 1; bits < 0x7c00; ++bits) {
    const now = Math.abs(toNumber(bits) - Math.abs(value));
    const then = Math.abs(toNumber(best) - Math.abs(value));
    if (now < then || (now === then && bits % 2 === 0)) best = bits;
  }
  return value < 0 || Object.is(value, -0) ? best | 0x8000 : best;
}

for (const type of Object.keys(formats)) {
  const { toNumber } = formats[type];
  describe(type, () => {
    test("a table's values are rounded once", () => {
      const exact = [0, 1, Math.sin(3), Math.cos(3)];
      const sinusoidal = posenc.sinusoidal({ dim: 2 });
      const out = { type, values: new Uint16Array(4) };
      assert.equal(sinusoidal.table({ positions: [0, 3] }, out), out);
      assert.deepEqual(
        [...out.values],
        exact.map((value) => nearest(type, value)),
      );
    });

    test("data in place, to another array and in a buffer has the same bits", () => {
      const rope = posenc.rope({ headDim: 4 });
      const given = Uint16Array.of(...[1, -2, 0.5, 3].map((value) => nearest(type, value)));
      const inPlace = { type, values: given.slice() };
      rope.apply(inPlace, { offset: 5 });
      const out = { type, values: new Uint16Array(4) };
      rope.apply({ type, values: given }, { offset: 5, out });
      const buffer = posenc.alloc(4, type);
      assert.equal(buffer.type, type);
      assert.deepEqual([...buffer.view()], [0, 0, 0, 0]);
      buffer.view().set(given);
      rope.apply(buffer, { offset: 5 });
      assert.deepEqual(inPlace.values, out.values);
      assert.deepEqual(inPlace.values, buffer.view().slice());
      const exact = rope.apply(Float32Array.from(given, toNumber), { offset: 5 });
      assert.deepEqual(
        [...out.values],
        [...exact].map((value) => nearest(type, value)),
      );
      buffer.dispose();
    });

    test("part of a buffer", () => {
      const buffer = posenc.alloc(6, type);
      const part = buffer.subarray(2, 4);
      posenc.sinusoidal({ dim: 2 }).table({ length: 1 }, part);
      assert.deepEqual([...buffer.view()].map(toNumber), [0, 0, 0, 1, 0, 0]);
    });

    test("trained rows and attention", () => {
      const rows = { type, values: Uint16Array.of(nearest(type, 2), nearest(type, -4)) };
      const learned = posenc.learned({ rows, dim: 1 });
      assert.deepEqual([...learned.table({ length: 2 })], [2, -4]);
      const one = { type, values: Uint16Array.of(nearest(type, 1)) };
      const args = { queryCount: 1, keyCount: 1, headDim: 1 };
      assert.deepEqual([...posenc.attention(one, one, one, args)], [1]);
    });

    test("from one type to another", () => {
      const rope = posenc.rope({ headDim: 2 });
      const out = { type, values: new Uint16Array(2) };
      rope.apply(Float32Array.of(1, 2), { offset: 0, out });
      assert.deepEqual([...out.values].map(toNumber), [1, 2]);
    });

    test("cosines, slopes and score terms are float32", () => {
      const rope = posenc.rope({ headDim: 2 });
      const raw = { type, values: new Uint16Array(1) };
      const rule = "must be a Float32Array or a float32 buffer from alloc(), got an object";
      assert.throws(
        () => rope.angles({ length: 1 }, { cos: raw, sin: raw }),
        isError("TYPE", "cos", `rope: cos ${rule}`),
      );
      const x = new Float32Array(1);
      const args = { queryCount: 1, keyCount: 1, headDim: 1, terms: { bias: raw } };
      assert.throws(() => posenc.attention(x, x, x, args), isError("TYPE", "bias"));
    });
  });
}

/** Of the host, or what the library can see of one: views of 16 bits with that tag. */
const Float16Array =
  globalThis.Float16Array ??
  class extends Uint16Array {
    get [Symbol.toStringTag]() {
      return "Float16Array";
    }
  };

test("Float16Array is float16", () => {
  const out = new Float16Array(2);
  posenc.sinusoidal({ dim: 2 }).table({ positions: [3] }, out);
  assert.deepEqual(
    [...new Uint16Array(out.buffer)],
    [Math.sin(3), Math.cos(3)].map((value) => nearest("float16", value)),
  );
});

test("what is no storage type is refused", () => {
  const sinusoidal = posenc.sinusoidal({ dim: 2 });
  for (const out of [
    { type: "float8", values: new Uint16Array(2) },
    { type: "float16", values: new Uint8Array(2) },
    { type: "float32", values: new Uint16Array(2) },
    { values: new Uint16Array(2) },
    new Uint16Array(2),
  ]) {
    assert.throws(() => sinusoidal.table({ length: 1 }, out), isError("TYPE", "out"));
  }
  assert.throws(() => posenc.alloc(1, "float8"), isError("VALUE_RANGE", "type"));
  assert.throws(() => posenc.alloc(2 ** 30, "float16"), isError("SIZE_LIMIT", "length"));
  assert.deepEqual([...sinusoidal.table({ length: 1 })], [0, 1]);
});

test("the same memory under two types is an overlap", () => {
  const rope = posenc.rope({ headDim: 2 });
  const memory = new ArrayBuffer(8);
  const out = { type: "bfloat16", values: new Uint16Array(memory, 0, 2) };
  const x = new Float32Array(memory);
  assert.throws(() => rope.apply(x, { offset: 1, out }), isError("OVERLAP", "out"));
});
