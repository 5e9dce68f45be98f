// The workloads as ONNX graphs, by kind: a list of ways to build the operator, of which the fastest
// counts. Each is { note, x, y, chain, step, feeds? }: `step(graph, x, index)` adds the operator once
// more, the index-th time, and names its output. With chain "same" x is what the operator works on,
// and its output has x's shape; with "scalar" x is one float, 0, which the operator adds to a small
// input of its own; with "call" there is no chain. Nothing may be equal in two steps: onnxruntime
// would compute it once for both.
import { bucketOf, data, frequencies, matrixOf, slopes, turns } from "../subjects/data.mjs";
import { float, int64, rotary, scalar, stored } from "./graph_parts.mjs";
import { attention, deberta, shaw, transformerXl } from "./score_graphs.mjs";

export const graphs = {
  rope,
  decode: ({ table, ...shape }) => (table === "ready" ? decode(shape) : []),
  sinusoidal,
  alibi: (shape) => (shape.form === "written" ? alibi(shape) : []),
  t5: (shape) => (shape.form === "written" ? t5(shape) : []),
  learned,
  resize,
  shaw,
  deberta,
  transformer_xl: transformerXl,
  attention,
};

/** The operator of onnxruntime, and for the half layout also the formula. */
function rope({ layout, storage, heads, length, dim }) {
  const x = stored(storage, [1, heads, length, dim], data(heads * length * dim));
  const common = { x, y: { type: x.type, dims: x.dims }, chain: "same" };
  const operator = (graph, value) => rotary(graph, value, { layout, storage, length, dim });
  const ways = [{ ...common, note: "RotaryEmbedding", step: operator }];
  if (layout === "half" && storage === "float32") {
    const step = (graph, value) => rotateByFormula(graph, value, length, dim);
    ways.push({ ...common, note: "x cos + rotate_half(x) sin", step });
  }
  return ways;
}

function rotateByFormula(graph, value, length, dim) {
  const { cos, sin } = turns(0, length, dim / 2);
  const twice = (table) => {
    const both = new Float32Array(length * dim);
    for (let i = 0; i < both.length; ++i) {
      both[i] = table[Math.floor(i / dim) * (dim / 2) + (i % (dim / 2))];
    }
    return float([1, 1, length, dim], both);
  };
  const [a, b] = [graph.slice(value, 3, 0, dim / 2), graph.slice(value, 3, dim / 2, dim)];
  const turned = graph.node("Concat", [graph.node("Neg", [b]), a], { axis: 3 });
  const straight = graph.node("Mul", [value, graph.constant("cos2", twice(cos))]);
  return graph.node("Add", [
    straight,
    graph.node("Mul", [turned, graph.constant("sin2", twice(sin))]),
  ]);
}

/** The whole call counts. */
function decode({ heads, dim, position }) {
  const x = float([1, heads, 1, dim], data(heads * dim));
  const shape = { layout: "half", first: position, length: 1, dim };
  const step = (graph, value) => rotary(graph, value, shape);
  return [{ note: "RotaryEmbedding, the whole call", x, y: x, chain: "call", step }];
}

function sinusoidal({ layout, length, dim }) {
  const positions = float(
    [length, 1],
    Float32Array.from({ length }, (_, i) => i),
  );
  const frequency = float([1, dim / 2], Float32Array.from(frequencies(dim / 2)));
  const step = (graph, zero) => {
    const shifted = graph.node("Add", [graph.constant("frequency", frequency), zero]);
    const angles = graph.node("Mul", [graph.constant("positions", positions), shifted]);
    const parts = ["Sin", "Cos"].map((name) => graph.node(name, [angles]));
    if (layout === "half") return graph.node("Concat", parts, { axis: 1 });
    const columns = parts.map((part) => graph.node("Unsqueeze", [part, graph.wholes([2])]));
    const pairs = graph.node("Concat", columns, { axis: 2 });
    return graph.node("Reshape", [pairs, graph.wholes([length, dim])]);
  };
  const y = float([length, dim]);
  return [{ note: "Mul, Sin, Cos, Concat", x: scalar, y, chain: "scalar", step }];
}

function alibi({ heads, length }) {
  const distances = matrixOf(length, (distance) => -Math.abs(distance));
  const step = (graph, zero) => {
    const factors = graph.constant("slopes", float([heads, 1, 1], slopes(heads)));
    const matrix = graph.constant("distances", float([1, length, length], distances));
    return graph.node("Mul", [graph.node("Add", [factors, zero]), matrix]);
  };
  const y = float([heads, length, length]);
  return [{ note: "slopes * distances", x: scalar, y, chain: "scalar", step }];
}

function t5({ heads, length }) {
  const table = data(32 * heads);
  const transposed = Float32Array.from(table, (_, i) => table[(i % 32) * heads + (i >> 5)]);
  const buckets = matrixOf(length, bucketOf);
  const step = (graph, zero) => {
    const rows = graph.constant("table", float([heads, 32], transposed));
    const index = graph.constant("buckets", int64([length, length], buckets));
    return graph.node("Gather", [graph.node("Add", [rows, zero]), index], { axis: 1 });
  };
  const y = float([heads, length, length]);
  return [{ note: "Gather by bucket", x: scalar, y, chain: "scalar", step }];
}

function learned({ lookup, length, dim }) {
  const x = float([length, dim], data(length * dim, 1));
  const ids = Array.from({ length }, (_, i) => i);
  const step = (graph, value, index) => {
    const rows = graph.constant("rows", float([length, dim], data(length * dim, 2)));
    // The same positions in every step, or constant ones, would be looked up once for all.
    const zero = `zero_${index}`;
    const positions = graph.node("Add", [graph.constant("ids", int64([length], ids)), zero]);
    const taken = lookup === "ids" ? graph.node("Gather", [rows, positions], { axis: 0 }) : rows;
    return graph.node("Add", [value, taken]);
  };
  const note = lookup === "ids" ? "Gather, Add" : "Add";
  const zeros = Array.from({ length: 5 }, (_, index) => [`zero_${index}`, int64([1], [0])]);
  const feeds = Object.fromEntries(zeros);
  return [{ note, x, y: x, chain: "same", step, feeds }];
}

function resize({ from, to, dim }) {
  const table = data(from * from * dim);
  const planes = new Float32Array(table.length);
  for (let i = 0; i < table.length; ++i) {
    planes[(i % dim) * from * from + Math.floor(i / dim)] = table[i];
  }
  const attributes = {
    mode: "cubic",
    cubic_coeff_a: { float: -0.75 },
    coordinate_transformation_mode: "half_pixel",
  };
  const step = (graph, zero) => {
    const image = graph.constant("image", float([1, dim, from, from], planes));
    const input = graph.node("Add", [image, zero]);
    return graph.node("Resize", [input, "", "", graph.wholes([1, dim, to, to])], attributes);
  };
  const y = float([1, dim, to, to]);
  const rows = (values) =>
    Float32Array.from(values, (_, i) => values[(i % dim) * to * to + Math.floor(i / dim)]);
  return [{ note: "Resize, cubic", x: scalar, y, chain: "scalar", step, rows }];
}
