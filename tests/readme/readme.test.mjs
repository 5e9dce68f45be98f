// Every snippet and command of README.md is run. `npm start`, `npm run bench` and `npm test` are the
// exceptions: the browser tests and tests/bench run the first two, and this test is a part of the last.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "posenc-readme-"));
after(() => rmSync(folder, { recursive: true }));

const blocks = (language) =>
  [...readme.matchAll(/```(\w+)\n([\s\S]*?)```/g)]
    .filter((match) => match[1] === language)
    .map((match) => match[2]);

/** Runs a program in the scratch folder; its whole output is in the message when it fails. */
function run(program, args, options = {}) {
  const result = spawnSync(program, args, { cwd: folder, encoding: "utf8", ...options });
  assert.equal(result.status, 0, `${program} ${args.join(" ")}\n${result.stdout}${result.stderr}`);
  return result.stdout;
}

before(() => {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/posenc"));
  // The models that the README explains.
  const published = JSON.parse(readFileSync(join(root, "tests/model/published.json"), "utf8"));
  for (const [, name] of readme.matchAll(/(\S+)\/config\.json/g)) {
    const model = published.find(({ id }) => id.endsWith(`/${name}`));
    if (model === undefined || existsSync(join(folder, name))) continue;
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "config.json"), JSON.stringify(model.config));
  }
});

const printed = [
  /524288 0\.81/,
  /^10000 1024 0\.930\d+\n1000000 undefined 0\.897\d+\n$/,
  /^(fast|reproducible) 256 1\n$/,
];
for (const [i, snippet] of blocks("js").entries()) {
  test(`JavaScript snippet ${i + 1} runs against the package`, () => {
    writeFileSync(join(folder, "snippet.mjs"), snippet);
    assert.match(run(process.execPath, ["snippet.mjs"]), printed[i]);
  });
}

test("the C++ snippet builds against an installed posenc, as the CMake snippet says", () => {
  const [snippet] = blocks("cpp");
  const [cmake] = blocks("cmake");
  const prefix = join(folder, "prefix");
  run("cmake", ["--install", join(root, "build/native"), "--prefix", prefix]);
  writeFileSync(join(folder, "main.cpp"), snippet);
  writeFileSync(
    join(folder, "CMakeLists.txt"),
    `cmake_minimum_required(VERSION 3.24)\nproject(app CXX)\nadd_executable(app main.cpp)\n${cmake}`,
  );
  run("cmake", ["-S", ".", "-B", "build", `-DCMAKE_PREFIX_PATH=${prefix}`]);
  run("cmake", ["--build", "build"]);
  run(join(folder, "build/app"), []);
});

const path = `${join(root, "build/native")}:${process.env.PATH}`;
for (const command of blocks("sh").flatMap((block) => block.trim().split("\n"))) {
  test(`$ ${command}`, () => {
    run("bash", ["-c", command], { env: { ...process.env, PATH: path } });
    const out = /--out (\S+)/.exec(command)?.[1];
    if (out) assert.ok(existsSync(join(folder, out)), `${out} was not written`);
  });
}

test("every npm command that the README names exists", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const named = [...readme.matchAll(/npm (?:run )?(setup|build|start|test|bench)\b/g)].map(
    (m) => m[1],
  );
  assert.deepEqual([...new Set(named)].sort(), ["bench", "build", "setup", "start", "test"]);
  for (const name of named) assert.ok(scripts[name], `no script ${name}`);
});

test("every preset that the README names exists", () => {
  const { configurePresets } = JSON.parse(readFileSync(join(root, "CMakePresets.json"), "utf8"));
  const names = configurePresets.filter((preset) => !preset.hidden).map((preset) => preset.name);
  const sentence = /Presets: ([^.]*)\./.exec(readme)[1];
  assert.deepEqual([...sentence.matchAll(/`(\w+)`/g)].map((m) => m[1]).sort(), names.sort());
});
