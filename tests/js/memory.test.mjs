// Who owns what: growth, views, disposal, the net below it, and memory that runs out.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { load, PosencError } from "posenc";

const wasm = new URL(import.meta.resolve("posenc/posenc.wasm"));
const isError = (code) => (error) => error instanceof PosencError && error.code === code;

test("a buffer is zeros, and its view writes to it", async () => {
  const posenc = await load();
  const buffer = posenc.alloc(5);
  assert.equal(buffer.length, 5);
  assert.deepEqual([...buffer.view()], [0, 0, 0, 0, 0]);
  buffer.view().set([1, 2], 3);
  assert.deepEqual([...buffer.view()], [0, 0, 0, 1, 2]);
  assert.equal(posenc.alloc(0).view().length, 0);
});

test("a buffer begins with a line of the cache, whatever was there before", async () => {
  const posenc = await load();
  for (const length of [1, 3, 100, 4097, 2 ** 20]) {
    assert.equal(posenc.alloc(length).view().byteOffset % 64, 0);
    assert.equal(posenc.alloc(length, "float16").view().byteOffset % 64, 0);
  }
});

test("buffers stay whole when memory grows; a view kept from before is empty", async () => {
  const posenc = await load({ wasm });
  const small = posenc.alloc(4);
  const kept = small.view();
  kept.set([1, 2, 3, 4]);
  const rope = posenc.rope({ headDim: 4 });
  const large = posenc.alloc(4 << 20);
  assert.equal(kept.length, 0);
  assert.deepEqual([...small.view()], [1, 2, 3, 4]);
  assert.throws(() => rope.apply(kept), isError("TYPE"));
  assert.deepEqual([...rope.apply(small).view()], [1, 2, 3, 4]);
  assert.equal(large.view().length, 4 << 20);
});

test("a call that grows memory itself writes to a view of it all the same", async () => {
  const posenc = await load({ wasm });
  const buffer = posenc.alloc(8);
  const positions = new Float64Array(1 << 20);
  const sinusoidal = posenc.sinusoidal({ dim: 1 });
  const table = sinusoidal.table({ positions });
  assert.equal(table.length, 1 << 20);
  const view = buffer.view();
  const wide = new Float64Array(8).fill(Math.PI / 2);
  sinusoidal.table({ positions: wide }, view);
  assert.deepEqual([...buffer.view()], Array(8).fill(1));
});

test("large tables come in a caller's array without a buffer of that size staying behind", async () => {
  const posenc = await load({ wasm });
  const sinusoidal = posenc.sinusoidal({ dim: 64 });
  const bytes = () => posenc.alloc(1).view().buffer.byteLength;
  sinusoidal.table({ length: 1 << 16 });
  const after = bytes();
  for (let i = 0; i < 8; ++i) sinusoidal.table({ length: 1 << 16 });
  assert.equal(bytes(), after);
});

test("parts share the memory of their whole", async () => {
  const posenc = await load();
  const whole = posenc.alloc(10);
  const part = whole.subarray(2, 6);
  part.view().fill(1);
  part.subarray(1, 3).view().fill(2);
  assert.deepEqual([...whole.view()], [0, 0, 1, 2, 2, 1, 0, 0, 0, 0]);
  part.dispose();
  assert.throws(() => part.view(), isError("DISPOSED"));
  assert.equal(whole.disposed, false);
  const rest = whole.subarray(4);
  assert.equal(rest.length, 6);
  whole.dispose();
  assert.equal(rest.disposed, true);
  assert.throws(() => rest.view(), isError("DISPOSED"));
});

test("the rows of a cache rotate in place through its parts", async () => {
  const posenc = await load();
  const rope = posenc.rope({ headDim: 4 });
  const cache = posenc.alloc(3 * 4);
  cache.view().fill(1);
  rope.apply(cache.subarray(4, 8), { offset: 5 });
  const expected = rope.apply(new Float32Array(4).fill(1), { offset: 5 });
  assert.deepEqual([...cache.view()], [1, 1, 1, 1, ...expected, 1, 1, 1, 1]);
});

test("disposing twice is fine, using afterwards is an error", async () => {
  const posenc = await load();
  const rows = posenc.alloc(4);
  const made = {
    sinusoidal: [posenc.sinusoidal({ dim: 4 }), (e) => e.table({ length: 1 })],
    learned: [posenc.learned({ rows: rows.view(), dim: 4 }), (e) => e.table({ length: 1 })],
    rope: [posenc.rope({ headDim: 4 }), (e) => e.invFreq()],
    alibi: [posenc.alibi({ heads: 1 }), (e) => e.slopes()],
    t5: [posenc.t5({ heads: 1, bidirectional: true }), (e) => e.bucket(1)],
  };
  for (const [name, [encoding, use]] of Object.entries(made)) {
    use(encoding);
    encoding.dispose();
    encoding.dispose();
    assert.equal(encoding.disposed, true);
    const isDisposed = (error) => error.message === `${name}: this encoding was disposed`;
    assert.throws(() => use(encoding), isDisposed);
    assert.throws(() => use(encoding), isError("DISPOSED"));
  }
});

