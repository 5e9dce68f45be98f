// Where the result goes: files that appear whole or not at all, pipes, terminals, progress.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { builds, posenc, shell, start, temporaryFolder } from "./command.mjs";

const folder = temporaryFolder();
const newFolder = () => mkdtempSync(join(folder, "case-"));
const small = ["table", "sinusoidal", "--dim", "2", "--length", "1"];
const smallCsv = "0,1\n";
/** Minutes of work: meant to be stopped. */
const endless = ["table", "sinusoidal", "--dim", "1024", "--length", "1000000000"];
/** A few MB. */
const large = ["table", "sinusoidal", "--dim", "1024", "--length", "3000", "--format", "npy"];

/** Waits until a temporary file has been written to. */
async function writing(place) {
  for (let tries = 0; tries < 500; ++tries) {
    const name = readdirSync(place).find((entry) => entry.endsWith(".tmp"));
    if (name && statSync(join(place, name)).size > 0) return;
    await setTimeout(20);
  }
  throw new Error("no temporary file appeared");
}

for (const build of Object.keys(builds)) {
  describe(build, () => {
    test("an existing file is replaced and keeps its mode; a link stays a link", () => {
      const place = newFolder();
      const path = join(place, "x.csv");
      writeFileSync(path, "old");
      chmodSync(path, 0o640);
      symlinkSync("x.csv", join(place, "link.csv"));
      assert.equal(posenc(build, [...small, "--out", join(place, "link.csv")]).status, 0);
      assert.equal(readFileSync(path, "utf8"), smallCsv);
      assert.equal(statSync(path).mode & 0o777, 0o640);
      assert.ok(lstatSync(join(place, "link.csv")).isSymbolicLink());
      assert.deepEqual(readdirSync(place).sort(), ["link.csv", "x.csv"]);
    });

    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
      test(`${signal} leaves the old file and nothing else`, async () => {
        const place = newFolder();
        const path = join(place, "x.csv");
        writeFileSync(path, "old");
        const child = start(build, [...endless, "--out", path]);
        await writing(place);
        child.kill(signal);
        assert.deepEqual(await once(child, "exit"), [null, signal]);
        assert.deepEqual(readdirSync(place), ["x.csv"]);
        assert.equal(readFileSync(path, "utf8"), "old");
      });
    }

    test("a write that fails halfway leaves the old file and nothing else", () => {
      const place = newFolder();
      const path = join(place, "x.npy");
      writeFileSync(path, "old");
      const run = shell(build, 'ulimit -f 2000; exec "$@"', [...large, "--out", path]);
      assert.equal(run.stderr, `posenc: cannot write ${path}: File too large\n`);
      assert.equal(run.status, 1);
      assert.deepEqual(readdirSync(place), ["x.npy"]);
      assert.equal(readFileSync(path, "utf8"), "old");
    });

    test("standard output that is full is an error", () => {
      const run = shell(build, '"$@" > /dev/full', small);
      assert.equal(run.stderr, "posenc: cannot write standard output: No space left on device\n");
      assert.equal(run.status, 1);
    });

    test("a reader that has seen enough is no reason to complain", () => {
      const run = shell(build, '{ "$@"; echo "status $?" >&2; } | head -c 4', endless);
      assert.equal(String(run.stdout), "0,1,");
      assert.equal(run.stderr, "status 1\n");
    });

    test("a slow reader gets everything", () => {
      const direct = posenc(build, large).stdout;
      const slow = shell(build, '"$@" | (sleep 0.5; cat)', large, { maxBuffer: 2 ** 28 });
      assert.ok(slow.stdout.equals(direct));
    });

    test("a named pipe is written directly", () => {
      const path = join(newFolder(), "pipe");
      const script = `mkfifo ${path}; cat ${path} & "$@" --out ${path} --format csv; wait`;
      const run = shell(build, script, small);
      assert.equal(run.stderr, "");
      assert.equal(String(run.stdout), smallCsv);
    });

    test("--progress reports on standard error, for short work too", () => {
      const run = posenc(build, [...small, "--progress"]);
      assert.equal(run.stderr, "posenc: 100 % (1 of 1 rows)\n");
      assert.equal(String(run.stdout), smallCsv);
    });

    test("without --progress nothing is reported into a file", () => {
      assert.equal(posenc(build, [...large, "--out", "/dev/null"]).stderr, "");
    });
  });
}

/** Runs a build on a terminal of its own and returns what that shows. */
function onTerminal(build, args) {
  const command = [...builds[build], ...args].map((word) => `'${word}'`).join(" ");
  const run = spawnSync("script", ["-qec", command, "/dev/null"], { encoding: "utf8" });
  return { shown: run.stdout, status: run.status };
}

describe("on a terminal", () => {
  for (const build of Object.keys(builds)) {
    test(`${build}: binary output is refused`, () => {
      const { shown, status } = onTerminal(build, [...small, "--format", "npy"]);
      assert.match(shown, /^posenc: npy is binary and standard output is a terminal/);
      assert.equal(status, 2);
    });

    test(`${build}: work of more than a second is reported, unless --quiet`, () => {
      const long = [
        "table",
        "sinusoidal",
        "--dim",
        "1024",
        "--format",
        "csv",
        "--out",
        "/dev/null",
      ];
      // Doubled until it takes that long: machines differ, and are busy with other things.
      for (let rows = 4000; rows < 1e7; rows *= 2) {
        const { shown } = onTerminal(build, [...long, "--length", `${rows}`]);
        if (shown === "") continue;
        assert.match(shown, /^\rposenc: +\d+ % \(\d+ of \d+ rows\)\r/);
        assert.match(shown, new RegExp(`\\rposenc: 100 % \\(${rows} of ${rows} rows\\)\\r?\\n$`));
        assert.equal(onTerminal(build, [...long, "--length", `${2 * rows}`, "--quiet"]).shown, "");
        return;
      }
      assert.fail("nothing was reported");
    });
  }
});
