// Everything that a call must refuse: with a code, the JavaScript name of what it is about and a
// sentence, and with the next call working.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import vm from "node:vm";
import { load, PosencError } from "posenc";

const posenc = await load();
const other = await load({ wasm: new URL(import.meta.resolve("posenc/posenc.wasm")) });
const rope = posenc.rope({ headDim: 4 });
const axial = posenc.rope({ headDim: 4, axes: { type: "axial" } });
const stranger = other.rope({ headDim: 4 });
const strangeBuffer = other.alloc(4);
const sinusoidal = posenc.sinusoidal({ dim: 4 });
const learned = posenc.learned({ rows: new Float32Array(8), dim: 4 });
const alibi = posenc.alibi({ heads: 2 });
const t5 = posenc.t5({ heads: 2, bidirectional: true });
const withTable = posenc.t5({ heads: 1, bidirectional: true, table: new Float32Array(32) });
const four = () => new Float32Array(4);
const shared = new Float32Array(64);
const buffer = posenc.alloc(64);
const detached = new Float32Array(4);
structuredClone(detached.buffer, { transfer: [detached.buffer] });
const gone = posenc.alloc(4);
gone.dispose();
const attend = (args) =>
  posenc.attention(four(), four(), four(), { queryCount: 1, keyCount: 1, headDim: 4, ...args });

