// Malformed and hostile configs: an error or a warning that names the field and the value.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { explainAll } from "./explain.mjs";
import { encodingsDiffer } from "./judge.mjs";

const malformed = JSON.parse(readFileSync(new URL("malformed.json", import.meta.url), "utf8"));
const results = explainAll(malformed);

/** A finding must have the code and field, and show the value that is wrong. */
function assertFound(found, { code, field, shown = "" }) {
  assert.equal(`${found?.code} on ${found?.field}`, `${code} on ${field}`);
  assert.ok(found.message.includes(shown), `'${found.message}' shows ${shown}`);
}

for (const [i, { id, error, warnings, encodings }] of malformed.entries()) {
  test(id, () => {
    const result = results[i];
    if (error) {
      assertFound(result.error, error);
      assert.equal(result.encodings, undefined, "nothing is told beside an error");
      return;
    }
    assert.equal(result.error, undefined);
    assert.equal(result.warnings.length, warnings.length, JSON.stringify(result.warnings));
    for (const [k, warning] of warnings.entries()) assertFound(result.warnings[k], warning);
    if (encodings) assert.equal(encodingsDiffer(encodings, result.encodings), "");
  });
}
