// The vector evaluator in JavaScript, through the npm package's public API alone:
// `node tests/js/conformance.mjs FILE.json` prints the outputs of every case, in order, as a JSON
// array. The native one, tests/vectors/conformance.cpp, prints the same text.
import { readFileSync } from "node:fs";
import { load, PosencError } from "posenc/all";
import { additiveFamilies } from "./conformance/additive.mjs";
import { attentionFamilies } from "./conformance/attention.mjs";
import { attentionGradientFamilies } from "./conformance/attention_gradient.mjs";
import { attentionMoreFamilies } from "./conformance/attention_more.mjs";
import { biasFamilies } from "./conformance/bias.mjs";
import { biasMoreFamilies } from "./conformance/bias_more.mjs";
import { Case } from "./conformance/case.mjs";
import { contextualFamilies } from "./conformance/contextual.mjs";
import { gridFamilies } from "./conformance/grids.mjs";
import { relativeFamilies } from "./conformance/relative.mjs";
import { rotaryFamilies } from "./conformance/rotary.mjs";
import { CaseError, isObject, malformed, unsupported } from "./conformance/values.mjs";

const families = {
  ...additiveFamilies,
  ...gridFamilies,
  ...rotaryFamilies,
  ...biasFamilies,
  ...biasMoreFamilies,
  ...relativeFamilies,
  ...contextualFamilies,
  ...attentionFamilies,
  ...attentionMoreFamilies,
  ...attentionGradientFamilies,
};

function familyOf(name) {
  if (Object.hasOwn(families, name)) return families[name];
  return unsupported(`family ${JSON.stringify(name)} is not supported`);
}

/** "outputs" or "error" of one case. */
function evaluate(posenc, json) {
  try {
    if (!isObject(json)) malformed("a case must be an object");
    const c = new Case(json);
    familyOf(c.family)(posenc, c);
    c.finish();
    return `"outputs":${c.outputs()}`;
  } catch (error) {
    if (!(error instanceof CaseError || error instanceof PosencError)) throw error;
    return `"error":${JSON.stringify({ code: error.code, message: error.message })}`;
  }
}

function print(posenc, cases) {
  const lines = cases.map((json) => {
    const name = isObject(json) && typeof json.name === "string" ? json.name : "";
    return `{"name":${JSON.stringify(name)},${evaluate(posenc, json)}}`;
  });
  process.stdout.write(lines.length === 0 ? "[]\n" : `[\n${lines.join(",\n")}\n]\n`);
}

function read(path) {
  try {
    const cases = JSON.parse(readFileSync(path, "utf8"));
    if (Array.isArray(cases)) return cases;
  } catch {
    // What is not JSON is no array of cases either.
  }
  console.error(`conformance: ${path} is no JSON array of cases`);
  return process.exit(1);
}

if (process.argv.length !== 3) {
  console.error("usage: conformance.mjs FILE.json");
  process.exit(2);
}
const cases = read(process.argv[2]);
print(await load(), cases);
