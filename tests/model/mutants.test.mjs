// The facts hold the table of model types: whichever value of whichever row is changed, one at a
// time, some fact fails. Values that a row has only by default must be noticed where anything is
// told differently; those that it has itself, always.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../cli/command.mjs";
import { facts } from "./facts/all.mjs";
import { assertTold, casesOf } from "./facts/cases.mjs";
import { valuesOf } from "./facts/field.mjs";
import { oneOrParts, parts, without } from "./facts/parts.mjs";
import { encodingsDiffer } from "./judge.mjs";

const program = fileURLToPath(new URL("../../build/native/model_mutants", import.meta.url));
const published = JSON.parse(readFileSync(new URL("published.json", import.meta.url), "utf8"));

const equals =
  (wanted) =>
  ({ encodings, error }) => {
    assert.equal(error, undefined);
    assert.equal(encodingsDiffer(wanted, encodings), "");
  };

/** Every case of a model type: its config, and what throws unless the right thing is told. */
function* cases() {
  for (const [name, fact] of Object.entries(facts)) {
    for (const each of casesOf(name, fact)) {
      const judge = (result) => assertTold({ fact, ...each }, result);
      yield { name, config: each.config, judge };
    }
  }
  for (const [name, types] of Object.entries({ ...parts, ...oneOrParts })) {
    const sections = { text: "text_config", vision: "vision_config", audio: "audio_config" };
    const config = { model_type: name };
    for (const part of Object.keys(types)) config[sections[part]] = {};
    const defaults = (type) => facts[type].encodings(valuesOf(facts[type].fields));
    yield { name, config, judge: equals(Object.values(types).flatMap(defaults)) };
    if (name in parts) {
      yield { name, config: { model_type: name }, judge: equals(defaults(types.text)) };
    }
  }
  for (const name of without) {
    const wanted = { site: "text", encoding: "none", layers: "all", params: {} };
    const judge = (result) => {
      equals([wanted])(result);
      const why = name === "jamba" ? /attention layers/ : /recurrent/;
      assert.match(result.encodings[0].params.reason, why);
    };
    yield { name, config: { model_type: name }, judge };
  }
  for (const { config, skip = [], expected } of published) {
    const name = config.model_type;
    if (!(name in facts)) continue;
    const judge = ({ encodings, error }) =>
      equals(expected)({ error, encodings: encodings?.filter(({ site }) => !skip.includes(site)) });
    yield { name, config, judge };
  }
}

const all = [...cases()];
const input = join(temporaryFolder(), "cases.json");
const texts = all.map(({ name, config }) => ({ name, text: JSON.stringify(config) }));
writeFileSync(input, JSON.stringify({ cases: texts }));
const lines = execFileSync(program, [input], { maxBuffer: 2 ** 30 })
  .toString()
  .trim()
  .split("\n");

/** Whether a fact fails on what a changed row tells. */
function isNoticed(told) {
  return told.some(([index, result]) => {
    try {
      all[index].judge(result);
      return false;
    } catch {
      return true;
    }
  });
}

const unnoticed = {};
let count = 0;
for (const line of lines) {
  const { name, member, given, told } = JSON.parse(line);
  if (!given && told.length === 0) continue; // what this rule does not read
  ++count;
  unnoticed[name] ??= [];
  if (!isNoticed(told)) unnoticed[name].push(member);
}

describe(`${count} changed values are noticed`, () => {
  for (const [name, members] of Object.entries(unnoticed)) {
    test(name, () => assert.deepEqual(members, []));
  }
});
