// The words of the C++ headers and of the package are the same, in the same order: an enum goes to
// C++ as its place in the list.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const posenc = { ...(await import("posenc")) };
const read = (name) => readFileSync(new URL(`../../src/posenc/${name}`, import.meta.url), "utf8");

/** The enumerators of `enum class name` in a header. */
function enumerators(header, name) {
  const body = new RegExp(`enum class ${name}[^{]*{([^}]*)}`).exec(read(header))[1];
  const code = body.replace(/\/\/.*$/gm, "");
  return code.match(/[a-z]\w*/g);
}

const lists = {
  SINUSOIDAL_LAYOUTS: ["additive/sinusoidal.hpp", "SinusoidalLayout"],
  ODD_WIDTHS: ["additive/sinusoidal.hpp", "OddWidth"],
  ROPE_LAYOUTS: ["rotary/rope.hpp", "RopeLayout"],
  ROTARY_ORDERS: ["rotary/rope.hpp", "RotaryOrder"],
  ALIBI_SLOPES: ["bias/alibi.hpp", "AlibiSlopes"],
  ALIBI_FORMS: ["bias/alibi.hpp", "AlibiForm"],
};

for (const [list, [header, name]] of Object.entries(lists)) {
  test(`${list} is ${name}`, () => assert.deepEqual(posenc[list], enumerators(header, name)));
}

test("every list of words that the package exports is compared", () => {
  const words = Object.keys(posenc).filter((name) => Array.isArray(posenc[name]));
  const compared = [...Object.keys(lists), "CODES", "ROPE_SCALINGS"];
  assert.deepEqual(words.sort(), compared.sort());
});

test("ROPE_SCALINGS are the alternatives of RopeScaling", () => {
  const names = /RopeScaling = std::variant<([^>]*)>/.exec(read("rotary/rope.hpp"))[1];
  const words = names.split(",").map((name) => name.trim().toLowerCase().replace("scaling", ""));
  words[0] = words[0].replace("no", "none");
  assert.deepEqual(posenc.ROPE_SCALINGS, words);
});

test("CODES begin with those of C++, as code_name spells them", () => {
  const spelt = [...read("core/status.cpp").matchAll(/return "([A-Z_]+)"/g)].map(
    ([, word]) => word,
  );
  const codes = [...new Set(spelt)].filter((word) => word !== "OK");
  assert.deepEqual(posenc.CODES.slice(0, codes.length), codes);
  const named = enumerators("core/status.hpp", "Code").map((name) => name.toUpperCase());
  assert.deepEqual(codes, named.slice(1));
});
