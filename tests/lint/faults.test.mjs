import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "../../wasm/toolchain/process.mjs";
import { treeFiles } from "./files.mjs";

test("Every test that tests/faults.md names exists", () => {
  const sources = treeFiles("_test.cpp").map((name) => readFileSync(join(root, name), "utf8"));
  const tests = new Set(
    sources.flatMap((source) =>
      [...source.matchAll(/^TEST(?:_[FP])?\((\w+),\s*(\w+)\)/gm)].map(([, a, b]) => `${a}.${b}`),
    ),
  );
  const table = readFileSync(join(root, "tests/faults.md"), "utf8");
  const named = [...table.matchAll(/\b[A-Z]\w+\.[A-Z]\w+/g)].map(([name]) => name);
  assert.ok(named.length > 0);
  assert.deepEqual(
    named.filter((name) => !tests.has(name)),
    [],
  );
  const files = [...table.matchAll(/\btests\/\S+\.mjs\b/g)].map(([name]) => name);
  assert.deepEqual(
    files.filter((name) => !existsSync(join(root, name))),
    [],
  );
});
