// `npm run test:arm64`: the library built for AArch64 and run by qemu. Its tests with the scalar
// and the NEON kernels, random calls, and parity with the native scalar build.
// Not part of `npm test`: it needs a cross compiler and takes minutes.
import { build } from "../wasm/toolchain/build.mjs";
import { capture, main, run } from "../wasm/toolchain/process.mjs";
import { setUp } from "../wasm/toolchain/setup.mjs";
import { ctest, script } from "./runner/jobs.mjs";
import { runJob } from "./runner/run_job.mjs";

const targets = ["posenc_tests", "parity", "fuzz_configs"];

await main(async () => {
  setUp({ arm64: true });
  await build(["native"]);
  console.log("build: arm64");
  capture(["cmake", "--preset", "arm64"]);
  run(["cmake", "--build", "--preset", "arm64", "--target", ...targets]);
  const jobs = [
    { name: "arm64 tests", ...ctest("arm64", "--tests-regex", "^native[.](scalar|neon)$|^fuzz$") },
    { name: "arm64 parity", ...script("tests/parity/run.mjs", "--build", "build/arm64") },
  ];
  const total = { passed: 0, failed: 0 };
  for (const job of jobs) {
    const { passed, failed } = await runJob(job);
    total.passed += passed;
    total.failed += failed;
  }
  process.exitCode = total.failed === 0 ? 0 : 1;
  console.log(`${total.passed} passed, ${total.failed} failed`);
});
