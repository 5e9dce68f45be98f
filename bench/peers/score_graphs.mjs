// The graphs of scores and of attention; see graphs.mjs.
import { biasOf, data, matrixOf } from "../subjects/data.mjs";
import { float, int64, rotary, scalar } from "./graph_parts.mjs";

const fed = ({ heads, length, dim }, seed) =>
  float([heads, length, dim], data(heads * length * dim, seed));

function scoresGraph(shape, scores) {
  const { heads, length } = shape;
  const feeds = { q: fed(shape, 1), k: fed(shape, 2) };
  const step = (graph, zero) => {
    const [q, k] = ["q", "k"].map((name) => graph.node("Add", [name, zero]));
    return scores(graph, q, k, shape);
  };
  const y = float([heads, length, length]);
  return { note: "MatMul, GatherElements", x: scalar, y, chain: "scalar", step, feeds };
}

/** Scores times scale, from products with one row for each distance. */
function gathered(graph, products, { heads, length }, name, rowOf) {
  const one = matrixOf(length, rowOf, Int32Array);
  const index = new Int32Array(heads * one.length);
  for (let head = 0; head < heads; ++head) index.set(one, head * one.length);
  const rows = graph.constant(name, int64([heads, length, length], index));
  return graph.node("GatherElements", [products, rows], { axis: 2 });
}

function scaled(graph, value, scale) {
  return graph.node("Mul", [value, graph.constant("scale", float([1], Float32Array.of(scale)))]);
}

export function shaw(shape) {
  const { dim, reach } = shape;
  const rows = 2 * reach + 1;
  const keys = data(rows * dim, 3);
  const transposed = Float32Array.from(
    keys,
    (_, i) => keys[(i % rows) * dim + Math.floor(i / rows)],
  );
  const scores = (graph, q) => {
    const table = graph.constant("keys", float([dim, rows], transposed));
    const clip = (distance) => Math.min(Math.max(distance, -reach), reach) + reach;
    const products = graph.node("MatMul", [q, table]);
    return scaled(graph, gathered(graph, products, shape, "index", clip), 1 / Math.sqrt(dim));
  };
  return [scoresGraph(shape, scores)];
}

/** [rows, heads, dim] as [heads, dim, rows]. */
function byHeadTransposed(table, rows, heads, dim) {
  const out = new Float32Array(table.length);
  for (let i = 0; i < table.length; ++i) {
    const row = Math.floor(i / (heads * dim));
    out[(i % (heads * dim)) * rows + row] = table[i];
  }
  return float([heads, dim, rows], out);
}

function debertaScores(graph, q, k, shape) {
  const { heads, length, dim } = shape;
  const table = data(2 * length * heads * dim, 3);
  const keys = byHeadTransposed(table, 2 * length, heads, dim);
  const rows = graph.constant("table", keys);
  // Row length + query - key; transposed it is key's row that is asked for.
  const c2p = gathered(
    graph,
    graph.node("MatMul", [q, rows]),
    shape,
    "c2p",
    (distance) => length - distance,
  );
  const p2c = gathered(
    graph,
    graph.node("MatMul", [k, rows]),
    shape,
    "p2c",
    (distance) => length + distance,
  );
  const turned = graph.node("Transpose", [p2c], { perm: [0, 2, 1] });
  return scaled(graph, graph.node("Add", [c2p, turned]), 1 / Math.sqrt(3 * dim));
}

function transformerXlScores(graph, q, k, shape) {
  const { heads, length, dim } = shape;
  const rows = 2 * length - 1;
  const r = data(heads * rows * dim, 3);
  const turned = new Float32Array(r.length);
  for (let i = 0; i < r.length; ++i) {
    const [head, row] = [Math.floor(i / (rows * dim)), Math.floor(i / dim) % rows];
    turned[(head * dim + (i % dim)) * rows + row] = r[i];
  }
  const table = graph.constant("r", float([heads, dim, rows], turned));
  const u = graph.constant("u", float([heads, 1, dim], data(heads * dim, 4)));
  const v = graph.constant("v", float([heads, 1, dim], data(heads * dim, 5)));
  const products = graph.node("MatMul", [graph.node("Add", [q, v]), table]);
  const shifted = gathered(graph, products, shape, "index", (distance) => length - 1 + distance);
  const keys = graph.node("Transpose", [k], { perm: [0, 2, 1] });
  const content = graph.node("MatMul", [u, keys]);
  return scaled(graph, graph.node("Add", [shifted, content]), 1 / Math.sqrt(dim));
}

