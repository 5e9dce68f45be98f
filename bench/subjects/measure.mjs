// A workload is { run, results, reset?, seconds? }: memory made ready once, then work that can be
// repeated. `run` may give a promise; `seconds(count)` stands for the clock of a workload that
// cannot be timed from outside. Pages use it too.

/** Seconds of `count` runs. */
export async function secondsOf(workload, count) {
  if (workload.seconds) return workload.seconds(count);
  const { run } = workload;
  const begin = performance.now();
  for (let i = 0; i < count; ++i) {
    const pending = run();
    if (pending) await pending;
  }
  return (performance.now() - begin) / 1000;
}

/** The tensors that one run on fresh inputs writes. */
export async function resultsOf(workload) {
  workload.reset?.();
  await workload.run();
  return workload.results();
}
