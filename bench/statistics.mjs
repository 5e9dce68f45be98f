// Numbers of a run: medians, spreads, ratios, and whether floors are met.

/** A workload whose rounds disagree by more than this is run again, or marked. */
export const NOISY = 1 / 3;
/** A ratio below this is called a tie. */
export const TIE = 1.3;

export function quantile(samples, part) {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const low = Math.floor(at);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low] + (sorted[high] - sorted[low]) * (at - low);
}

export const median = (samples) => quantile(samples, 0.5);

/** How far apart the middle half of the rounds lies, as a share of the median. */
export function spread(samples) {
  return (quantile(samples, 0.75) - quantile(samples, 0.25)) / median(samples);
}

/**
 * The results of one workload, as results.json has them.
 * @param workload one of workloads.mjs
 * @param measured [{ subject, build, numerics?, role, unit, samples, note? }]: role is "subject",
 *   "limit" (subject is its name, unit its bytes or flops) or "against"
 */
export function resultsOf(workload, measured) {
  const subjects = measured.filter(({ role }) => role === "subject");
  return subjects.map((one) => {
    const isPosenc = one.subject === "posenc";
    const mine = (role) => measured.filter((m) => m.role === role && m.build === one.build);
    const limit = limitFor(one, mine("limit"));
    const seconds = median(one.samples);
    const share = limit ? unitOf(workload) / seconds / limit.rate : null;
    const peers = mine("subject").filter(({ subject }) => subject !== "posenc");
    const ratios = Object.fromEntries(
      peers.map(({ subject, samples }) => [subject, median(samples) / seconds]),
    );
    const best = Math.min(...Object.values(ratios));
    const fast = mine("subject").find(({ numerics }) => numerics === "fast");
    const against = mine("against").find(({ numerics }) => numerics === one.numerics);
    const values = {
      ...ratios,
      best: Number.isFinite(best) ? best : undefined,
      share: share ?? undefined,
      ...(fast ? { "of fast": seconds / median(fast.samples) } : {}),
      ...(against ? { [`of ${against.subject}`]: seconds / median(against.samples) } : {}),
    };
    return {
      workload: workload.name,
      build: one.build,
      subject: one.subject,
      numerics: one.numerics ?? null,
      median_s: seconds,
      spread: spread(one.samples),
      rounds: one.samples.length,
      bytes: workload.bytes ?? null,
      flops: workload.flops ?? null,
      limit: limit ?? null,
      share_of_limit: share,
      note: one.note ?? null,
      ratios: isPosenc ? ratios : null,
      ratio_to_best_peer: (isPosenc ? values.best : null) ?? null,
      ...judged(isPosenc ? workload : {}, one, values),
    };
  });
}

/** What a limit is counted in: flops where it is one of operations. */
function unitOf(workload) {
  return workload.limit === "multiply_add" ? workload.flops : workload.bytes;
}

/** The fastest of the limits; the fused multiply-add belongs to the fast numerics alone. */
function limitFor({ numerics }, limits) {
  const allowed = limits.filter(({ subject }) => numerics === "fast" || !subject.includes("fused"));
  const rated = allowed.map(({ subject, unit, samples }) => ({
    name: subject,
    rate: unit / median(samples),
  }));
  return rated.sort((a, b) => b.rate - a.rate)[0];
}

/** Floors and goals by measure, and whether all are met; null where there is nothing to judge. */
function judged(workload, { build, numerics }, values) {
  const floors = (workload.floors ?? []).filter(
    ([where, measure, , , kind = "reproducible"]) =>
      where === build && kind === numerics && values[measure] !== undefined,
  );
  if (floors.length === 0) {
    return { reached: null, floor: null, goal: null, met: null, goal_met: null };
  }
  const fits = (measure, bound) =>
    measure.startsWith("of ") ? values[measure] <= bound : values[measure] >= bound;
  const column = (index) => Object.fromEntries(floors.map((floor) => [floor[1], floor[index]]));
  return {
    reached: Object.fromEntries(floors.map(([, measure]) => [measure, values[measure]])),
    floor: column(2),
    goal: column(3),
    met: floors.every(([, measure, floor]) => fits(measure, floor)),
    goal_met: floors.every(([, measure, , goal]) => fits(measure, goal)),
  };
}

/** Floors that nothing was measured for, each as "workload build measure numerics". */
export function unjudged(workloads, results) {
  return workloads.flatMap(({ name, floors = [] }) =>
    floors
      .filter(([where, measure, , , kind = "reproducible"]) => {
        const isOf = ({ workload, build, numerics }) =>
          workload === name && build === where && numerics === kind;
        return results.find(isOf)?.floor?.[measure] === undefined;
      })
      .map(([where, measure, , , kind = "reproducible"]) => `${name} ${where} ${measure} ${kind}`),
  );
}

/** How noisy a run was. */
export function noiseOf(results, { before, after, stolen, again }) {
  const spreads = results.map((result) => result.spread);
  return {
    load_before: before,
    load_after: after,
    stolen_share: stolen,
    median_spread: spreads.length > 0 ? median(spreads) : null,
    run_again: again,
    noisy: results
      .filter((result) => result.spread > NOISY)
      .map(({ workload, build, subject }) => `${workload} ${build} ${subject}`),
  };
}
