// Shows that the comparison can fail: spoils one bit of one case of each verb, drops a case, and
// changes a digest, and looks whether that is found and named.
import { hashes } from "./builds.mjs";
import { compare, describe } from "./compare.mjs";
import { compareDigests, digestsOf } from "./digests.mjs";

/** One { name, problem } per check, the problem empty where the fault was found. */
export function selfTest(build, clean) {
  const verbs = [...clean.keys()];
  return [
    ...verbs.map((verb) => ({
      name: `a flipped bit in ${verb}`,
      problem: flipBit(build, clean, verb),
    })),
    { name: "a missing case", problem: dropCase(clean) },
    { name: "a changed digest", problem: changeDigest(clean) },
  ];
}

function flipBit(build, clean, verb) {
  const spoiled = { ...build, name: "spoiled", command: [...build.command, "--spoil", verb] };
  const found = hashes(spoiled, ["--only", verb]);
  const [result, ...others] = compare(new Map([[verb, clean.get(verb)]]), found);
  if (others.length > 0 || result.verb !== verb || result.differing.length !== 1) {
    return `${result.differing.length} cases differ, not 1`;
  }
  const text = describe(result, build, spoiled);
  return /\b1 (ulp )?apart; 1 of \d+ elements differ/.test(text) ? "" : text;
}

function dropCase(clean) {
  const [[verb, cases]] = clean;
  const [dropped, ...kept] = cases;
  const [result] = compare(clean, new Map([[verb, new Map(kept)]]));
  return result.differing.join() === dropped[0]
    ? ""
    : `found ${result.differing.join() || "nothing"}`;
}

function changeDigest(clean) {
  const digests = digestsOf(clean);
  const [verb] = Object.keys(digests);
  const changed = {
    ...digests,
    [verb]: digests[verb].replace(/.$/, (last) => (last === "0" ? "1" : "0")),
  };
  const problems = compareDigests(changed, digests).filter(({ problem }) => problem !== "");
  return problems.length === 1 && problems[0].verb === verb ? "" : `${problems.length} problems`;
}
