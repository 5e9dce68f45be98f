// `npm test`: set-up, both builds, then every suite in a process of its own.
// `npm test -- --only NAME` (may be repeated) runs these suites alone.
// The last line is `N passed, N failed`; the exit status is 0 only if nothing failed.
import { parseArgs } from "node:util";
import { build } from "../wasm/toolchain/build.mjs";
import { Failure, main } from "../wasm/toolchain/process.mjs";
import { setUp } from "../wasm/toolchain/setup.mjs";
import { ctest, nodeTests, script } from "./runner/jobs.mjs";
import { runJob } from "./runner/run_job.mjs";

/** Each suite: the builds that it needs and its job, in the order in which they run. */
const suites = {
  lint: { needs: ["native", "wasm"], job: () => nodeTests("tests/lint") },
  native: { needs: ["native"], job: () => ctest("release") },
  wasm: { needs: ["wasm"], job: () => ctest("wasm") },
  parity: { needs: ["native", "wasm"], job: () => script("tests/parity/run.mjs") },
  js: { needs: ["wasm", "package"], job: () => nodeTests("tests/js") },
  vectors: { needs: ["native", "wasm", "package"], job: () => nodeTests("tests/vectors") },
  cli: { needs: ["native", "wasm", "package"], job: () => nodeTests("tests/cli") },
  model: { needs: ["native", "wasm", "package"], job: () => nodeTests("tests/model") },
  package: { needs: ["wasm", "package"], job: () => nodeTests("tests/package") },
  bench: { needs: ["native", "wasm", "package"], job: () => nodeTests("tests/bench") },
  readme: { needs: ["native", "wasm", "package"], job: () => nodeTests("tests/readme") },
  browser: { needs: ["wasm", "package"], job: () => nodeTests("tests/browser") },
};

await main(async () => {
  const names = suiteNames();
  setUp();
  await build([...new Set(names.flatMap((name) => suites[name].needs))]);
  const total = { passed: 0, failed: 0 };
  for (const name of names) {
    const { passed, failed } = await runJob({ name, ...suites[name].job() });
    total.passed += passed;
    total.failed += failed;
  }
  process.exitCode = total.failed === 0 ? 0 : 1;
  console.log(`${total.passed} passed, ${total.failed} failed`);
});

function suiteNames() {
  const { values } = parseArgs({ options: { only: { type: "string", multiple: true } } });
  const names = values.only ?? Object.keys(suites);
  const unknown = names.filter((name) => !(name in suites));
  if (unknown.length === 0) return names;
  throw new Failure(
    `No such suite: ${unknown.join(", ")}.`,
    `Suites: ${Object.keys(suites).join(", ")}`,
  );
}
