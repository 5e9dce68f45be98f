// Counts individual tests in what CTest and Node's test runner report. What ran without reporting
// a test counts as failed: a suite that tests nothing must not look like one that passes.

/** { passed, failed, skipped } of a JUnit report by CTest, whose tests are GoogleTest programs. */
export function countJunit(xml) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  const notes = [];
  for (const [, name, content] of xml.matchAll(/<testcase name="([^"]*)"([\s\S]*?)<\/testcase>/g)) {
    const { passed, failed, skipped } = countProgram(content);
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
    notes.push(`${name} ${content.includes("<skipped") ? "not on this machine" : passed + failed}`);
  }
  return orNothing({ ...total, note: notes.join(", ") });
}

/** One entry of the report: a GoogleTest program counts its tests, any other program is one test. */
function countProgram(content) {
  const ran = content.includes('status="run"') && !/^\[=+\] Running 0 tests/m.test(content);
  if (content.includes("<skipped")) return { passed: 0, failed: 0, skipped: 1 };
  const lines = (pattern) => (content.match(pattern) ?? []).length;
  const passed = lines(/^\[ {7}OK \] .*\(\d+ ms\)\r?$/gm);
  const failed = lines(/^\[ {2}FAILED {2}\] .*\(\d+ ms\)\r?$/gm);
  const skipped = lines(/^\[ {2}SKIPPED \] .*\(\d+ ms\)\r?$/gm);
  if (passed + failed + skipped === 0) return { passed: ran ? 1 : 0, failed: ran ? 0 : 1, skipped };
  // A program that crashed after tests that passed is a failure of its own.
  return { passed, failed: ran ? failed : Math.max(failed, 1), skipped };
}

/** { passed, failed, skipped } of a TAP report by `node --test`. */
export function countTap(tap) {
  const summary = (name) => Number(new RegExp(`^# ${name} (\\d+)$`, "m").exec(tap)?.[1] ?? 0);
  // A file that ends without having reported a test appears as one test with the file's name.
  const silent = (tap.match(/^ok \d+ - \S*\.test\.mjs$/gm) ?? []).length;
  return orNothing({
    passed: summary("pass") - silent,
    failed: summary("fail") + summary("cancelled") + summary("todo") + silent,
    skipped: summary("skipped"),
  });
}

/** { passed, failed, skipped } of an output that ends with the line `N passed, N failed`. */
export function countLastLine(text) {
  const counts = /^(\d+) passed, (\d+) failed\n*$/m.exec(text.trimEnd().split("\n").at(-1));
  if (!counts) throw new Error("the output does not end with its counts");
  return orNothing({ passed: Number(counts[1]), failed: Number(counts[2]), skipped: 0 });
}

function orNothing(total) {
  if (total.passed + total.failed === 0) return { ...total, failed: 1, note: "reported no test" };
  return total;
}
