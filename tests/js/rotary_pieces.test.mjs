// rotate takes a large array of the caller's in pieces, and gives the bits of one call.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { load } from "posenc";

const posenc = await load();
const rope = posenc.rope({ headDim: 64, rotaryDim: 48 });
after(() => rope.dispose());

const wave = (length) => Float32Array.from({ length }, (_, i) => Math.sin(0.37 * i));

/** The result of one call over buffers in wasm memory. */
function whole(x, cos, sin, args) {
  const buffer = posenc.alloc(x.length);
  try {
    buffer.view().set(x);
    rope.rotate(buffer, cos, sin, args);
    return buffer.view().slice();
  } finally {
    buffer.dispose();
  }
}

const shapes = [
  { batch: 1, heads: 1, length: 1500 }, // pieces of rows
  { batch: 2, heads: 5, length: 700 }, // rows of several blocks
  { batch: 3, heads: 40, length: 37 }, // several blocks in a piece
  { batch: 2, heads: 300, length: 7 },
];
for (const { length, ...shape } of shapes) {
  for (const order of ["heads_first", "length_first"]) {
    test(`${shape.batch} x ${shape.heads} heads of ${length} rows, ${order}`, () => {
      const { cos, sin } = rope.angles({ offset: 5, length });
      const x = wave(shape.batch * shape.heads * length * 64);
      const before = x.slice();
      const args = { ...shape, order };
      const expected = whole(x, cos, sin, args);
      const out = new Float32Array(x.length);
      assert.equal(rope.rotate(x, cos, sin, { ...args, out }), out);
      assert.deepEqual(x, before, "x is read only");
      assert.deepEqual(out, expected);
      assert.equal(rope.rotate(x, cos, sin, args), x);
      assert.deepEqual(x, expected);
    });
  }
}

test("Tables for each sequence of a batch are not those of pieces", () => {
  const [batch, heads, length] = [2, 5, 700];
  const { cos, sin } = rope.angles({ length: batch * length });
  const x = wave(batch * heads * length * 64);
  const expected = whole(x, cos, sin, { batch, heads, length });
  assert.deepEqual(rope.rotate(x, cos, sin, { batch, heads, length }), expected);
});

test("What is wrong with a call is said before anything is written", () => {
  const length = 2000;
  const { cos, sin } = rope.angles({ length });
  const memory = wave(length * 64 + 64);
  const x = memory.subarray(0, length * 64);
  const before = memory.slice();
  const cases = [
    [() => rope.rotate(x, cos.subarray(1), sin), "SHAPE", "cos"],
    [() => rope.rotate(x, cos, sin.subarray(24)), "SHAPE", "sin"],
    [() => rope.rotate(x, undefined, sin), "TYPE", "cos"],
    [() => rope.rotate(x, cos, sin, { out: memory.subarray(64) }), "OVERLAP", "out"],
    [() => rope.rotate(x, x.subarray(0, cos.length), sin), "OVERLAP", "out"],
    [() => rope.rotate(x, cos, sin, { out: new Float32Array(64) }), "SHAPE", "out"],
    [() => rope.rotate(x, cos, sin, { heads: 3, length }), "SHAPE", "x"],
  ];
  for (const [call, code, field] of cases) {
    assert.throws(call, (error) => {
      assert.deepEqual([error.code, error.field], [code, field], error.message);
      return true;
    });
    assert.deepEqual(memory, before);
  }
  assert.deepEqual(rope.rotate(x, cos, sin), whole(before.subarray(0, x.length), cos, sin, {}));
});

test("Arrays of derived classes are rotated, whatever their parts would be", () => {
  class Named extends Float32Array {
    constructor(values, name = "x") {
      super(values); // all of a buffer, whichever part is asked for
      this.name = name;
    }
  }
  class Wide extends Float32Array {
    static get [Symbol.species]() {
      return Float64Array;
    }
  }
  const length = 2000;
  const { cos, sin } = rope.angles({ length });
  const x = wave(length * 64);
  const expected = whole(x, cos, sin, {});
  for (const Derived of [Named, Wide]) {
    const own = new Derived(x);
    assert.equal(rope.rotate(own, cos, sin), own);
    assert.deepEqual(Array.from(own), Array.from(expected));
    const out = new Derived(x.length);
    rope.rotate(x, cos, sin, { out });
    assert.deepEqual(Array.from(out), Array.from(expected));
  }
});

test("What only looks like an array is refused", () => {
  const { cos, sin } = rope.angles({ length: 2000 });
  const x = { [Symbol.toStringTag]: "Float32Array", length: 2000 * 64 };
  assert.throws(() => rope.rotate(x, cos, sin), { code: "TYPE", field: "x" });
});

test("Frequencies of each head are refused as ever", () => {
  const invFreq = Float64Array.from({ length: 2 * 32 }, (_, i) => 1 / (1 + i));
  const scaling = { type: "custom_frequencies", invFreq, frequencyHeads: 2 };
  const own = posenc.rope({ headDim: 64, scaling });
  const x = wave(2 * 1000 * 64);
  const table = new Float32Array(1000 * 32);
  assert.throws(() => own.rotate(x, table, table, { heads: 2 }), { code: "VALUE_RANGE" });
  assert.deepEqual(x, wave(x.length));
  own.dispose();
});
