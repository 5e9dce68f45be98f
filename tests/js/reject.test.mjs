// Everything that a call of posenc must refuse, a table for each subject in reject/; that errors
// leave everything as it was; and arrays that must not be refused.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import vm from "node:vm";
import { PosencError } from "posenc";
import { refuses } from "./refusals.mjs";
import { attention } from "./reject/attention.mjs";
import { biases } from "./reject/biases.mjs";
import { buffers } from "./reject/buffers.mjs";
import {
  alibi,
  buffer,
  four,
  learned,
  rope,
  sinusoidal,
  t5,
  withTable,
} from "./reject/fixture.mjs";
import { ropeCalls } from "./reject/rope_calls.mjs";
import { ropeConfigs } from "./reject/rope_config.mjs";
import { tables } from "./reject/tables.mjs";

const subjects = [ropeConfigs, ropeCalls, tables, biases, attention, buffers];

const next = () => {
  assert.deepEqual([...sinusoidal.table({ length: 1 })], [0, 1, 0, 1]);
  assert.deepEqual([...rope.apply(four().fill(3))], [3, 3, 3, 3]);
};

for (const calls of subjects) refuses(calls, next);

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
  const calls = subjects
    .flatMap((subject) => Object.values(subject))
    .map(([call]) => call)
    .filter((call) => !String(call).includes("2 **"));
  for (let i = 0; i < 100_000; ++i) assert.throws(calls[i % calls.length], PosencError);
  const seconds = (performance.now() - start) / 1000;
  assert.equal(buffer.view().buffer.byteLength, bytes);
  assert.ok(seconds < 60, `took ${seconds} s`);
  next();
});

after(() => {
  for (const owned of [rope, sinusoidal, learned, alibi, t5, withTable, buffer]) owned.dispose();
});
