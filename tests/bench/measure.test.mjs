// How a workload is measured, with workers that only pretend to work.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { measureWorkload } from "../../bench/measure.mjs";
import { WorkerProcess } from "../../bench/worker_process.mjs";

const folder = mkdtempSync(join(tmpdir(), "posenc-bench-"));
after(() => rmSync(folder, { recursive: true }));

const workload = { name: "some", kind: "rope", shape: { dim: 4 }, bytes: 64, tolerance: 0.1 };
const lines = [];
const pace = {
  ...{ rounds: 3, sampleSeconds: 0, warmSeconds: 0, once: true, folder },
  log: (line) => lines.push(line),
};

/** A worker that writes its name down each time it runs. */
function pretending(order, { name = "posenc", value = 1, seconds = () => 0.001, skip } = {}) {
  const numerics = name === "posenc" ? "reproducible" : undefined;
  const worker = {
    prepare: async (_, { kind }) => (skip || kind.startsWith("limit") ? { skip: "no" } : {}),
    result: async (_, path) => writeFileSync(path, new Uint8Array(Float32Array.of(value).buffer)),
    async run(_, count) {
      order.push(name);
      return seconds(order.length) * count;
    },
    clear: async () => {},
  };
  return { subject: { name, build: "native", numerics }, worker };
}

const names = ({ measured }) => measured.map(({ subject }) => subject);

test("Subjects are timed in turn, round by round, after they are warm", async () => {
  const order = [];
  const running = ["posenc", "A", "B"].map((name) => pretending(order, { name }));
  const outcome = await measureWorkload(workload, running, pace);
  const twice = ["posenc", "posenc", "A", "A", "B", "B"];
  assert.deepEqual(order, [...twice, ...twice, ...twice, ...twice]);
  assert.deepEqual(names(outcome), ["posenc", "A", "B"]);
  assert.ok(outcome.measured.every(({ samples }) => samples.length === 3));
});

test("What is slow in its first run, or after another's, does not count", async () => {
  const order = [];
  const seconds = (runs) => (order.at(-2) === order.at(-1) ? 0.002 : runs === 1 ? 0.5 : 0.05);
  const running = ["posenc", "A"].map((name) => pretending(order, { name, seconds }));
  const outcome = await measureWorkload(workload, running, pace);
  for (const { samples } of outcome.measured) assert.deepEqual(samples, [0.002, 0.002, 0.002]);
});

test("Who is slow is run once for a sample", async () => {
  const order = [];
  const slow = pretending(order, { name: "Slow", seconds: () => 0.2 });
  const outcome = await measureWorkload(workload, [pretending(order), slow], pace);
  const round = ["posenc", "posenc", "Slow"];
  assert.deepEqual(order.slice(4), [...round, ...round, ...round]);
  assert.deepEqual(outcome.measured[1].samples, [0.2, 0.2, 0.2]);
});

test("Who does other work than posenc is not timed, and is named", async () => {
  const order = [];
  const wrong = pretending(order, { name: "Wrong", value: 1.2 });
  const close = pretending(order, { name: "Close", value: 1.05 });
  const outcome = await measureWorkload(workload, [pretending(order), wrong, close], pace);
  assert.deepEqual(names(outcome), ["posenc", "Close"]);
  assert.match(lines.at(-1), /native Wrong: differs by 0\.2\d*, not timed/);
});

test("Who cannot do a workload is left out, and who fails on the way too", async () => {
  const order = [];
  const unable = pretending(order, { name: "Unable", skip: true });
  const failing = pretending(order, {
    name: "Failing",
    seconds(runs) {
      if (runs > 9) throw new Error("out of memory");
      return 0.001;
    },
  });
  const outcome = await measureWorkload(workload, [pretending(order), unable, failing], pace);
  assert.deepEqual(names(outcome), ["posenc"]);
  assert.equal(outcome.measured[0].samples.length, 3);
  assert.match(lines.at(-1), /native Failing: out of memory/);
});

test("Rounds that disagree by more than a third are run again, and the calmer ones are kept", async () => {
  const order = [];
  // Warm-up, three restless rounds, then calm ones.
  const seconds = (runs) => (runs < 9 ? 0.001 * runs * runs : 0.002);
  const running = [pretending(order, { seconds })];
  const outcome = await measureWorkload(workload, running, { ...pace, once: false });
  assert.equal(outcome.again, true);
  assert.deepEqual(outcome.measured[0].samples, [0.002, 0.002, 0.002]);
});

test("A worker that does not start, or ends, says so", async () => {
  await assert.rejects(WorkerProcess.start([join(folder, "nothing")]), /ENOENT/);
  const ending = "console.log('hello {}'); process.stdin.once('data', () => process.exit())";
  const worker = await WorkerProcess.start([process.execPath, "-e", ending]);
  assert.equal(worker.failed, false);
  await assert.rejects(worker.run("slot", 1), /it ended/);
  assert.equal(worker.failed, true);
});
