import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { capture, root } from "../../wasm/toolchain/process.mjs";
import { treeFiles } from "./files.mjs";

test("C++ is formatted as .clang-format says (npm run format)", () => {
  const files = treeFiles(".cpp", ".hpp", ".h");
  if (files.length > 0) capture(["clang-format-19", "--dry-run", "--Werror", ...files]);
});

test("JavaScript, TypeScript, Svelte, JSON and CSS please Biome (npm run format)", () => {
  capture([join(root, "node_modules/.bin/biome"), "ci", "--colors=off", "--error-on-warnings"]);
});

test("Sources are ASCII with LF line ends, no trailing space and a final newline", () => {
  const endings = [".cpp", ".hpp", ".h", ".mjs", ".ts", ".svelte", ".txt", ".cmake", ".md", ".py"];
  const rules = [
    [/[^\n\x20-\x7e]/, "a character that is neither ASCII nor a line feed"],
    [/ $/m, "a space at the end of a line"],
    [/[^\n]$/, "no final newline"],
  ];
  const problems = treeFiles(...endings).flatMap((name) => {
    const text = readFileSync(join(root, name), "utf8");
    return rules.flatMap(([pattern, problem]) => {
      const found = pattern.exec(text);
      return found ? `${name}:${lineOf(text, found.index)}: ${problem}` : [];
    });
  });
  assert.deepEqual(problems, []);
});

function lineOf(text, index) {
  return text.slice(0, index).split("\n").length;
}
