// Samples as a run gives them: two builds, two peers, a limit, and something to compare with.

export const workload = {
  name: "rope/half/in_place",
  bytes: 8e6,
  limit: "modify",
  floors: [
    ["native", "best", 2, 4],
    ["native", "NumPy", 3, 4],
    ["native", "share", 0.5, 0.9],
    ["native", "of full", 0.6, 0.4],
    ["wasm", "best", 5, 7],
    ["native", "best", 9, 9, "fast"],
  ],
};

const one = (build, subject, samples, more = {}) => ({
  build,
  subject,
  samples,
  role: "subject",
  ...more,
});
const posenc = { numerics: "reproducible" };
const limit = (build, subject, unit, samples) =>
  one(build, subject, samples, { role: "limit", unit });

export const measured = [
  one("native", "posenc", [0.001, 0.001, 0.0011, 0.0009, 0.001], posenc),
  limit("native", "modify plain", 8e6, [0.0008, 0.0008, 0.0008]),
  limit("native", "modify stream", 8e6, [0.0016, 0.0016, 0.0016]),
  one("native", "full", [0.002, 0.002, 0.002], { role: "against", ...posenc }),
  one("native", "PyTorch", [0.0025, 0.0025, 0.0025]),
  one("native", "NumPy", [0.004, 0.002, 0.008, 0.004, 0.006]),
  one("wasm", "posenc", [0.002, 0.002, 0.002], posenc),
  one("wasm", "plain JavaScript", [0.0022, 0.0022, 0.0022]),
];

export const machine = {
  processor: "A processor",
  cores: 2,
  memory_gib: 8,
  huge_pages: "madvise",
  system: "Linux",
  compiler: "c++ 12",
  node: "20.0.0",
  kernels: { native: "avx2", wasm: "wasm" },
  versions: ["posenc 0.1.0", "NumPy 1.24.2", "PyTorch 1.13.0"],
  date: "2026-01-01",
};

export const load = { before: 0.5, after: 1, stolen: 0, again: [] };
