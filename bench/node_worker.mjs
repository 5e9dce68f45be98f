// A JavaScript subject of the benchmark in a process of its own: `node node_worker.mjs SUBJECT`.
// Its commands are those of worker/main.cpp.
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { sampleOf } from "./subjects/data.mjs";
import { resultsOf, secondsOf } from "./subjects/measure.mjs";

/** Each gives { versions, makers }; what cannot be loaded ends the process with a reason. */
const subjects = {
  async posenc() {
    const { load } = await import("../dist/all_node.js");
    const { posencMakers } = await import("./subjects/posenc.mjs");
    const { limitMakers } = await import("./subjects/limits.mjs");
    const posenc = await load();
    const versions = { version: `posenc ${posenc.version}`, kernel: posenc.kernel };
    return { versions, makers: { ...posencMakers(posenc), ...limitMakers } };
  },
  async posenc_fast() {
    const { load: loadAll } = await import("../dist/all_node.js");
    const { load } = await import("../dist/fast_node.js");
    const { posencMakers } = await import("./subjects/posenc.mjs");
    const { limitMakers } = await import("./subjects/limits.mjs");
    const { version, kernel, numerics, alloc, attention } = await load();
    if (numerics !== "fast") {
      throw new Error(
        `Node ${process.versions.node} has no relaxed SIMD, and no other is installed`,
      );
    }
    const makers = posencMakers({ ...(await loadAll()), alloc, attention });
    const versions = { version: `posenc ${version}`, kernel };
    return { versions, makers: { attention: makers.attention, ...limitMakers } };
  },
  async plain() {
    const { plainMakers } = await import("./subjects/plain.mjs");
    return { versions: { version: `Node ${process.versions.node}` }, makers: plainMakers };
  },
  async usual() {
    const { usualMakers } = await import("./subjects/usual.mjs");
    return { versions: { version: `Node ${process.versions.node}` }, makers: usualMakers };
  },
  async ort_web() {
    const { loadWeb } = await import("./peers/onnxruntime.mjs");
    return loadWeb();
  },
  async ort_node() {
    const { loadNode } = await import("./peers/onnxruntime.mjs");
    return loadNode();
  },
  async tfjs() {
    const { loadTfjs } = await import("./peers/tfjs.mjs");
    return loadTfjs();
  },
};

const { versions, makers } = await subjects[process.argv[2]]();
const slots = new Map();
say("hello", JSON.stringify({ ...versions, node: process.versions.node }));
for await (const line of createInterface({ input: process.stdin })) {
  try {
    say(...(await answer(...line.split(" "))));
  } catch (error) {
    say("error", String(error.message ?? error).replaceAll("\n", " "));
  }
}

async function answer(command, slot, ...words) {
  if (command === "prepare") return prepare(slot, words);
  if (command === "run") return ["time", await secondsOf(slots.get(slot), Number(words[0]))];
  if (command === "result") {
    const sample = sampleOf(await resultsOf(slots.get(slot)));
    writeFileSync(words[0], new Uint8Array(sample.buffer));
  }
  if (command === "clear") {
    for (const workload of slots.values()) await workload.dispose?.();
    slots.clear();
  }
  return ["done"];
}

async function prepare(slot, [kind, ...pairs]) {
  const maker = makers[kind];
  const workload = await maker?.(shapeOf(pairs));
  if (!workload) return ["skip", "does not do this"];
  workload.reset?.();
  slots.set(slot, workload);
  return ["ready", JSON.stringify({ note: workload.note })];
}

function shapeOf(pairs) {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name, value] = pair.split("=");
      return [name, /^\d+$/.test(value) ? Number(value) : value];
    }),
  );
}

function say(...words) {
  process.stdout.write(`${words.join(" ")}\n`);
}