/** what: [call, code, field, message or a part of it] */
const refused = {
  "an odd head_dim": [
    () => posenc.rope({ headDim: 63 }),
    "VALUE_RANGE",
    "headDim",
    "rope: head_dim must be even, got 63",
  ],
  "no head_dim": [() => posenc.rope({}), "TYPE", "headDim", "got undefined"],
  "a head_dim that is text": [
    () => posenc.rope({ headDim: "64" }),
    "TYPE",
    "headDim",
    'rope: head_dim must be a whole number, got "64"',
  ],
  "a head_dim that is a bigint": [() => posenc.rope({ headDim: 64n }), "TYPE", "headDim", "64n"],
  "a fraction of a head": [
    () => posenc.rope({ headDim: 64.5 }),
    "VALUE_RANGE",
    "headDim",
    "rope: head_dim must be a whole number from 0 to 2147483647, got 64.5",
  ],
  "a negative head_dim": [() => posenc.rope({ headDim: -2 }), "VALUE_RANGE", "headDim", "got -2"],
  "a head_dim beyond 32 bits": [
    () => posenc.rope({ headDim: 2 ** 32 + 64 }),
    "VALUE_RANGE",
    "headDim",
    "4294967360",
  ],
  "a head_dim that is NaN": [() => posenc.rope({ headDim: NaN }), "VALUE_RANGE", "headDim", "NaN"],
  "a base that is NaN": [
    () => posenc.rope({ headDim: 4, base: NaN }),
    "VALUE_RANGE",
    "base",
    "nan",
  ],
  "a base that is text": [() => posenc.rope({ headDim: 4, base: "1e4" }), "TYPE", "base", '"1e4"'],
  "a layout of another name": [
    () => posenc.rope({ headDim: 4, layout: "neox" }),
    "VALUE_RANGE",
    "layout",
    'rope: layout must be one of "half", "interleaved", got "neox"',
  ],
  "a layout that is a number": [
    () => posenc.rope({ headDim: 4, layout: 1 }),
    "TYPE",
    "layout",
    "1",
  ],
  "a scaling of another name": [
    () => posenc.rope({ headDim: 4, scaling: { type: "magic" } }),
    "VALUE_RANGE",
    "scaling.type",
    '"magic"',
  ],
  "a scaling without its factor": [
    () => posenc.rope({ headDim: 4, scaling: { type: "linear" } }),
    "TYPE",
    "scaling.factor",
    "got undefined",
  ],
  "a scaling of factor 0": [
    () => posenc.rope({ headDim: 4, scaling: { type: "linear", factor: 0 } }),
    "VALUE_RANGE",
    "scaling.factor",
    "got 0",
  ],
  "a scaling that is a word": [
    () => posenc.rope({ headDim: 4, scaling: "linear" }),
    "TYPE",
    "scaling.type",
  ],
  "an option of another scaling": [
    () => posenc.rope({ headDim: 4, scaling: { type: "linear", factor: 2, betaFast: 3 } }),
    "TYPE",
    "betaFast",
  ],
  "factors of another number": [
    () =>
      posenc.rope({
        headDim: 4,
        scaling: {
          type: "long_rope",
          shortFactor: [1],
          longFactor: [1, 1],
          originalMaxPositionEmbeddings: 8,
        },
      }),
    "SHAPE",
    "scaling.shortFactor",
  ],
  "factors that are text": [
    () =>
      posenc.rope({
        headDim: 4,
        scaling: { type: "custom_frequencies", invFreq: ["1", 1] },
      }),
    "TYPE",
    "scaling.invFreq",
  ],
  "an attention factor that is NaN": [
    () =>
      posenc.rope({
        headDim: 4,
        scaling: {
          type: "yarn",
          factor: 2,
          originalMaxPositionEmbeddings: 8,
          attentionFactor: NaN,
        },
      }),
    "VALUE_RANGE",
    "scaling.attentionFactor",
  ],
  "two sections": [
    () => posenc.rope({ headDim: 4, axes: { type: "mrope", sections: [1, 1] } }),
    "TYPE",
    "axes.sections",
  ],
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
  "slopes of another number": [
    () => posenc.alibi({ heads: 2, customSlopes: [1] }),
    "SHAPE",
    "customSlopes",
  ],
  "a misspelt option": [
    () => posenc.rope({ headDim: 4, rotarydim: 2 }),
    "TYPE",
    "rotarydim",
    'rope: there is no option "rotarydim"',
  ],
  "a config that is none": [() => posenc.rope(64), "TYPE", "config", "got 64"],
  "a rotary_dim beyond head_dim": [
    () => posenc.rope({ headDim: 4, rotaryDim: 6 }),
    "VALUE_RANGE",
    "rotaryDim",
    "rotary_dim",
  ],
  "a dim of 0": [() => posenc.sinusoidal({ dim: 0 }), "VALUE_RANGE", "dim", "got 0"],
  "no heads": [() => posenc.alibi({ heads: 0 }), "VALUE_RANGE", "heads", "got 0"],
  "a direction that is not said": [
    () => posenc.t5({ heads: 1 }),
    "TYPE",
    "bidirectional",
    "t5: bidirectional must be true or false, got undefined",
  ],
  "a table that does not fit": [
    () => posenc.t5({ heads: 2, bidirectional: true, table: four() }),
    "SHAPE",
    "table",
    "table",
  ],
  "rows that do not fit": [
    () => posenc.learned({ rows: new Float32Array(7), dim: 4 }),
    "SHAPE",
    "rows",
    "rows",
  ],
  "rows in a plain array": [
    () => posenc.learned({ rows: [1, 2], dim: 2 }),
    "TYPE",
    "rows",
    "a Float32Array or a buffer from alloc()",
  ],
  "a row that the table has not": [
    () => learned.table({ offset: 1, length: 2 }),
    "POSITION_RANGE",
    "positions",
    "position 2",
  ],
  "a fractional row": [() => learned.table({ positions: [0.5] }), "POSITION_RANGE", "positions"],
  "a position that is NaN": [
    () => sinusoidal.table({ positions: [NaN] }),
    "POSITION_RANGE",
    "positions",
  ],
  "a position that is text": [
    () => sinusoidal.table({ positions: [0, "1"] }),
    "TYPE",
    "positions",
    '[1] is "1"',
  ],
  "a position that is missing": [
    () => sinusoidal.table({ positions: Array(2) }),
    "TYPE",
    "positions",
  ],
  "positions of 32-bit floats": [
    () => sinusoidal.table({ positions: four() }),
    "TYPE",
    "positions",
    "got Float32Array",
  ],
  "positions beside a range": [
    () => sinusoidal.table({ positions: [0], offset: 3 }),
    "TYPE",
    "positions",
  ],
  "positions without a length": [() => sinusoidal.table({ offset: 3 }), "TYPE", "length"],
  "no positions": [() => sinusoidal.table(), "TYPE", "positions", "got undefined"],
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
  "2^31 rows": [() => sinusoidal.table({ length: 2 ** 31 }), "SIZE_LIMIT", "length"],
  "2^31 values": [() => sinusoidal.table({ length: 2 ** 29 }), "SIZE_LIMIT", "out", "2147483648"],
  "2^31 scores": [
    () => alibi.bias({ queries: { length: 2 ** 15 }, keys: { length: 2 ** 15 } }),
    "SIZE_LIMIT",
    "out",
  ],
  "2^31 distances": [() => alibi.distances(0, 2 ** 31), "SIZE_LIMIT", "length"],
  "2^31 heads of a tensor": [() => rope.apply(four(), { heads: 2 ** 31 }), "SIZE_LIMIT", "heads"],
  "2^62 rotated values": [
    () => rope.apply(four(), { heads: 2 ** 31 - 1, batch: 2 ** 31 - 1, length: 1 }),
    "SIZE_LIMIT",
  ],
  "a distance that is far": [() => alibi.distances(2 ** 60, 1), "POSITION_RANGE", "first"],
  "distances of another length": [
    () => alibi.distances(0, 3, four()),
    "SHAPE",
    "out",
    "alibi: out must have heads * length = 2 * 3 = 6 elements, got 4",
  ],
  "a bias of another length": [
    () => alibi.bias({ queries: { length: 1 }, keys: { length: 1 } }, four()),
    "SHAPE",
    "out",
  ],
  "no keys": [() => alibi.bias({ queries: { length: 1 } }), "TYPE", "keys"],
  "fractional distances": [() => t5.buckets([0.5]), "VALUE_RANGE", "distances", "got 0.5"],
  "a bias without a table": [() => t5.distances(0, 1), "SHAPE", "table"],
  "fractional positions in t5": [
    () => withTable.bias({ queries: { positions: [0.5] }, keys: { length: 1 } }),
    "POSITION_RANGE",
  ],
  "values that are not said": [() => attend({ queryCount: undefined }), "TYPE", "queryCount"],
  "keys of another length": [() => attend({ keyCount: 2 }), "SHAPE", "k"],
  "heads that cannot share": [() => attend({ heads: 3, kvHeads: 2 }), "VALUE_RANGE", "kvHeads"],
  "a scale that is NaN": [() => attend({ scale: NaN }), "VALUE_RANGE", "scale"],
  "causal that is a number": [() => attend({ causal: 1 }), "TYPE", "causal"],
  "distances that miss some": [
    () => attend({ terms: { distances: four(), firstDistance: 3 } }),
    "SHAPE",
  ],
  "a misspelt term": [() => attend({ terms: { keybias: four() } }), "TYPE", "keybias"],
  "an out that is q": [
    () => {
      const q = four();
      return posenc.attention(q, four(), four(), {
        queryCount: 1,
        keyCount: 1,
        headDim: 4,
        out: q,
      });
    },
    "OVERLAP",
    "out",
  ],
  "2^31 floats": [() => posenc.alloc(2 ** 31), "SIZE_LIMIT", "length"],
  "2^29 floats": [() => posenc.alloc(2 ** 29), "SIZE_LIMIT", "length"],
  "floats in parts": [() => posenc.alloc(1.5), "VALUE_RANGE", "length"],
  "a part beyond its whole": [() => buffer.subarray(0, 65), "VALUE_RANGE", "to"],
  "a part that ends before it starts": [() => buffer.subarray(9, 8), "VALUE_RANGE", "from"],
};

