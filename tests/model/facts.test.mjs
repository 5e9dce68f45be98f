// Each model type's class defaults and spellings: a bare config has the defaults, and every
// spelling of a field is read.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { explainAll } from "./explain.mjs";
import { facts } from "./facts/all.mjs";
import { valuesOf } from "./facts/field.mjs";
import { parts, without } from "./facts/parts.mjs";
import { encodingsDiffer } from "./judge.mjs";

/** Values of a role that differ from its default and suit the other defaults. */
function others(role, values) {
  const value = values[role];
  const width = values.hidden / values.heads;
  switch (role) {
    case "hidden":
      return [value * 2, value * 3];
    case "heads":
      return width % 8 === 0 ? [value * 2, value * 4] : [value / 2, value / 4];
    case "headDim":
    case "fullHeadDim":
      return [(value ?? width) * 2, (value ?? width) * 3];
    case "partial":
      return value === 0.75 ? [0.5, 1] : [0.75, value === 1 ? 0.5 : 1];
    case "rotaryDim":
    case "ropeDim":
      return [value / 2, value / 4];
    case "nopeDim":
      return [value + 8, value + 16];
    case "pad":
      return [value + 4, value + 6];
    default:
      return [(value ?? 100) + 7, (value ?? 100) + 9];
  }
}

/** A config with a path's value: "attn_config.alibi" makes an object. */
function withValue(config, path, value) {
  const [name, rest] = path.split(/\.(.*)/);
  const inner = rest ? withValue(config[name] ?? {}, rest, value) : value;
  return { ...config, [name]: inner };
}

/** Cases of a model type: a config, and the role's value that counts in it. */
function casesOf(name, { fields, beside = () => ({}), others: own = {} }) {
  const bare = { model_type: name };
  const cases = [{ title: "class defaults", config: bare, replaced: {} }];
  const values = valuesOf(fields);
  for (const [role, { names }] of Object.entries(fields)) {
    const [one, two] = own[role] ?? others(role, values);
    const add = (title, replaced, ...pairs) => {
      const start = { ...bare, ...beside({ ...values, ...replaced }) };
      const config = pairs.reduce((made, [at, value]) => withValue(made, at, value), start);
      cases.push({ title, config, replaced });
    };
    for (const spelling of names) {
      add(`${spelling} = ${one}`, { [role]: one }, [spelling, one]);
      cases.at(-1).read = { role, spelling };
    }
    if (names.length < 2) continue;
    for (let i = 1; i < names.length; ++i) {
      const [before, after] = [names[i - 1], names[i]];
      add(`${before} before ${after}`, { [role]: two }, [after, one], [before, two]);
      add(`null ${before} before ${after}`, { [role]: one }, [before, null], [after, one]);
    }
  }
  return cases;
}

/** The parameter that a field is told as, where it is told as it is. */
const parameterOf = {
  base: "base",
  headDim: "head_dim",
  rotaryDim: "rotary_dim",
  max: "max_position",
  window: "window",
};

const all = Object.entries(facts).flatMap(([name, fact]) =>
  casesOf(name, fact).map((each) => ({ name, fact, ...each })),
);
const results = explainAll(all);
for (const [i, each] of all.entries()) each.result = results[i];

for (const name of Object.keys(facts)) {
  describe(name, () => {
    for (const { fact, title, replaced, read, result } of all.filter((e) => e.name === name)) {
      test(title, () => {
        assert.equal(result.error, undefined);
        const wanted = fact.encodings(valuesOf(fact.fields, replaced));
        assert.equal(encodingsDiffer(wanted, result.encodings), "");
        if (read) assertSource(result, fact.parameters ?? parameterOf, read);
      });
    }
  });
}

/** The parameter that a field is told as must say that the field told it. */
function assertSource({ encodings }, parameters, { role, spelling }) {
  const parameter = parameters[role];
  const told = encodings.filter(({ params }) => parameter in params);
  for (const { sources } of told) {
    if (sources[parameter].kind === "class default") continue; // a layer of another kind
    assert.deepEqual(sources[parameter], { kind: "config", from: spelling });
  }
  if (parameter && told.length > 0) {
    assert.ok(told.some(({ sources }) => sources[parameter].kind === "config"));
  }
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
