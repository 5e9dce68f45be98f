// --config and `posenc explain`: a model's config.json in place of an encoding and its flags.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { builds, posenc, temporaryFolder, writeNpy } from "./command.mjs";

const folder = temporaryFolder();
const file = (name) => join(folder, name);

function config(name, fields) {
  writeFileSync(file(name), JSON.stringify(fields));
  return file(name);
}

const llama = config("llama.json", {
  ...{ model_type: "llama", hidden_size: 256, num_attention_heads: 4, rope_theta: 500000 },
  rope_scaling: { rope_type: "linear", factor: 4 },
});
const bloom = config("bloom.json", { model_type: "bloom", hidden_size: 64, n_head: 2 });
const gpt2 = config("gpt2.json", { model_type: "gpt2", n_embd: 2, n_positions: 3 });
const t5 = config("t5.json", {
  ...{ model_type: "t5", num_heads: 2, relative_attention_num_buckets: 4 },
  relative_attention_max_distance: 8,
});
writeNpy(file("rows.npy"), [3, 2], [1, 2, 3, 4, 5, 6]);
writeNpy(file("buckets.npy"), [4, 2], [1, 2, 3, 4, 5, 6, 7, 8]);

/** What both builds print, which must be equal. */
function printed(...args) {
  const [native, npx] = Object.keys(builds).map((build) => posenc(build, args));
  assert.equal(native.status, 0, native.stderr);
  assert.deepEqual(npx.stdout, native.stdout);
  return String(native.stdout);
}

test("angles are those of the rope that the config asks for", () => {
  const flags = "--head-dim 64 --base 500000 --scaling linear --factor 4".split(" ");
  const rest = ["--length", "5", "--offset", "7", "--format", "csv"];
  const expected = printed("angles", "rope", ...flags, ...rest);
  assert.equal(printed("angles", "--config", llama, ...rest), expected);
  assert.equal(printed("table", "rope", ...flags, ...rest), expected);
});

test("a bias is that of the config", () => {
  const rest = ["--queries", "2", "--keys", "2", "--format", "csv"];
  const expected = printed("bias", "alibi", "--heads", "2", ...rest);
  assert.equal(printed("bias", "--config", bloom, ...rest), expected);
});

test("trained tables are read where the encoding has one", () => {
  const table = ["--table", file("rows.npy"), "--length", "3", "--format", "csv"];
  assert.equal(printed("table", "--config", gpt2, ...table), "1,2\n3,4\n5,6\n");
  const shape = [
    "--table",
    file("buckets.npy"),
    "--queries",
    "1",
    "--keys",
    "1",
    "--format",
    "csv",
  ];
  assert.match(printed("bias", "--config", t5, "--site", "encoder", ...shape), /^1\n\n?2\n$/);
});

const refused = [
  [
    ["table", "--config", gpt2, "--length", "3"],
    2,
    /^posenc: learned needs the trained table: --table/,
  ],
  [["angles", "--config", gpt2, "--length", "3"], 2, /layer 0 has no rope; it has text learned/],
  [["bias", "--config", bloom], 2, /--keys is required/],
  [["angles", "--config", file("none.json"), "--length", "1"], 1, /none\.json/],
  [["angles", "--config", llama, "--site", "vision", "--length", "1"], 2, /has no rope/],
  [
    ["angles", "--config", llama, "rope", "--head-dim", "4", "--length", "1"],
    2,
    /^posenc: --config does not go before rope$/m,
  ],
  [
    ["table", "--out", file("lost.npy"), "sinusoidal", "--dim", "4", "--length", "1"],
    2,
    /^posenc: --out does not go before sinusoidal$/m,
  ],
  [["explain"], 2, /CONFIG/],
];
for (const [args, status, message] of refused) {
  test(`refused: ${args.map((arg) => arg.replace(folder, "")).join(" ")}`, () => {
    for (const build of Object.keys(builds)) {
      const run = posenc(build, args);
      assert.equal(run.status, status, run.stderr);
      assert.equal(String(run.stdout), "");
      assert.match(run.stderr, message);
    }
  });
}

test("explain prints a page per file, and JSON with one object per file", () => {
  assert.match(
    printed("explain", llama, bloom),
    /text, all layers: rope.*text, all layers: alibi/s,
  );
  const told = JSON.parse(printed("explain", "--json", llama, bloom));
  assert.deepEqual(
    told.map(({ encodings: [{ encoding }] }) => encoding),
    ["rope", "alibi"],
  );
});

test("a config that is wrong fails, and those beside it are told", () => {
  const wrong = config("wrong.json", { model_type: "llama", num_attention_heads: 0 });
  const run = posenc("native", ["explain", "--json", wrong, bloom]);
  assert.equal(run.status, 2);
  assert.match(run.stderr, /wrong\.json: num_attention_heads must be 1 to \d+, got 0/);
  const [error, { encodings }] = JSON.parse(run.stdout);
  assert.equal(error.error.field, "num_attention_heads");
  assert.equal(encodings.length, 1);
});
