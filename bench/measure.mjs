// Measures one workload: every subject makes it ready, shows that it does the same work as posenc,
// and then all are timed round by round, one after the other, so that a slow moment of the machine
// meets all of them.
import { readFileSync } from "node:fs";
import { NOISY, spread } from "./statistics.mjs";
import { limitsOf } from "./workloads.mjs";

/**
 * @param workload one of workloads.mjs
 * @param running [{ subject, worker }]
 * @param pace { rounds, sampleSeconds, warmSeconds, folder, log }
 * @returns { measured, again }: what statistics.mjs takes, and whether it was run twice
 */
export async function measureWorkload(workload, running, pace) {
  const slots = await readySlots(workload, running, pace.log);
  const fair = await sameWork(workload, slots, pace);
  const rounds = workload.rounds ? Math.min(workload.rounds, pace.rounds) : pace.rounds;
  const warm = await warmedUp(fair, rounds, pace);
  let measured = await roundsOf(warm, rounds, pace.log);
  const noisiest = (list) => Math.max(...list.map(({ samples }) => spread(samples)));
  const again = noisiest(measured) > NOISY && !pace.once;
  if (again) {
    const second = await roundsOf(warm, rounds, pace.log);
    if (noisiest(second) < noisiest(measured)) measured = second;
  }
  await Promise.all(running.map(({ worker }) => worker.clear()));
  return { measured, again };
}

/** Every subject's slot, and for posenc those of its limits and of what it is compared with. */
async function readySlots(workload, running, log) {
  const { builds = ["native", "wasm"], subjects } = workload;
  const taking = running.filter(
    ({ subject }) =>
      builds.includes(subject.build) && (!subjects || subjects.includes(subject.name)),
  );
  return inTurn(taking, (one) => slotsOf(workload, one, log));
}

/**
 * `work` for all at once, save for those that time something while they get ready: they come one by
 * one when the others are done. The lists that it gives are joined in the order of `list`.
 */
async function inTurn(list, work) {
  const isAlone = ({ subject }) => subject.chooses;
  const together = list.map((one) => (isAlone(one) ? undefined : work(one)));
  await Promise.all(together);
  const lists = [];
  for (const [index, one] of list.entries())
    lists.push((await together[index]) ?? (await work(one)));
  return lists.flat();
}

async function slotsOf(workload, { subject, worker }, log) {
  const { name, build, numerics } = subject;
  const slots = [];
  const add = async (role, slotName, work, unit) => {
    const slot = `${role}_${slots.length}`;
    const { skip, failed, note } = await worker.prepare(slot, work);
    if (failed && role === "subject") log(`  ${build} ${name}: ${skip}`);
    if (skip !== undefined) return;
    slots.push({ worker, slot, role, unit, subject: slotName, build, numerics, note });
  };
  await add("subject", name, workload);
  if (numerics === undefined || slots.length === 0) return slots;
  const { against } = workload;
  if (against) await add("against", against.name, { kind: workload.kind, shape: against.shape });
  for (const limit of limitsOf(workload)) {
    const label = [limit.kind.replace("limit_", ""), limit.shape.stores].filter(Boolean);
    await add("limit", label.join(" "), limit, limit.shape.bytes ?? limit.shape.flops);
  }
  return slots;
}

/** Leaves out subjects whose results differ from posenc's by more than the tolerance. */
async function sameWork({ tolerance }, slots, { folder, log }) {
  const subjects = slots.filter(({ role }) => role === "subject");
  const samples = await Promise.all(subjects.map((slot) => sampleOf(slot, folder)));
  const reference = samples.find((sample) => sample instanceof Float32Array);
  const problems = new Map();
  const texts = subjects.map((slot, index) => {
    const sample = samples[index];
    const difference = sample.message ? undefined : largestDifference(sample, reference);
    if (sample.message) problems.set(slot, sample.message);
    else if (difference > tolerance) problems.set(slot, `differs by ${difference}, not timed`);
    return `${slot.subject} ${difference?.toPrecision(1)}`;
  });
  log(`  largest difference (at most ${tolerance}): ${texts.join(", ")}`);
  for (const [{ build, subject }, problem] of problems) log(`  ${build} ${subject}: ${problem}`);
  return slots.filter((slot) => !problems.has(slot));
}

/** A sample of what the subject writes, or an error. */
async function sampleOf({ worker, slot, build, subject, numerics }, folder) {
  const path = `${folder}/${build}_${subject.replaceAll(" ", "_")}_${numerics}.f32`;
  try {
    await worker.result(slot, path);
    return floatsOf(path);
  } catch (error) {
    return error;
  }
}

function floatsOf(path) {
  const bytes = readFileSync(path);
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

/** Infinity when the sizes differ or a difference is no number. */
export function largestDifference(a, b) {
  if (a.length !== b.length || a.length === 0) return Number.POSITIVE_INFINITY;
  let largest = 0;
  for (let i = 0; i < a.length; ++i) {
    const difference = Math.abs(a[i] - b[i]);
    if (!(difference <= largest)) largest = difference;
    if (Number.isNaN(largest)) return Number.POSITIVE_INFINITY;
  }
  return largest;
}

/** Subjects whose run takes longer than this are in every fourth round only. */
const SLOW_SECONDS = 0.4;

/** The slots, warm, with how many runs make a sample; those that cannot run are left out. */
async function warmedUp(slots, rounds, pace) {
  const warm = [];
  for (const slot of slots) {
    try {
      warm.push({ ...slot, ...(await runsOf(slot, rounds, pace)) });
    } catch (error) {
      pace.log(`  ${slot.build} ${slot.subject}: ${error.message}`);
    }
  }
  return warm;
}

/** Subjects whose run takes longer than this are not run twice for one sample. */
const LONG_SECONDS = 0.1;

/**
 * Warms up, and finds how many runs make a sample, and how many come before it that are not timed,
 * for the others' runs have put this one's memory out of the caches and of the tables of pages:
 * { count, untimed, every }. The first run of all counts for nothing: memory comes with its use.
 */
async function runsOf({ worker, slot }, rounds, { sampleSeconds, warmSeconds }) {
  let total = 0;
  let runs = 1;
  let one = 0;
  await worker.run(slot, 1);
  do {
    const seconds = Math.max(await worker.run(slot, runs), 1e-9);
    total += seconds;
    one = seconds / runs;
    runs = Math.max(1, Math.min(2 * runs, Math.ceil(warmSeconds / one)));
  } while (total < warmSeconds);
  const count = Math.max(1, Math.min(Math.round(sampleSeconds / one), 1e6));
  const untimed = one > LONG_SECONDS ? 0 : Math.ceil(count / 4);
  return { count, untimed, every: one > SLOW_SECONDS && rounds > 4 ? 4 : 1 };
}

/** A B C, A B C, ...; without those that fail on the way. */
async function roundsOf(slots, rounds, log) {
  let measured = slots.map((slot) => ({ ...slot, samples: [] }));
  for (let round = 0; round < rounds; ++round) {
    for (const one of measured.filter(({ every }) => round % every === 0)) {
      try {
        if (one.untimed > 0) await one.worker.run(one.slot, one.untimed);
        const seconds = await one.worker.run(one.slot, one.count);
        one.samples.push(Math.max(seconds / one.count, 1e-10));
      } catch (error) {
        log(`  ${one.build} ${one.subject}: ${error.message}`);
        measured = measured.filter((other) => other !== one);
      }
    }
  }
  return measured;
}
