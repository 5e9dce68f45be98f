// A digest per verb of what it gives over the whole grid, kept in the tree: bits are part of the
// interface, so changing them is a decision and not an accident.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const file = new URL("digests.json", import.meta.url);

/** { verb: "cases, digest" } of a build's hashes. */
export function digestsOf(hashes) {
  const entries = [...hashes].map(([verb, cases]) => {
    const digest = createHash("sha256");
    for (const [name, hash] of cases) digest.update(`${name} ${hash}\n`);
    return [verb, `${cases.size} cases, ${digest.digest("hex").slice(0, 16)}`];
  });
  return Object.fromEntries(entries);
}

export function readDigests() {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

export function writeDigests(digests) {
  writeFileSync(file, `${JSON.stringify(digests, null, 2)}\n`);
}

/** Per verb of either: { verb, problem }, the problem empty where they agree. */
export function compareDigests(committed, found) {
  const verbs = new Set([...Object.keys(committed), ...Object.keys(found)]);
  return [...verbs].map((verb) => ({ verb, problem: problemOf(committed[verb], found[verb]) }));
}

function problemOf(committed, found) {
  if (committed === found) return "";
  if (committed === undefined) return `not in digests.json: ${found}. Add it: --update`;
  if (found === undefined) return `in digests.json, but the program has no such verb. --update`;
  return [
    `${found}, but digests.json says ${committed}.`,
    "  Bits are part of the interface. If the verb's results changed and were meant to, say so in",
    "  the changelog and raise the minor version; if only its cases changed, say that in the commit.",
    "  Then: node tests/parity/run.mjs --update",
  ].join("\n");
}
