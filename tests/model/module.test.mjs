// The module of "posenc/model" tells what the command tells, to the byte: it has an arena, traps and
// a small C library of its own.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readModel } from "posenc/model";
import { posenc } from "../cli/command.mjs";
import { configFiles, explainAll } from "./explain.mjs";

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));

/** Configs whose numbers are hard to read: many digits, far exponents, middles of two doubles. */
const numbers = [
  ...["12345678901234567890", "9007199254740993", "1.00000000000000011102230246251565404e4"],
  ...["31415.926535897932384626433832795", "1e22", "1e+23", "1.7976931348623159e29"],
].map((base) => ({ raw: `{"model_type": "llama", "rope_theta": ${base}}` }));
const unread = [
  ...["1e400", "-1e999", "4.9406564584124654e-324", "2.2250738585072011e-308", "-0.0", "1E-400"],
  ...["18446744073709551615", "18446744073709551616", "-9223372036854775809", "0.1e-5"],
].map((x) => ({ raw: `{"model_type": "phi", "partial_rotary_factor": ${x}, "x": ${x}}` }));

const cases = [...read("published.json"), ...read("malformed.json"), ...numbers, ...unread];
const files = configFiles(cases);
const results = explainAll(cases);

test("encodings, warnings and errors, in any order of good configs and bad", async () => {
  for (const [i, file] of files.entries()) {
    const { error, encodings, warnings } = results[i];
    const model = readModel(readFileSync(file, "utf8"));
    if (error) {
      await assert.rejects(model, ({ cause }) => {
        assert.deepEqual(cause, error);
        return true;
      });
    } else {
      const told = (await model).encodings.map((each) => ({ ...each }));
      assert.deepEqual(told, encodings);
      assert.deepEqual((await model).warnings, warnings);
    }
  }
});

test("pages", async () => {
  for (const [i, file] of files.entries()) {
    if (results[i].error) continue;
    const model = await readModel(readFileSync(file, "utf8"));
    assert.equal(model.explain(file), String(posenc("native", ["explain", file]).stdout));
  }
});

test("ten thousand errors and a text of 16 MiB leave it as it was", async () => {
  const wrong = '{"model_type": "llama", "hidden_size": 4097}';
  for (let i = 0; i < 10_000; ++i) await assert.rejects(readModel(wrong), { code: "MALFORMED" });
  const long = `{"model_type": "llama", "x": "${"y".repeat(2 ** 24 - 100)}"}`;
  assert.equal((await readModel(long)).encodings.length, 1);
  assert.equal((await readModel({ model_type: "llama" })).encodings.length, 1);
});
