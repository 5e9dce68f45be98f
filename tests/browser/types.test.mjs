// The page's TypeScript and Svelte against the package's own types; warnings count.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

test("svelte-check finds no error and no warning", () => {
  const manifest = createRequire(import.meta.url).resolve("svelte-check/package.json");
  const program = join(dirname(manifest), "bin/svelte-check");
  const web = fileURLToPath(new URL("../../web", import.meta.url));
  const options = ["--workspace", web, "--tsconfig", "./tsconfig.json", "--fail-on-warnings"];
  const { status, stdout } = spawnSync(process.execPath, [program, ...options], {
    encoding: "utf8",
  });
  assert.equal(status, 0, stdout);
});
