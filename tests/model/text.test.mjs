// What is printed: sources of every parameter, and the same bytes from both builds.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { builds, posenc } from "../cli/command.mjs";
import { configFiles, explain, explainAll, sole } from "./explain.mjs";

const read = (name) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const published = read("published.json");
const malformed = read("malformed.json");
const kinds = ["config", "class default", "derived", "model code", "assumption"];

test("every parameter has a source, and a field that is one is in the config", () => {
  const results = explainAll(published);
  for (const [i, { id, config }] of published.entries()) {
    for (const { params, sources } of results[i].encodings) {
      assert.deepEqual(Object.keys(sources), Object.keys(params), id);
      for (const { kind, from } of Object.values(sources)) {
        assert.ok(kinds.includes(kind), kind);
        if (kind === "config") assert.notEqual(valueAt(config, from), undefined, `${id}: ${from}`);
      }
    }
  }
});

/** The value at a path such as text_config.rope_scaling.factor. */
const valueAt = (config, path) => path.split(".").reduce((value, name) => value?.[name], config);

test("a width that follows from two fields names both", () => {
  const { sources } = sole(explain({ model_type: "gptj", n_embd: 512, n_head: 4 })[0]);
  assert.deepEqual(sources.head_dim, { kind: "derived", from: "n_embd / n_head" });
  const llama = sole(explain({ model_type: "llama" })[0]).sources;
  assert.deepEqual(llama.head_dim, { kind: "derived", from: "hidden_size / num_attention_heads" });
  assert.deepEqual(llama.base, { kind: "class default" });
  assert.deepEqual(llama.layout, { kind: "model code" });
});

test("the share of a head that rotates names its field", () => {
  const { sources } = sole(explain({ model_type: "phi", partial_rotary_factor: 0.25 })[0]);
  assert.deepEqual(sources.rotary_dim, {
    kind: "derived",
    from: "head_dim * partial_rotary_factor",
  });
});

test("both builds print the same bytes, as JSON and as pages", () => {
  const paths = configFiles([...published, ...malformed]);
  for (const format of [["--json"], []]) {
    const [native, ...others] = Object.keys(builds).map((build) =>
      posenc(build, ["explain", ...format, ...paths]),
    );
    for (const other of others) {
      assert.equal(other.status, native.status);
      assert.equal(other.stderr, native.stderr);
      assert.ok(other.stdout.equals(native.stdout), format[0] ?? "pages");
    }
  }
});

test("a config that cannot be read sets the exit status, and the others are told", () => {
  const [good, bad] = configFiles([{ config: { model_type: "llama" } }, { raw: "{" }]);
  const run = posenc("native", ["explain", "--json", bad, good]);
  assert.equal(run.status, 2);
  assert.match(run.stderr, /^posenc: .*0?1\.json: not valid JSON near byte/);
  const [first, second] = JSON.parse(run.stdout);
  assert.equal(first.error.code, "E_JSON_SYNTAX");
  assert.equal(second.encodings[0].encoding, "rope");
});

test("a page names the encoding, its parameters and where they came from", () => {
  const [path] = configFiles([{ config: { model_type: "llama", rope_theta: 5e5 } }]);
  const page = String(posenc("native", ["explain", path]).stdout);
  assert.match(page, /rope/);
  assert.match(page, /head_dim +128/);
  assert.match(page, /base +500000 +.*rope_theta/);
});
