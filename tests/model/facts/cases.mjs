// Configs that show each default and each spelling of a model type, and what they are read as.
import assert from "node:assert/strict";
import { encodingsDiffer } from "../judge.mjs";
import { valuesOf } from "./field.mjs";

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
export function casesOf(name, fact) {
  const { fields, beside = () => ({}), others: own = {}, more = () => [] } = fact;
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
  for (const [title, config, wanted] of more(fact)) {
    cases.push({ title, config: { ...bare, ...config }, wanted });
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

/** Throws where what is told of a case is not what its fact says. */
export function assertTold({ fact, replaced, read, wanted }, result) {
  assert.equal(result.error, undefined);
  const encodings = wanted ?? fact.encodings(valuesOf(fact.fields, replaced));
  assert.equal(encodingsDiffer(encodings, result.encodings), "");
  if (read) assertSource(result, fact.parameters ?? parameterOf, read);
}
