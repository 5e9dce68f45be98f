// Proof that all builds agree bit for bit.
//
//   node tests/parity/run.mjs                   build/native and build/wasm, every kernel
//   node tests/parity/run.mjs --build FOLDER    that build instead (may be repeated)
//   node tests/parity/run.mjs --only VERB       one verb
//   node tests/parity/run.mjs --self-test       only whether the comparison can fail
//   node tests/parity/run.mjs --update          rewrite digests.json
//
// The reference is the native scalar build, which must have the digests that are in the tree.
// The last line is `N passed, N failed`: one for each verb in each build with each of its kernels,
// one for each digest, and one for each self-test.
import { parseArgs } from "node:util";
import { Failure, main } from "../../wasm/toolchain/process.mjs";
import { findBuild, hashes, verbsOf, withKernels } from "./builds.mjs";
import { compare, describe } from "./compare.mjs";
import { compareDigests, digestsOf, readDigests, writeDigests } from "./digests.mjs";
import { selfTest } from "./self_test.mjs";

const explained = 3;
const total = { passed: 0, failed: 0 };

await main(() => {
  const { values } = parseArgs({
    options: {
      build: { type: "string", multiple: true, default: ["build/native", "build/wasm"] },
      only: { type: "string" },
      "self-test": { type: "boolean" },
      update: { type: "boolean" },
    },
  });
  const native = findBuild("build/native");
  const reference = withKernels(native).find(({ kernel }) => kernel === "scalar");
  const words = wordsFor(native, values.only);
  const expected = hashes(reference, words);
  if (values.update)
    writeDigests({ ...(values.only ? readDigests() : {}), ...digestsOf(expected) });
  report(reference.name, checkDigests(expected, values.only));
  if (!values["self-test"]) compareAll(reference, expected, values.build, words);
  report("self-test", selfTest(reference, expected));
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed === 0 ? 0 : 1;
});

function wordsFor(build, only) {
  if (!only) return [];
  const verbs = verbsOf(build);
  if (verbs.includes(only)) return ["--only", only];
  throw new Failure(`No such verb: ${only}.`, `Verbs: ${verbs.join(", ")}`);
}

function checkDigests(expected, only) {
  const committed = readDigests();
  const wanted = only ? { [only]: committed[only] } : committed;
  return compareDigests(wanted, digestsOf(expected)).map(({ verb, problem }) => ({
    name: `the digest of ${verb}`,
    problem,
  }));
}

function compareAll(reference, expected, folders, words) {
  for (const folder of folders) {
    for (const build of withKernels(findBuild(folder))) {
      if (build.name !== reference.name)
        report(build.name, compareOne(reference, expected, build, words));
    }
  }
}

function compareOne(reference, expected, build, words) {
  let left = explained;
  return compare(expected, hashes(build, words)).map((result) => {
    const { verb, count, differing } = result;
    if (differing.length === 0) return { name: verb, problem: "" };
    left -= 1;
    const short = `${differing.length} of ${count} cases differ`;
    return { name: verb, problem: left >= 0 ? describe(result, reference, build) : short };
  });
}

/** Prints a line for a build, and what is wrong with it. */
function report(name, results) {
  const problems = results.filter(({ problem }) => problem !== "");
  total.passed += results.length - problems.length;
  total.failed += problems.length;
  console.log(`${name}: ${results.length - problems.length} passed, ${problems.length} failed`);
  for (const result of problems) console.log(`FAILED ${name}: ${result.name}: ${result.problem}`);
}
