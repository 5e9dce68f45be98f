// onnxruntime-web and onnxruntime-node, one thread. What is timed is the operator alone: a graph with
// it five times in a chain, minus one with it once, divided by four. A call as a whole costs many
// times that, most of it for the fresh memory of its output.
import { createRequire } from "node:module";
import { fromHalf } from "../subjects/data.mjs";
import { graphs } from "./graphs.mjs";
import { Graph } from "./onnx.mjs";

const CHAIN = 5;

/**
 * onnxruntime keeps float16 in a Float16Array where there is one: numbers where bits are read here,
 * and onnxruntime-node takes it for empty. Without it both use a Uint16Array.
 */
function float16AsBits() {
  delete globalThis.Float16Array;
}

export async function loadWeb() {
  float16AsBits();
  const ort = await import("onnxruntime-web");
  ort.env.wasm.numThreads = 1;
  return { versions: versionOf("onnxruntime-web"), makers: makersOf(ort, ["wasm"]) };
}

export async function loadNode() {
  float16AsBits();
  const { default: ort } = await import("onnxruntime-node");
  return { versions: versionOf("onnxruntime-node"), makers: makersOf(ort, ["cpu"]) };
}

function versionOf(name) {
  const require = createRequire(import.meta.url);
  const path = require.resolve(name).replace(/\/dist\/.*/, "");
  return { version: `${name} ${require(`${path}/package.json`).version}` };
}

function makersOf(ort, executionProviders) {
  const options = {
    executionProviders,
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
    logSeverityLevel: 3,
  };
  const start = (model) => ort.InferenceSession.create(model, options);
  const makers = Object.entries(graphs).map(([kind, waysOf]) => [
    kind,
    (shape) => fastest(ort, start, waysOf(shape)),
  ]);
  return Object.fromEntries(makers);
}

/** Of several ways to build the operator the one that takes the least time. */
async function fastest(ort, start, ways) {
  let best;
  const failures = [];
  for (const way of ways) {
    try {
      const workload = await workloadOf(ort, start, way);
      await workload.seconds(1);
      const seconds = Math.min(await workload.seconds(1), await workload.seconds(1));
      const loser = best && best.taken <= seconds ? workload : best?.workload;
      if (loser !== workload) best = { workload, taken: seconds };
      await loser?.dispose();
    } catch (error) {
      failures.push(`${way.note}: ${error.message ?? error}`);
    }
  }
  if (!best && failures.length > 0) throw new Error(failures.join("; "));
  return best?.workload;
}

async function workloadOf(ort, start, way) {
  const fixed = Object.entries(way.feeds ?? {});
  const tensor = ({ type, dims, values }) => new ort.Tensor(type, values, dims);
  const feeds = Object.fromEntries(
    [["x", way.x], ...fixed].map(([n, value]) => [n, tensor(value)]),
  );
  const sessions = new Map();
  const session = async (steps, tail) => {
    const name = `${steps} ${tail}`;
    if (!sessions.has(name)) sessions.set(name, await start(modelOf(way, steps, tail)));
    return sessions.get(name);
  };
  let out = [];
  const { y, rows = (values) => values } = way;
  return {
    note: way.note,
    async run() {
      const whole = await session(1, false);
      const { result } = await whole.run(feeds);
      const isHalf = y.type === "float16";
      out = isHalf ? Float32Array.from(result.data, fromHalf) : rows(result.data);
    },
    results: () => [out],
    seconds: way.chain === "call" ? callClock(ort, session, feeds, y) : chainClock(session, feeds),
    async dispose() {
      for (const each of sessions.values()) await each.release();
    },
  };
}

/** The operator `steps` times; `tail` gives out one element alone. */
function modelOf(way, steps, tail) {
  const graph = new Graph();
  graph.input("x", way.x);
  for (const [name, value] of Object.entries(way.feeds ?? {})) graph.input(name, value);
  const rank = way.y.dims.length;
  const first = (value) => {
    const list = (item) => graph.wholes(Array(rank).fill(item));
    const axes = graph.wholes(Array.from({ length: rank }, (_, axis) => axis));
    return graph.node("Slice", [value, list(0), list(1), axes]);
  };
  const zero = (value) => {
    const one = graph.node("Reshape", [first(value), graph.wholes([1])]);
    const nothing = { type: "float32", dims: [1], values: new Float32Array(1) };
    return graph.node("Mul", [one, graph.constant("nothing", nothing)]);
  };
  let value = "x";
  for (let i = 0; i < steps; ++i) {
    if (i > 0 && way.chain === "scalar") value = zero(value);
    value = way.step(graph, value, i);
  }
  const dims = tail ? Array(rank).fill(1) : way.y.dims;
  const result = tail ? first(value) : value;
  graph.output("result", { type: way.y.type, dims });
  graph.alias(result, "result");
  return graph.encode();
}

function chainClock(session, feeds) {
  return async (count) => {
    const [long, short] = [await session(CHAIN, true), await session(1, true)];
    const time = async (chain) => {
      const begin = performance.now();
      await chain.run(feeds);
      return performance.now() - begin;
    };
    let total = 0;
    for (let i = 0; i < count; ++i) total += (await time(long)) - (await time(short));
    return total / (CHAIN - 1) / 1000;
  };
}

/** The whole call, its output written to memory that is there. */
function callClock(ort, session, feeds, y) {
  const size = y.dims.reduce((product, dim) => product * dim, 1);
  const fetches = { result: new ort.Tensor(y.type, new Float32Array(size), y.dims) };
  return async (count) => {
    const whole = await session(1, false);
    const begin = performance.now();
    for (let i = 0; i < count; ++i) await whole.run(feeds, fetches);
    return (performance.now() - begin) / 1000;
  };
}
