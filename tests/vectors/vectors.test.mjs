// Both evaluators on every vector file: each case against its expected outputs, and the two outputs
// as text, which says that the bits are equal.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { evaluate, fault, vectorFiles } from "./check.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const evaluators = {
  native: `${root}build/native/conformance`,
  JavaScript: `${process.execPath} ${root}tests/js/conformance.mjs`,
};

for (const file of vectorFiles()) {
  const cases = JSON.parse(readFileSync(file, "utf8"));
  const outputs = Object.entries(evaluators).map(([name, command]) => ({
    name,
    ...evaluate(command, file),
  }));
  describe(basename(file), () => {
    for (const { name, results, failure } of outputs) {
      for (const [index, expected] of cases.entries()) {
        test(`${name}: ${expected.name}`, () => {
          assert.equal(failure ?? fault(file, expected, results[index]), "");
        });
      }
    }
    test("both print the same text", () => {
      assert.ok(outputs[0].text.length > 0);
      assert.ok(outputs[0].text === outputs[1].text);
    });
  });
}

describe("a fault is noticed", () => {
  const expected = {
    name: "case",
    outputs: { pe: { shape: [2], data: [0.5, "-inf"] }, count: 3 },
  };
  const faultOf = (pe, count = 3) =>
    fault("sinusoidal.json", expected, { name: "case", outputs: { pe, count } });
  const near = 0.5 + 2 ** -24;

  test("within the tolerance there is none", () => {
    assert.equal(faultOf({ shape: [2], data: [near, "-inf"] }), "");
  });
  for (const [what, data] of Object.entries({
    "a value that is too far off": [0.5 + 2 ** -22, "-inf"],
    "another infinity": [0.5, "inf"],
    "a number for an infinity": [0.5, -1e38],
    "no number": ["nan", "-inf"],
    "too few values": [0.5],
  })) {
    test(what, () => assert.match(faultOf({ shape: [2], data }), /^pe: /));
  }
  test("another shape", () =>
    assert.match(faultOf({ shape: [1, 2], data: [0.5, "-inf"] }), /^pe: /));
  test("a missing output", () => assert.match(faultOf(undefined), /^pe: is missing/));
  test("a scalar", () => assert.match(faultOf({ shape: [2], data: [0.5, "-inf"] }, 4), /^count: /));
  test("an error", () => {
    const result = { name: "case", error: { code: "SHAPE", message: "why" } };
    assert.equal(fault("sinusoidal.json", expected, result), "SHAPE: why");
  });
  test("a result for another case", () => {
    assert.match(fault("sinusoidal.json", expected, { name: "other" }), /other/);
    assert.match(fault("sinusoidal.json", expected, undefined), /no result/);
  });
});
