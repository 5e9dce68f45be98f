// The table that a run prints.
import { NOISY, TIE } from "./statistics.mjs";

const columns = [
  ["workload", ({ workload }) => workload],
  ["build", ({ build }) => build],
  ["subject", ({ subject, numerics }) => (numerics === "fast" ? `${subject}, fast` : subject)],
  ["median", ({ median_s }) => time(median_s)],
  ["spread", ({ spread }) => `${Math.round(100 * spread)} %${spread > NOISY ? " noisy" : ""}`],
  ["rate", rate],
  ["of limit", ({ share_of_limit }) => number(share_of_limit)],
  ["posenc is", ({ times }) => (times === undefined ? "" : ratio(times))],
  ["floor -> goal", bounds],
  ["met", ({ met, goal_met }) => (goal_met ? "goal" : { true: "floor", false: "NO" }[met])],
];

/** Lines of text, one for each result, in columns. */
export function tableOf(results) {
  const rows = results.map((result) => {
    const posenc = results.find(
      ({ subject, workload, build, numerics }) =>
        subject === "posenc" &&
        numerics === "reproducible" &&
        workload === result.workload &&
        build === result.build,
    );
    const times = result.subject === "posenc" ? undefined : posenc?.ratios[result.subject];
    return columns.map(([, cell]) => cell({ ...result, times }) ?? "");
  });
  const all = [columns.map(([name]) => name), ...rows];
  const widths = columns.map((_, i) => Math.max(...all.map((row) => row[i].length)));
  const line = (row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]))
      .join("  ")
      .trimEnd();
  return all.map(line).join("\n");
}

/** 1.23 ms. */
export function time(seconds) {
  const units = [
    [1, "s"],
    [1e-3, "ms"],
    [1e-6, "us"],
    [0, "ns"],
  ];
  const [, unit] = units.find(([least]) => seconds >= least);
  const scale = { s: 1, ms: 1e3, us: 1e6, ns: 1e9 }[unit];
  return `${Number((seconds * scale).toPrecision(3))} ${unit}`;
}

function number(value) {
  return value === null || value === undefined ? "" : `${Number(value.toPrecision(2))}`;
}

/** How many times faster; near one it is a tie. */
export function ratio(times) {
  if (times < 1 / TIE) return `${number(1 / times)} x slower`;
  if (times < TIE) return `tie (${times.toFixed(2)})`;
  return `${number(times)} x faster`;
}

function rate({ bytes, flops, median_s, limit }) {
  const isOperations = bytes === null || limit?.name.includes("multiply_add");
  const value = (isOperations ? flops : bytes) / median_s / 1e9;
  return `${Number(value.toPrecision(3))} ${isOperations ? "GFLOP/s" : "GB/s"}`;
}

function bounds({ floor, goal, reached }) {
  if (!floor) return "";
  return Object.keys(floor)
    .map((name) => `${name} ${number(reached[name])} (${floor[name]} -> ${goal[name]})`)
    .join(", ");
}
