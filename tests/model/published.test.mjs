// Published models' configs: the encodings that they ask for.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { explainAll } from "./explain.mjs";
import { encodingsDiffer } from "./judge.mjs";

const published = JSON.parse(readFileSync(new URL("published.json", import.meta.url), "utf8"));
const results = explainAll(published);

for (const [i, { id, skip = [], expected }] of published.entries()) {
  test(id, () => {
    const { encodings, error } = results[i];
    assert.equal(error, undefined);
    // Sites that the case says nothing of.
    const told = encodings.filter(({ site }) => !skip.includes(site));
    assert.equal(encodingsDiffer(expected, told), "");
  });
}