test("an encoding notices that the buffer of its table was disposed", async () => {
  const posenc = await load();
  const rows = posenc.alloc(32);
  const learned = posenc.learned({ rows, dim: 4 });
  const t5 = posenc.t5({ heads: 1, bidirectional: false, table: rows });
  rows.dispose();
  assert.throws(() => learned.table({ length: 1 }), isError("DISPOSED"));
  assert.throws(() => t5.distances(0, 1), isError("DISPOSED"));
  assert.throws(() => posenc.learned({ rows, dim: 4 }), isError("DISPOSED"));
  learned.dispose();
  t5.dispose();
});

test("Symbol.dispose is there where the host has it", async () => {
  const posenc = await load();
  const rope = posenc.rope({ headDim: 4 });
  if (typeof Symbol.dispose !== "symbol") return;
  rope[Symbol.dispose]();
  assert.equal(rope.disposed, true);
});

test("what is disposed can be had again", async () => {
  const posenc = await load({ wasm });
  const bytes = () => posenc.alloc(1).view().buffer.byteLength;
  for (let i = 0; i < 100; ++i) {
    posenc.alloc(1 << 20).dispose();
    const rows = new Float32Array(1 << 18);
    posenc.learned({ rows, dim: 4 }).dispose();
    posenc.t5({ heads: 1 << 13, bidirectional: true, table: rows }).dispose();
    posenc.sinusoidal({ dim: 1 << 16 }).dispose();
    assert.throws(() => posenc.learned({ rows, dim: 3 }), isError("SHAPE"));
  }
  assert.ok(bytes() < 32 << 20, `${bytes()} bytes`);
});

test("errors when memory runs out, and works again when there is some", async () => {
  const posenc = await load({ wasm });
  const rope = posenc.rope({ headDim: 4 });
  const x = new Float32Array(1 << 20);
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = () => {
    throw new RangeError("no more");
  };
  try {
    const buffers = [];
    for (let length = 1 << 20; length >= 1; length >>= 1) {
      const fill = () => {
        for (;;) buffers.push(posenc.alloc(length));
      };
      assert.throws(fill, isError("OUT_OF_MEMORY"));
    }
    const calls = [
      () => posenc.rope({ headDim: 4096 }),
      () => posenc.sinusoidal({ dim: 4096 }),
      () => posenc.alibi({ heads: 4096 }),
      () => posenc.t5({ heads: 1, bidirectional: true, numBuckets: 4096, maxDistance: 1e6 }),
      () => posenc.learned({ rows: x, dim: 4 }),
      () => rope.apply(x),
      () => rope.angles({ positions: new Float64Array(1 << 20) }),
      () => posenc.attention(x, x, x, { queryCount: 1 << 18, keyCount: 1 << 18, headDim: 4 }),
    ];
    for (const call of calls) assert.throws(call, isError("OUT_OF_MEMORY"));
    assert.throws(() => rope.apply(new Float32Array(3)), isError("SHAPE"));
    assert.deepEqual([...rope.apply(new Float32Array(4).fill(2))], [2, 2, 2, 2]);
    for (const buffer of buffers) buffer.dispose();
    assert.equal(posenc.alloc(1 << 10).length, 1 << 10);
  } finally {
    WebAssembly.Memory.prototype.grow = grow;
  }
  assert.equal(rope.apply(x, { heads: 2 }), x);
});

test("what nobody disposed is freed when it is collected; a view keeps its buffer", () => {
  const script = `
    import { load } from "posenc";
    const posenc = await load();
    const kept = posenc.alloc(1000).view();
    kept.fill(5);
    for (let i = 0; i < 60; ++i) {
      for (let j = 0; j < 4; ++j) posenc.alloc(1 << 20);
      posenc.rope({ headDim: 1 << 16 });
      gc();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const bytes = posenc.alloc(1).view().buffer.byteLength;
    console.log(JSON.stringify({ bytes, detached: kept.length === 0 }));
  `;
  const node = ["--expose-gc", "--input-type=module", "--eval", script];
  const { stdout, stderr } = spawnSync(process.execPath, node, { encoding: "utf8" });
  assert.equal(stderr, "");
  const { bytes } = JSON.parse(stdout);
  assert.ok(bytes < 256 << 20, `${bytes} bytes`);
});