export const deberta = (shape) => [scoresGraph(shape, debertaScores)];
export const transformerXl = (shape) => [scoresGraph(shape, transformerXlScores)];

/** The operator of ONNX, onnxruntime's own, and the formula. */
export function attention(shape) {
  const { terms, heads, length, dim } = shape;
  const dims = [1, heads, length, dim];
  const [x, k, v] = [1, 2, 3].map((seed) => float(dims, data(heads * length * dim, seed)));
  const common = { x, y: float(dims), chain: "same", feeds: { k, v } };
  if (terms === "deberta") {
    return [{ ...common, note: "MatMul, GatherElements, Softmax", step: debertaAttention(shape) }];
  }
  const ways = { "Attention, opset 23": attentionOperator, "MatMul, Softmax, MatMul": formula };
  return Object.entries(ways).map(([note, way]) => ({
    ...common,
    note,
    step: (graph, value, index) => way(graph, ...turnedInputs(graph, value, index, shape), shape),
  }));
}

/** What the keys of step `index` are: work on the same keys would be done once for all steps. */
const keysOf = (value, index) => (index === 0 ? "k" : value);

/** q and k, rotated for terms rope. */
function turnedInputs(graph, q, index, shape) {
  const inputs = [q, keysOf(q, index)];
  if (shape.terms !== "rope") return inputs;
  return inputs.map((value) => rotary(graph, value, { ...shape, layout: "half" }));
}

function biasInput(graph, { terms, heads, length }) {
  if (terms !== "alibi" && terms !== "t5") return undefined;
  const bias = float([1, heads, length, length], biasOf(terms, heads, length));
  return graph.constant("bias", bias);
}

function attentionOperator(graph, q, k, shape) {
  const bias = biasInput(graph, shape);
  const attributes = shape.terms === "causal" ? { is_causal: 1 } : {};
  return graph.node("Attention", [q, k, "v", ...(bias ? [bias] : [])], attributes);
}

function formula(graph, q, k, shape) {
  const { terms, length, dim } = shape;
  const keys = graph.node("Transpose", [k], { perm: [0, 1, 3, 2] });
  let scores = scaled(graph, graph.node("MatMul", [q, keys]), 1 / Math.sqrt(dim));
  const bias = biasInput(graph, shape);
  if (bias) scores = graph.node("Add", [scores, bias]);
  if (terms === "causal") {
    const mask = matrixOf(length, (distance) => (distance > 0 ? -1e30 : 0));
    const hidden = graph.constant("mask", float([1, 1, length, length], mask));
    scores = graph.node("Add", [scores, hidden]);
  }
  return graph.node("MatMul", [graph.node("Softmax", [scores], { axis: -1 }), "v"]);
}

function debertaAttention(shape) {
  const { heads, length, dim } = shape;
  return (graph, q, index) => {
    const flat = (value) => graph.node("Reshape", [value, graph.wholes([heads, length, dim])]);
    const [query, key, values] = [q, keysOf(q, index), "v"].map(flat);
    const keys = graph.node("Transpose", [key], { perm: [0, 2, 1] });
    const products = scaled(graph, graph.node("MatMul", [query, keys]), 1 / Math.sqrt(3 * dim));
    const scores = graph.node("Add", [products, debertaScores(graph, query, key, shape)]);
    const weights = graph.node("Softmax", [scores], { axis: -1 });
    const out = graph.node("MatMul", [weights, values]);
    return graph.node("Reshape", [out, graph.wholes([1, heads, length, dim])]);
  };
}
