// posenc.model: a config.json to encodings that compute. Every model type is tested in tests/model.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc";
import { load as loadAll } from "posenc/all";
import { readModel } from "posenc/model";

const posenc = await load();

const llama = {
  model_type: "llama",
  hidden_size: 2048,
  num_attention_heads: 32,
  rope_theta: 500000,
  max_position_embeddings: 131072,
  rope_scaling: {
    rope_type: "llama3",
    factor: 32,
    low_freq_factor: 1,
    high_freq_factor: 4,
    original_max_position_embeddings: 8192,
  },
};

test("a model's rope is that of the parameters", async () => {
  const model = await posenc.model(llama);
  const [encoding] = model.at(3);
  assert.equal(encoding.encoding, "rope");
  assert.equal(encoding.attention.scale, 0.125);
  assert.equal(encoding.sources.base.from, "rope_theta");
  const rope = encoding.create();
  const same = posenc.rope({
    headDim: 64,
    base: 500000,
    scaling: { type: "llama3", factor: 32 },
  });
  assert.deepEqual(rope.invFreq(), same.invFreq());
  assert.deepEqual([...rope.invFreq()], encoding.params.inv_freq);
  const q = new Float32Array(128).fill(1);
  assert.deepEqual(
    rope.apply(q.slice(), { heads: 1, offset: 1000 }),
    same.apply(q.slice(), { heads: 1, offset: 1000 }),
  );
  rope.dispose();
  same.dispose();
});

test("text and object give the same, NaN and Infinity included", async () => {
  const text = JSON.stringify(llama).replace("}}", '}, "time_step_limit": [0, Infinity]}');
  const model = await posenc.model(text);
  assert.deepEqual(model.encodings[0].params, (await posenc.model(llama)).encodings[0].params);
  assert.equal(model.warnings[0].code, "W_JSON_NONFINITE");
});

test("layers of a kind share an encoding; a site may have several", async () => {
  const gemma = await posenc.model({ model_type: "gemma3_text", num_hidden_layers: 12 });
  assert.equal(gemma.at(0)[0].attention.window, 4096);
  assert.equal(gemma.at(5)[0].attention.window, undefined);
  const mpnet = await posenc.model({ model_type: "mpnet" });
  assert.deepEqual(
    mpnet.at(0).map(({ encoding }) => encoding),
    ["learned", "t5_bias"],
  );
});

test("trained weights are named when they are missing, and read when they are there", async () => {
  const [learned] = (await posenc.model({ model_type: "gpt2", n_embd: 2, n_positions: 3 }))
    .encodings;
  assert.throws(() => learned.create(), { code: "TYPE", field: "rows" });
  const rows = Float32Array.of(1, 2, 3, 4, 5, 6);
  const table = learned.create({ rows });
  assert.deepEqual(table.table({ length: 3 }), rows);
  table.dispose();
});

test("an encoding of posenc/all says so when the core read the model", async () => {
  const config = { model_type: "deberta", relative_attention: true, pos_att_type: "c2p|p2c" };
  const [deberta] = (await posenc.model(config)).encodings;
  assert.throws(() => deberta.create({ relEmbeddings: 0, posKey: 0, posQuery: 0 }), /posenc\/all/);
  const detr = await (await loadAll()).model({ model_type: "detr" });
  detr.encodings[0].create().dispose();
});

test("an error names the field and leaves the reader working", async () => {
  await assert.rejects(posenc.model({ ...llama, num_attention_heads: 0 }), {
    name: "PosencError",
    code: "MALFORMED",
    field: "num_attention_heads",
    message: /got 0/,
  });
  await assert.rejects(posenc.model("{"), { code: "MALFORMED", field: "$" });
  for (const wrong of [undefined, null, 7, [llama]]) {
    await assert.rejects(posenc.model(wrong), { code: "TYPE", field: "config" });
  }
  await assert.rejects(posenc.model(" ".repeat((1 << 24) + 1)), { code: "SIZE_LIMIT" });
  assert.equal((await posenc.model(llama)).encodings.length, 1);
});

test("the page names sources and code", async () => {
  const page = (await posenc.model(llama)).explain("llama/config.json");
  assert.match(page, /^llama\/config\.json\n/);
  assert.match(page, /head_dim +64 +<- hidden_size \/ num_attention_heads/);
  assert.match(page, /posenc\.rope\(\{ headDim: 64, base: 500000/);
});

test("a name that JavaScript treats on its own is a name like others", async () => {
  const text =
    '{"__proto__": {"rope_theta": 5}, "model_type": "llama", "hidden_size": 64, "num_attention_heads": 2}';
  const model = await posenc.model(text);
  assert.equal(model.encodings[0].params.base, 10000);
  assert.equal({}.rope_theta, undefined);
});

test("posenc/model alone tells encodings without a library to make them", async () => {
  const model = await readModel(llama);
  assert.equal(model.encodings[0].params.head_dim, 64);
  assert.throws(() => model.encodings[0].create(), { code: "TYPE" });
});
