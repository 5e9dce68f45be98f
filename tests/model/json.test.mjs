// The text of a config: what is JSON, what Python writes beside it, and what is neither.
import assert from "node:assert/strict";
import { test } from "node:test";
import { explainAll, sole } from "./explain.mjs";

const results = (...texts) => explainAll(texts.map((raw) => ({ raw })));
const errors = (...texts) => results(...texts).map(({ error }) => `${error?.code} ${error?.field}`);
const syntax = "E_JSON_SYNTAX $";

test("bare NaN and infinities are told where no rule reads them, and errors where one does", () => {
  const [unread, read] = results(
    '{"model_type": "llama", "x": [NaN, {"y": -Infinity}], "z": "NaN"}',
    '{"model_type": "llama", "hidden_size": Infinity}',
  );
  assert.equal(sole(unread).encoding, "rope");
  const fields = unread.warnings.filter(({ code }) => code === "W_JSON_NONFINITE");
  assert.deepEqual(
    fields.map(({ field }) => field),
    ["x[0]", "x[1].y"],
  );
  assert.deepEqual(`${read.error.code} ${read.error.field}`, "E_JSON_NONFINITE hidden_size");
});

test("quotes and backslashes in strings do not hide a NaN, nor make one", () => {
  const [hidden, made] = results(
    String.raw`{"model_type": "llama", "a": "b\\", "c": NaN}`,
    String.raw`{"model_type": "llama", "a": "\"NaN", "c": 1}`,
  );
  const nonfinite = ({ warnings }) => warnings.filter(({ code }) => code === "W_JSON_NONFINITE");
  assert.equal(nonfinite(hidden)[0].field, "c");
  assert.equal(nonfinite(made).length, 0);
});

test("what is not JSON is an error", () => {
  const texts = [
    "  ",
    '{"model_type": "llama"} x',
    '{"model_type": "llama"}{}',
    "{'model_type': 'llama'}",
    '{"model_type": "llama"} // llama',
    '{"model_type": "llama"}\0',
    '{"model_type": "lla\tma"}',
    '{"model_type": "\\ud800"}',
    '{NaN: 1, "model_type": "llama"}',
    '{"model_type": "llama", "x": NaNs}',
  ];
  assert.deepEqual(
    errors(...texts),
    texts.map(() => syntax),
  );
});

test("depth, length and numbers have limits", () => {
  const deep = (open, close) => open.repeat(100) + close.repeat(100);
  assert.deepEqual(errors(deep("[", "]"), `{"a":${deep("[", "]")}}`, `"${"a".repeat(2 ** 24)}"`), [
    "E_JSON_DEPTH $",
    "E_JSON_DEPTH a",
    "E_LIMIT $",
  ]);
  const many = `{"model_type": "llama", "x": [${"0,".repeat(2 ** 18)}0]}`;
  assert.deepEqual(errors(many, '{"model_type": "llama", "hidden_size": -1e400}'), [
    "E_LIMIT $",
    "E_JSON_NUMBER_RANGE hidden_size",
  ]);
});

test("escapes are letters, whole numbers may be spelled as reals, and no key is special", () => {
  const [escaped, real, keys] = results(
    String.raw`{"model_type": "l\u006cama", "hidden_size": 4096}`,
    '{"model_type": "llama", "hidden_size": 8.192e3, "num_attention_heads": 64.0}',
    '{"model_type": "llama", "": 1, "constructor": 2, "__proto__": {"rope_theta": 3}}',
  );
  assert.equal(sole(escaped).params.head_dim, 128);
  assert.equal(sole(real).params.head_dim, 128);
  assert.equal(sole(keys).params.base, 10000);
});

test("equal keys: the last one counts, at every depth, with a warning each", () => {
  const [result] = results(
    '{"model_type": "bert", "model_type": "llama", "rope_scaling": {"type": "linear", "factor": 2, "factor": 4}}',
  );
  assert.equal(sole(result).params.scaling.factor, 4);
  const told = result.warnings.filter(({ code }) => code === "W_DUPLICATE_KEY");
  assert.deepEqual(
    told.map(({ field }) => field),
    ["model_type", "rope_scaling.factor"],
  );
});

test("a field that several encodings read is worth one warning", () => {
  const [{ warnings }] = results('{"model_type": "layoutlmv3"}');
  const messages = warnings.map(({ message }) => message);
  assert.deepEqual(messages, [...new Set(messages)]);
});

test("numbers out of a field's range tell the range of the field", () => {
  const texts = ["0", "-4", "4096.5", "1e30", "9223372036854775808"].map(
    (value) => `{"model_type": "llama", "hidden_size": ${value}}`,
  );
  for (const { error } of results(...texts))
    assert.match(error.message, /whole number|to 16777216/);
});

test("a long key with many values in it costs what its text costs", () => {
  const [result] = results(
    `{"model_type": "llama", "${"k".repeat(2 ** 20)}": [${"0,".repeat(2 ** 17)}NaN]}`,
  );
  const { code, field } = result.warnings.at(-1);
  assert.equal(`${code} ${field}`, `W_JSON_NONFINITE ${"k".repeat(64)}[${2 ** 17}]`);
});

test("long names and texts that are no UTF-8 are shown as UTF-8, no character cut in two", () => {
  const wide = "\u00e9\u20ac\u{1f600}";
  for (let shift = 0; shift < 9; ++shift) {
    const long = "a".repeat(shift) + wide.repeat(40);
    const texts = [
      `{"model_type": "llama", "hidden_size": 64, "num_attention_heads": 1, "${long}": NaN}`,
      `{"model_type": "llama", "${long}": 1e999}`,
      `{"model_type": "llama", "${long}": ${"[".repeat(200)}`,
      `{"model_type": "${long}"}`,
      `{"model_type": "llama", "hidden_size": "${long}"}`,
      `{"model_type": "llama", "rope_scaling": {"rope_type": "${long}"}}`,
      `{"${long}" x`,
      Buffer.from('{"model_type": "\xff', "latin1"),
      Buffer.from(`{"model_type": "${"\xc3".repeat(shift)}"}`, "latin1"),
    ];
    for (const { error, warnings } of results(...texts)) {
      const shown = JSON.stringify(error ?? warnings);
      assert.doesNotMatch(shown, /\ufffd/);
    }
  }
});
