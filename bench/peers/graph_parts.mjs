// What the ONNX graphs share: constants, and the rotary operator of onnxruntime.
import { toHalf, turns } from "../subjects/data.mjs";

const MICROSOFT = "com.microsoft";

export const float = (dims, values) => ({ type: "float32", dims, values });

/** Whole numbers from 0 to 2^31 - 1. */
export function int64(dims, values) {
  const words = new Int32Array(2 * values.length);
  for (let i = 0; i < values.length; ++i) words[2 * i] = values[i];
  return { type: "int64", dims, values: new BigInt64Array(words.buffer) };
}

export const scalar = float([1], new Float32Array(1));

/** x or a table in the storage type of the workload. */
export function stored(storage, dims, values) {
  if (storage === "float32") return float(dims, values);
  return { type: "float16", dims, values: Uint16Array.from(values, toHalf) };
}

export function rotary(graph, value, { layout, storage = "float32", first = 0, length, dim }) {
  const { cos, sin } = turns(first, length, dim / 2);
  const dims = [length, dim / 2];
  const positions = int64(
    [1, length],
    Array.from({ length }, (_, i) => i),
  );
  const tables = [
    graph.constant("positions", positions),
    graph.constant("cos", stored(storage, dims, cos)),
    graph.constant("sin", stored(storage, dims, sin)),
  ];
  const attributes = { interleaved: layout === "half" ? 0 : 1 };
  return graph.node("RotaryEmbedding", [value, ...tables], attributes, MICROSOFT);
}
