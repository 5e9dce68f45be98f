// Runs `posenc explain --json` on many configs at once.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { posenc, temporaryFolder } from "../cli/command.mjs";

/** What a case's text is: its exact text, its config, or a text that is too large to store. */
function textOf({ raw, config, generate }) {
  if (raw !== undefined) return raw;
  if (config !== undefined) return JSON.stringify(config);
  const { repeat, template, members } = generate;
  if (repeat) return repeat[0].repeat(repeat[3]) + repeat[1] + repeat[2].repeat(repeat[3]);
  if (template) return template[0].replace("%", template[1].repeat(template[2]));
  const filler = Array.from({ length: members[1] }, (_, i) => [`filler_${i}`, i]);
  return JSON.stringify({ ...members[0], ...Object.fromEntries(filler) });
}

/** Writes each case's text to a file; returns their paths. */
export function configFiles(cases) {
  const folder = temporaryFolder();
  return cases.map((each, i) => {
    const path = join(folder, `${i}.json`);
    writeFileSync(path, textOf(each));
    return path;
  });
}

// Strict: what is printed must be UTF-8.
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** One result per case ({ raw }, { config } or { generate }), in their order. */
export function explainAll(cases, build = "native") {
  const results = [];
  const paths = configFiles(cases);
  for (let i = 0; i < paths.length; i += 400) {
    const run = posenc(build, ["explain", "--json", ...paths.slice(i, i + 400)], {
      timeout: 60_000,
    });
    results.push(...JSON.parse(utf8.decode(run.stdout)));
  }
  return results;
}

/** The results of configs. */
export const explain = (...configs) => explainAll(configs.map((config) => ({ config })));

/** The only encoding of a result, of a site if one is named. */
export function sole({ encodings, error }, site) {
  if (error) throw new Error(`${error.code} on ${error.field}: ${error.message}`);
  const found = site ? encodings.filter((each) => each.site === site) : encodings;
  if (found.length !== 1) throw new Error(`${found.length} encodings, not one`);
  return found[0];
}

/** The encoding of a layer. */
export const inLayer = ({ encodings }, layer) =>
  encodings.find(({ layers }) => layers === "all" || layers.includes(layer));
