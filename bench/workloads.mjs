// The workloads as data. Each is { name, kind, shape, bytes or flops, limit, tolerance, floors,
// against?, subjects?, rounds? }:
//
//   kind, shape  what subjects make it from
//   bytes        counted once read and once written;  flops  a multiply-add is two
//   limit        what its rate is a share of: fill, copy, modify (of as many bytes) or multiply_add
//   tolerance    the largest difference between the results of two subjects
//   against      another shape that posenc runs beside it, for ratios within posenc
//   subjects     only these
//
// and floors are [build, measure, floor, goal, numerics]: measure is "best" (times faster than the
// best peer), the name of a peer, "share" (of the limit), "of fast" (time over that with fast
// numerics) or "of NAME" (over that of `against`); of times over others less is better.

const size = (...dims) => dims.reduce((product, dim) => product * dim, 1);
const posencAlone = ["posenc"];

function rope(name, shape, floors = []) {
  const full = { layout: "half", place: "in", storage: "float32", ...shape };
  const { storage, place, heads, length, dim } = full;
  const isShort = storage === "float16";
  return {
    name: `rope/${name}`,
    kind: "rope",
    shape: full,
    bytes: 2 * (isShort ? 2 : 4) * size(heads, length, dim),
    limit: place === "out" ? "copy" : "modify",
    tolerance: isShort ? 4e-3 : 1e-5,
    floors,
  };
}

const q = { heads: 32, length: 2048, dim: 128 };
const inPlace = (native, peer = "best") => [
  ["wasm", "best", 5, 7],
  ["native", peer, ...native],
  ["wasm", "share", 0.5, 0.75],
  ["native", "share", 0.6, 0.85],
];

function decode(table, floors) {
  const shape = { table, heads: 32, dim: 128, position: 1000 };
  const bytes = 2 * 4 * size(32, 128);
  return { name: `rope/decode_${table}`, kind: "decode", shape, bytes, tolerance: 1e-4, floors };
}

function angles(rule) {
  const shape = { rule, length: 131072, pairs: 64 };
  const tolerance = rule === "exact" ? 1e-6 : 2e-2;
  const bytes = 2 * 4 * size(131072, 64);
  return { name: `angles/${rule}`, kind: "angles", shape, bytes, limit: "fill", tolerance };
}

function sinusoidal(name, shape, floors = []) {
  return {
    name: `sinusoidal/${name}`,
    kind: "sinusoidal",
    shape,
    bytes: 4 * size(shape.length, shape.dim),
    limit: "fill",
    // Peers multiply position and frequency in float32.
    tolerance: 1.2e-7 * shape.length,
    floors,
  };
}

function bias(kind, form, length, floors = []) {
  const heads = 32;
  const count = form === "written" ? length * length : 2 * length - 1;
  const bytes = 4 * size(heads, count);
  const shape = { form, heads, length };
  return { name: `${kind}/${form}`, kind, shape, bytes, limit: "fill", tolerance: 1e-3, floors };
}

function learned(name, lookup, floors = []) {
  const shape = { lookup, length: 2048, dim: 1024 };
  const bytes = 3 * 4 * size(2048, 1024);
  const common = { kind: "learned", shape, bytes, limit: "modify", tolerance: 1e-6, floors };
  return { name: `learned/${name}`, ...common };
}

function resize() {
  const shape = { from: 37, to: 64, dim: 1024 };
  const bytes = 4 * (size(37, 37, 1024) + size(64, 64, 1024));
  return { name: "resize/bicubic", kind: "resize", shape, bytes, limit: "copy", tolerance: 1e-4 };
}

/** Of `products` dot products for each head: those that some query and key of its own ask for. */
function scores(kind, products, limit, more = {}) {
  const shape = { heads: 12, length: 512, dim: 64, ...more };
  const flops = 2 * 64 * products * 12;
  const bytes = 4 * size(12, 512, 512);
  return { name: `scores/${kind}`, kind, shape, bytes, flops, limit, tolerance: 1e-3 };
}

function attention(terms, floors = [], more = {}) {
  const shape = { terms, heads: 8, length: 1024, dim: 64, ...more };
  const { heads, length, dim } = shape;
  const pairs = terms === "causal" ? (length * (length + 1)) / 2 : length * length;
  const flops = 2 * 2 * dim * heads * pairs;
  const common = { kind: "attention", shape, flops, limit: "multiply_add", tolerance: 1e-4 };
  return { name: `attention/${terms}`, ...common, floors };
}

const withBias = [
  ["wasm", "onnxruntime-web", 1.1, 1.3],
  ["native", "of fast", 2, 2],
  ["wasm", "onnxruntime-web", 1.4, 1.8, "fast"],
  ["native", "onnxruntime-node", 1.3, 1.5, "fast"],
  ["native", "share", 0.7, 0.9, "fast"],
];
const ofFull = ["wasm", "native"].map((build) => [build, "of full", 0.6, 0.52]);
const full = { name: "full", shape: { terms: "none", heads: 8, length: 1024, dim: 64 } };

