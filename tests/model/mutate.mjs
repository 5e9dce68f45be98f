// Shows that the facts hold the table of model types: changes one literal of every row at a time,
// builds, and lists the rows of which no test fails. Takes minutes per literal, so it is no part of
// `npm test`:  node tests/model/mutate.mjs [FIRST [LAST]]
// It changes the sources in place and puts them back.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "src/posenc/model");
const files = readdirSync(folder)
  .filter((name) => name.endsWith("_types.cpp") && name !== "model_types.cpp")
  .map((name) => ({ path: join(folder, name), text: readFileSync(join(folder, name), "utf8") }));

/** A row of the table, or a constant that rows share, with what it begins with. */
const block =
  /^ {4}\{\.name = "(?<name>[^"]+)".*?\}(?=,\n(?:\n| {4}[{/]|\}))|^constexpr \w+ (?<shared>k\w+)\{.*?\};/gms;
/** Literals of a block; a model type's name and designators are none. */
const literal =
  /\.name = "[^"]+"|"[^"]+"|(?<![\w.])\d[\d.e+]*|\btrue\b|\bfalse\b|RopeLayout::\w+|SinusoidVariant::\w+|Site::\w+/g;

const swapped = {
  true: "false",
  false: "true",
  "RopeLayout::half": "RopeLayout::interleaved",
  "RopeLayout::interleaved": "RopeLayout::half",
  "SinusoidVariant::half_paper": "SinusoidVariant::half_t2t",
  "SinusoidVariant::half_t2t": "SinusoidVariant::half_paper",
  "Site::audio": "Site::text",
  "Site::vision": "Site::text",
};

/** A literal that differs: twice the number, other names for a field, the other of two words. */
function changed(text) {
  if (text.startsWith('"')) return `"x${text.slice(1).replaceAll("|", "|x")}`;
  if (text in swapped) return swapped[text];
  return text.includes(".") || text.includes("e") ? `${2 * Number(text)}` : `${2 * text + 2}`;
}

/** The text with the n-th literal of every block changed, and the model types that it changes. */
function mutate(text, n) {
  const names = [];
  const result = text.replace(block, (whole, name, shared) => {
    const found = [...whole.matchAll(literal)].filter(([each]) => each[0] !== ".")[n];
    if (!found) return whole;
    const users = [...text.matchAll(block)].filter(({ 0: row }) =>
      new RegExp(`\\b${shared}\\b`).test(row),
    );
    names.push(...(name ? [name] : users.map(({ groups }) => groups.name)).filter(Boolean));
    const end = found.index + found[0].length;
    return whole.slice(0, found.index) + changed(found[0]) + whole.slice(end);
  });
  return { result, names };
}

function run(program, ...args) {
  return spawnSync(program, args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 });
}

/** The suites of facts.test.mjs and the tests of parts.test.mjs that fail: names of model types. */
function failing() {
  const tests = ["facts", "parts", "layers", "ropes"].map((name) => `tests/model/${name}.test.mjs`);
  const { stdout } = run(process.execPath, "--test", "--test-reporter=tap", ...tests);
  return new Set([...stdout.matchAll(/^ *not ok \d+ - (\S+)$/gm)].map(([, name]) => name));
}

const [first = 0, last = 24] = process.argv.slice(2).map(Number);
try {
  for (let n = first; n <= last; ++n) {
    const mutants = files.map(({ path, text }) => ({ path, ...mutate(text, n) }));
    const names = mutants.flatMap((each) => each.names);
    if (names.length === 0) break;
    for (const { path, result } of mutants) writeFileSync(path, result);
    const built = run("ninja", "-C", "build/native", "posenc-cli");
    if (built.status !== 0) throw new Error(built.stdout.slice(-2000));
    const found = failing();
    const survivors = [...new Set(names)].filter((name) => !found.has(name));
    console.log(
      `literal ${n}: ${names.length} changed, unnoticed: ${survivors.join(" ") || "none"}`,
    );
  }
} finally {
  for (const { path, text } of files) writeFileSync(path, text);
}
