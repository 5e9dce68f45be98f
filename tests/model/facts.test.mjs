// Each model type's class defaults and spellings: a bare config has the defaults, and every
// spelling of a field is read.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { explainAll } from "./explain.mjs";
import { facts } from "./facts/all.mjs";
import { assertTold, casesOf } from "./facts/cases.mjs";
import { parts, without } from "./facts/parts.mjs";

const all = Object.entries(facts).flatMap(([name, fact]) =>
  casesOf(name, fact).map((each) => ({ name, fact, ...each })),
);
const results = explainAll(all);

for (const name of Object.keys(facts)) {
  describe(name, () => {
    for (const [i, each] of all.entries()) {
      if (each.name === name) test(each.title, () => assertTold(each, results[i]));
    }
  });
}

test("every model type of the table has a fact, and no other", () => {
  const source = new URL("../../src/posenc/model/", import.meta.url);
  const files = ["rope", "recent_rope", "layered_rope", "table", "score", "part"].map((each) =>
    readFileSync(new URL(`${each}_types.cpp`, source), "utf8"),
  );
  const names = files.flatMap((text) =>
    [...text.matchAll(/\{\.name = "([^"]+)"/g)].map(([, name]) => name),
  );
  const known = [...Object.keys(facts), ...Object.keys(parts), ...without];
  assert.deepEqual(names.sort(), known.sort());
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  assert.equal(/the rules of (\d+) model types/.exec(readme)?.[1], String(names.length));
});
