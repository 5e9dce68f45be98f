// TensorFlow.js on its WebAssembly backend, SIMD and one thread. Outputs live in the backend's own
// memory, which it uses again as soon as they are disposed.

import { setThreadsCount, version_wasm } from "@tensorflow/tfjs-backend-wasm";
import * as tf from "@tensorflow/tfjs-core";
import { biasOf, bucketOf, data, frequencies, matrixOf, slopes, turns } from "../subjects/data.mjs";

export async function loadTfjs() {
  setThreadsCount(1);
  tf.env().set("WASM_HAS_MULTITHREAD_SUPPORT", false);
  if (!(await tf.setBackend("wasm"))) throw new Error("the backend does not start");
  await tf.ready();
  return { versions: { version: `tfjs-wasm ${version_wasm}` }, makers };
}

const makers = {
  rope: ({ storage, ...shape }) => (storage === "float32" ? rope(shape) : undefined),
  sinusoidal: (shape) => (shape.layout === "half" ? sinusoidal(shape) : undefined),
  alibi: (shape) => (shape.form === "written" ? alibi(shape) : undefined),
  t5: (shape) => (shape.form === "written" ? t5(shape) : undefined),
  learned,
  attention,
};

/** `operate` makes a tensor; the one before is disposed. */
function workloadOf(note, inputs, operate) {
  let out;
  return {
    note,
    run() {
      out?.dispose();
      out = tf.tidy(operate);
    },
    results: () => [out.dataSync()],
    dispose() {
      out?.dispose();
      for (const input of inputs) input.dispose();
    },
  };
}

function rope({ layout, heads, length, dim }) {
  if (layout !== "half") return undefined;
  const { cos, sin } = turns(0, length, dim / 2);
  const [c, s] = [cos, sin].map((table) => tf.tensor(table, [1, length, dim / 2]));
  const x = tf.tensor(data(heads * length * dim), [heads, length, dim]);
  return workloadOf("slice, mul, concat", [c, s, x], () => {
    const a = tf.slice(x, [0, 0, 0], [heads, length, dim / 2]);
    const b = tf.slice(x, [0, 0, dim / 2], [heads, length, dim / 2]);
    const first = tf.sub(tf.mul(a, c), tf.mul(b, s));
    return tf.concat([first, tf.add(tf.mul(b, c), tf.mul(a, s))], 2);
  });
}

function sinusoidal({ length, dim }) {
  const positions = tf.tensor(
    Float32Array.from({ length }, (_, i) => i),
    [length, 1],
  );
  const frequency = tf.tensor(Float32Array.from(frequencies(dim / 2)), [1, dim / 2]);
  return workloadOf("mul, sin, cos, concat", [positions, frequency], () => {
    const angles = tf.mul(positions, frequency);
    return tf.concat([tf.sin(angles), tf.cos(angles)], 1);
  });
}

function alibi({ heads, length }) {
  const factors = tf.tensor(slopes(heads), [heads, 1, 1]);
  const distances = tf.tensor(
    matrixOf(length, (distance) => -Math.abs(distance)),
    [1, length, length],
  );
  const operate = () => tf.mul(factors, distances);
  return workloadOf("slopes * distances", [factors, distances], operate);
}

function t5({ heads, length }) {
  const table = tf.transpose(tf.tensor(data(32 * heads), [32, heads]));
  const buckets = tf.tensor(matrixOf(length, bucketOf, Int32Array), [length, length], "int32");
  return workloadOf("gather by bucket", [table, buckets], () => tf.gather(table, buckets, 1));
}

function learned({ lookup, length, dim }) {
  const rows = tf.tensor(data(length * dim, 2), [length, dim]);
  const x = tf.tensor(data(length * dim, 1), [length, dim]);
  const ids = tf.range(0, length, 1, "int32");
  const taken = () => (lookup === "ids" ? tf.gather(rows, ids) : rows);
  const note = lookup === "ids" ? "gather, add" : "add";
  return workloadOf(note, [rows, x, ids], () => tf.add(x, taken()));
}

function attention({ terms, heads, length, dim }) {
  if (!["none", "alibi", "t5"].includes(terms)) return undefined;
  const [q, k, v] = [1, 2, 3].map((seed) =>
    tf.tensor(data(heads * length * dim, seed), [heads, length, dim]),
  );
  const bias =
    terms === "none" ? [] : [tf.tensor(biasOf(terms, heads, length), [heads, length, length])];
  return workloadOf("matMul, softmax, matMul", [q, k, v, ...bias], () => {
    const scores = tf.mul(tf.matMul(q, k, false, true), tf.scalar(1 / Math.sqrt(dim)));
    return tf.matMul(tf.softmax(bias.length > 0 ? tf.add(scores, bias[0]) : scores), v);
  });
}
