// The kinds of jobs a suite is made of: a command, and how its results are counted.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../wasm/toolchain/process.mjs";
import { countJunit, countLastLine, countTap } from "./results.mjs";

/** Where jobs leave their logs and reports. */
export const resultsFolder = join(root, "build/test-results");

/**
 * The tests of a preset: a GoogleTest program, run once for each kernel architecture, and others.
 * `more` are further arguments of ctest.
 */
export function ctest(preset, ...more) {
  const report = join(resultsFolder, `ctest-${preset}.xml`);
  const reporting = ["--output-junit", report];
  // The tests that passed are counted in the output, so it must not be cut.
  const whole = ["--test-output-size-passed", "99999999"];
  return {
    command: ["ctest", "--preset", preset, ...reporting, ...whole, ...more],
    report,
    count: () => countJunit(readFileSync(report, "utf8")),
  };
}

/** Every *.test.mjs of a folder, run by Node's own test runner. */
export function nodeTests(folder) {
  const files = readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith(".test.mjs"))
    .map((name) => join(folder, name))
    .sort();
  const report = join(resultsFolder, `${folder.replaceAll("/", "-")}.tap`);
  const reporters = [
    ["spec", "stdout"],
    ["tap", report],
  ].flatMap(([name, to]) => [`--test-reporter=${name}`, `--test-reporter-destination=${to}`]);
  return {
    command: [process.execPath, "--test", ...reporters, ...files],
    report,
    count: () => countTap(readFileSync(report, "utf8")),
  };
}

/** A script of ours that counts for itself: its last line is `N passed, N failed`. */
export function script(file, ...words) {
  const name = [file, ...words].join("-").replaceAll("/", "-");
  const report = join(resultsFolder, `${name}.log`);
  return {
    command: [process.execPath, file, ...words],
    report,
    count: () => countLastLine(readFileSync(report, "utf8")),
  };
}
