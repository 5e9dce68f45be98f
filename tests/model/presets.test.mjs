// The explorer's presets of published models are what their configs ask for.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { explainAll } from "./explain.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const published = JSON.parse(readFileSync(join(root, "tests/model/published.json"), "utf8"));
const configOf = (id) => published.find((one) => one.id.startsWith(id)).config;

/** The presets of a panel: web/src/settings/NAME.ts. */
async function presetsOf(name) {
  const entry = join(root, "web/src/settings", `${name}.ts`);
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "esm",
  });
  const module = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  return Object.values(module).find(Array.isArray);
}

const scalings = {
  none: "none",
  linear: "linear",
  dynamic: "dynamic_ntk",
  yarn: "yarn",
  llama3: "llama3",
};

/** Settings of a panel that a told encoding fixes. */
const settingsOf = {
  rope: ({ head_dim, rotary_dim, base, layout, scaling }) => ({
    headDim: head_dim,
    rotaryDim: rotary_dim === head_dim ? 0 : rotary_dim,
    base,
    layout,
    scaling: scalings[scaling.type],
    ...(scaling.factor && { factor: scaling.factor }),
    ...(scaling.original_max_position && { originalLength: scaling.original_max_position }),
  }),
  alibi: ({ heads, form }) => ({ heads, form: form === "symmetric" ? form : "causal" }),
  t5: ({ heads, bidirectional, num_buckets, max_distance }) => ({
    heads,
    bidirectional,
    numBuckets: num_buckets,
    maxDistance: max_distance,
  }),
  deberta: ({ head_dim, buckets, max_relative_positions }) => ({
    headDim: head_dim,
    positionBuckets: buckets ?? 0,
    maxRelativePositions: max_relative_positions,
  }),
  transformer_xl: ({ dim, d_head, clamp_len }) => ({
    dModel: dim,
    headDim: d_head,
    clampLen: clamp_len,
  }),
  decomposed: ({ window: [height, width], dim }) => ({
    queryHeight: height,
    queryWidth: width,
    keyHeight: height,
    keyWidth: width,
    headDim: dim,
  }),
};

/** [panel, preset, config, encoding, its place among those of the model] */
const cases = [
  ["rope", "llama-2-7b", configOf("meta-llama/Llama-2-7b"), "rope"],
  ["rope", "gpt-neox-20b", { model_type: "gpt_neox" }, "rope"],
  ["rope", "gpt-j-6b", { model_type: "gptj" }, "rope"],
  ["rope", "vicuna-13b-16k", configOf("lmsys/vicuna-13b-v1.5-16k"), "rope"],
  ["rope", "llama-3.1-8b", configOf("meta-llama/Llama-3.1-8B"), "rope"],
  ["rope", "qwen2.5-7b-yarn", configOf("Qwen/Qwen2.5-7B-Instruct"), "rope"],
  ["alibi", "bloom-176b", { model_type: "bloom", n_head: 112, hidden_size: 14336 }, "alibi"],
  ["alibi", "mpt-7b", { model_type: "mpt", n_heads: 32, d_model: 4096 }, "alibi"],
  ["t5", "t5-small-encoder", configOf("google-t5/t5-small"), "t5_bias", 0],
  ["t5", "t5-small-decoder", configOf("google-t5/t5-small"), "t5_bias", 1],
  ["deberta", "deberta-base", configOf("microsoft/deberta-base (list form)"), "deberta"],
  [
    "deberta",
    "deberta-v3-base",
    {
      ...{ model_type: "deberta-v2", hidden_size: 768, num_attention_heads: 12 },
      ...{ relative_attention: true, position_buckets: 256, pos_att_type: "p2c|c2p" },
    },
    "deberta",
  ],
  [
    "transformer_xl",
    "transformer-xl-base",
    { model_type: "transfo-xl", d_model: 410, n_head: 10, d_head: 41, clamp_len: -1 },
    "transformer_xl",
  ],
  [
    "transformer_xl",
    "xlnet-base",
    { model_type: "xlnet", d_model: 768, n_head: 12 },
    "transformer_xl",
  ],
  ["decomposed", "sam-vit-b-window", { model_type: "sam" }, "decomposed_rel_pos", 0],
  ["decomposed", "sam-vit-b-global", { model_type: "sam" }, "decomposed_rel_pos", 1],
];

const results = explainAll(cases.map(([, , config]) => ({ config })));
for (const [i, [panel, id, , encoding, place = 0]] of cases.entries()) {
  test(`${panel}: ${id}`, async () => {
    const told = results[i].encodings.filter((one) => one.encoding === encoding)[place];
    const preset = (await presetsOf(panel)).find((one) => one.id === id);
    const expected = settingsOf[panel](told.params);
    const shown = Object.keys(expected).map((name) => [name, preset.settings[name]]);
    assert.deepEqual(Object.fromEntries(shown), expected);
  });
}