/** posenc alone over lengths and widths, each point a workload. */
function curve(make, name, values, shapeOf) {
  return values.map((value) => ({
    ...make("", shapeOf(value)),
    name: `curve/${name}=${value}`,
    subjects: posencAlone,
    rounds: 5,
    floors: [],
  }));
}

const lengths = [256, 1024, 4096, 16384, 65536];
const half = { layout: "half" };

export const workloads = [
  rope("half/in_place", q, inPlace([2.5, 4], "onnxruntime-node")),
  rope("interleaved/in_place", { ...q, layout: "interleaved" }, inPlace([1.1, 1.5], "PyTorch")),
  rope("half/out_of_place", { ...q, place: "out" }),
  rope("interleaved/out_of_place", { ...q, layout: "interleaved", place: "out" }),
  rope("half/float16", { ...q, storage: "float16" }),
  {
    ...rope("half/callers_array", { ...q, place: "array" }, [["wasm", "best", 2, 3]]),
    builds: ["wasm"],
  },
  decode("ready", [
    ["wasm", "best", 4, 6],
    ["native", "onnxruntime-node", 10, 40],
  ]),
  decode("computed", []),
  angles("exact"),
  angles("float32"),
  sinusoidal("half", { ...half, length: 8192, dim: 1024 }, [
    ["wasm", "onnxruntime-web", 8, 12],
    ["native", "NumPy", 4, 8],
    ["wasm", "share", 0.33, 0.5],
    ["native", "share", 0.33, 0.5],
  ]),
  sinusoidal("interleaved", { layout: "interleaved", length: 8192, dim: 1024 }),
  bias("alibi", "written", 1024, [
    ["wasm", "best", 1.4, 1.8],
    ["wasm", "plain JavaScript", 2.5, 3.5],
    ["native", "PyTorch", 1.2, 2],
    ["wasm", "share", 0.75, 0.9],
    ["native", "share", 0.5, 0.8],
  ]),
  bias("alibi", "distances", 1024),
  bias("t5", "written", 1024, [
    ["wasm", "best", 1.4, 1.8],
    ["wasm", "plain JavaScript", 2.5, 3.5],
    ["native", "PyTorch", 1.2, 2],
    ["native", "NumPy", 3, 5],
    ["wasm", "share", 0.75, 0.9],
    ["native", "share", 0.5, 0.8],
  ]),
  bias("t5", "distances", 1024),
  learned("rows_and_add", "ids", [
    ["wasm", "best", 2, 2.5],
    ["native", "best", 2, 3],
    ["wasm", "share", 0.6, 0.8],
    ["native", "share", 0.6, 0.8],
  ]),
  learned("add_of_ready_rows", "slice"),
  resize(),
  scores("shaw", 512 * 33, "fill", { reach: 16 }),
  scores("deberta", 2 * 512 * 512, "multiply_add"),
  scores("transformer_xl", 512 * 512, "multiply_add"),
  attention("none"),
  attention("alibi", withBias),
  attention("t5", withBias),
  attention("rope", withBias),
  { ...attention("causal", ofFull), against: full },
  attention("deberta"),
  ...curve(rope, "rope/length", lengths, (length) => ({ heads: 4, length, dim: 128 })),
  ...curve(rope, "rope/width", [32, 64, 256], (dim) => ({ heads: 32, length: 2048, dim })),
  ...curve(sinusoidal, "sinusoidal/length", lengths, (length) => ({ ...half, length, dim: 512 })),
  ...curve(sinusoidal, "sinusoidal/width", [64, 256, 4096], (dim) => ({
    ...half,
    length: 2048,
    dim,
  })),
  ...curve(
    (_, { length }) => bias("alibi", "distances", length),
    "alibi_distances/length",
    lengths,
    (length) => ({ length }),
  ),
  // The work grows with the square of the length: the longest would take a minute.
  ...curve(
    (_, shape) => attention("alibi", [], shape),
    "attention_alibi/length",
    [256, 1024, 4096, 16384],
    (length) => ({ heads: 1, length }),
  ),
  ...curve(
    (_, shape) => attention("alibi", [], shape),
    "attention_alibi/width",
    [32, 128, 256],
    (dim) => ({ heads: 2, dim }),
  ),
];

/** The limits that a workload's posenc is measured beside: { kind, shape } for each. */
export function limitsOf({ limit, bytes, flops }) {
  if (limit === undefined) return [];
  if (limit === "multiply_add") {
    // A tenth of a second or less, whatever the workload.
    const shape = { flops: Math.min(flops, 2e9) };
    return ["multiply_add", "fused_multiply_add"].map((name) => ({
      kind: `limit_${name}`,
      shape,
    }));
  }
  return ["plain", "stream"].map((stores) => ({
    kind: `limit_${limit}`,
    shape: { stores, bytes },
  }));
}
