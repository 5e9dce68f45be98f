// What a run was measured on, and what else the machine did meanwhile.
import { existsSync, readFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem, type } from "node:os";
import { capture } from "../wasm/toolchain/process.mjs";

const hugePages = "/sys/kernel/mm/transparent_hugepage/enabled";

/** { processor, cores, memory_gib, huge_pages, system, compiler, versions, kernels, date }. */
export function machineOf(running) {
  const posenc = running.filter(({ subject }) => subject.numerics === "reproducible");
  return {
    processor: processorName(),
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    // Linux: whether memory comes in pages of 2 MB: always, madvise (who asks) or never
    huge_pages: existsSync(hugePages)
      ? /\[(\w+)\]/.exec(readFileSync(hugePages, "utf8"))?.[1]
      : undefined,
    system: `${type()} ${release()}`,
    compiler: capture(["c++", "--version"]).split("\n")[0],
    node: running.find(({ worker }) => worker.hello.node)?.worker.hello.node,
    kernels: Object.fromEntries(
      posenc.map(({ subject, worker }) => [subject.build, worker.hello.kernel]),
    ),
    versions: [...new Set(running.map(({ worker }) => worker.hello.version))],
    date: new Date().toISOString().slice(0, 10),
  };
}

/** A virtual machine may hide the model; family and model number are there always. */
function processorName() {
  const [{ model }] = cpus();
  if (!existsSync("/proc/cpuinfo")) return model;
  const text = readFileSync("/proc/cpuinfo", "utf8");
  const field = (name) => new RegExp(`^${name}\\s*: (.*)$`, "m").exec(text)?.[1];
  const numbers = `family ${field("cpu family")}, model ${field("model")}`;
  return field("cpu family") ? `${model} (${field("vendor_id")}, ${numbers})` : model;
}

/** Starts watching; the function that it gives says what was seen: { before, after, stolen }. */
export function watchLoad() {
  const [before] = loadavg();
  const start = processorTimes();
  return () => {
    const [after] = loadavg();
    const end = processorTimes();
    const total = end.total - start.total;
    return { before, after, stolen: total > 0 ? (end.stolen - start.stolen) / total : null };
  };
}

/** Ticks of all processors, and those that the host gave to others. */
function processorTimes() {
  if (!existsSync("/proc/stat")) return { total: 0, stolen: 0 };
  const [line] = readFileSync("/proc/stat", "utf8").split("\n");
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  return { total: ticks.reduce((sum, tick) => sum + tick, 0), stolen: ticks[7] };
}
