// Who is measured: posenc in both builds and its peers, each a process that obeys the commands of
// worker/main.cpp. `numerics` is posenc's alone; `needs` is what must be installed; who
// `chooses` times several ways of a workload while it gets ready, and takes the fastest.
//
// All JavaScript runs in one Node, the one that is installed with the peers where it is there: it has
// relaxed SIMD, which Node 20 lacks, and nobody is to gain from another engine.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../wasm/toolchain/process.mjs";

const peerNode = join(
  root,
  `bench/peers/node_modules/node-${process.platform}-${process.arch}/bin/node`,
);
const node = (name) => [
  existsSync(peerNode) ? peerNode : process.execPath,
  join(root, "bench/node_worker.mjs"),
  name,
];
const native = () => join(root, "build/native/bench/posenc_bench_worker");

/** Debian's NumPy and PyTorch belong to Debian's Python, whatever comes first on PATH. */
function python(script) {
  const program = existsSync("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
  return [program, join(root, "bench/peers", script)];
}

const posenc = (build, numerics, command) => ({ name: "posenc", build, numerics, command });
const peer = (build, name, command, needs) => ({ name, build, command, needs });
const choosing = (...args) => ({ ...peer(...args), chooses: true });

export const subjects = [
  posenc("native", "reproducible", () => [native()]),
  posenc("native", "fast", () => [native(), "fast"]),
  choosing("native", "onnxruntime-node", () => node("ort_node"), "npm"),
  peer("native", "NumPy", () => python("numpy_worker.py"), "debian"),
  peer("native", "PyTorch", () => python("torch_worker.py"), "debian"),
  posenc("wasm", "reproducible", () => node("posenc")),
  posenc("wasm", "fast", () => node("posenc_fast")),
  choosing("wasm", "onnxruntime-web", () => node("ort_web"), "npm"),
  peer("wasm", "tfjs-wasm", () => node("tfjs"), "npm"),
  peer("wasm", "plain JavaScript", () => node("plain")),
  peer("wasm", "usual JavaScript", () => node("usual")),
];