for (const [what, [call, code, field, message]] of Object.entries(refused)) {
  test(`refuses ${what}`, () => {
    const error = thrownBy(call);
    assert.ok(error instanceof PosencError, String(error?.stack));
    assert.equal(error.name, "PosencError");
    assert.equal(error.code, code, error.message);
    if (field !== undefined) assert.equal(error.field, field, error.message);
    if (message !== undefined) assert.ok(error.message.includes(message), error.message);
    assert.match(error.message, /^[a-z0-9]+: /);
    assertWorks();
  });
}

test("takes arrays of another realm, as test runners and frames make them", () => {
  const x = vm.runInNewContext("new Float32Array([1, 2, 3, 4])");
  const positions = vm.runInNewContext("new Int32Array([0])");
  assert.deepEqual([...rope.apply(x, { positions })], [1, 2, 3, 4]);
});

test("takes arrays in shared memory", () => {
  const x = new Float32Array(new SharedArrayBuffer(16)).fill(1);
  assert.deepEqual([...rope.apply(x)], [1, 1, 1, 1]);
});

test("writes nothing when it refuses", () => {
  const x = new Float32Array(5).fill(7);
  assert.throws(() => rope.apply(x, { offset: 1 }), PosencError);
  assert.deepEqual([...x], [7, 7, 7, 7, 7]);
});

test("survives 100,000 errors in a row, in seconds and in the same memory", () => {
  const bytes = buffer.view().buffer.byteLength;
  const start = performance.now();
  const calls = Object.values(refused)
    .map(([call]) => call)
    .filter((call) => !String(call).includes("2 **"));
  for (let i = 0; i < 100_000; ++i) thrownBy(calls[i % calls.length]);
  const seconds = (performance.now() - start) / 1000;
  assert.equal(buffer.view().buffer.byteLength, bytes);
  assert.ok(seconds < 60, `took ${seconds} s`);
  assertWorks();
});

after(() => {
  for (const owned of [rope, sinusoidal, learned, alibi, t5, withTable, buffer]) owned.dispose();
});

function thrownBy(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}

function assertWorks() {
  assert.deepEqual([...sinusoidal.table({ length: 1 })], [0, 1, 0, 1]);
  assert.deepEqual([...rope.apply(four().fill(3))], [3, 3, 3, 3]);
}
