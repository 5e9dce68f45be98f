// Models of several parts: which config of a part is read as which model.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { explain, sole } from "./explain.mjs";
import { facts } from "./facts/all.mjs";
import { valuesOf } from "./facts/field.mjs";
import { oneOrParts, parts, without } from "./facts/parts.mjs";
import { encodingsDiffer } from "./judge.mjs";

const sectionNames = {
  text: ["text_config", "language_config", "llm_config", "text_model_config"],
  vision: ["vision_config", "visual", "vision_tower_config"],
  audio: ["audio_config", "speech_config", "audio_encoder_config"],
};

const defaultsOf = (name) => facts[name].encodings(valuesOf(facts[name].fields));

describe("parts that name no model type", () => {
  for (const [name, types] of Object.entries({ ...parts, ...oneOrParts })) {
    test(name, () => {
      for (const index of [0, 1, 2, 3]) {
        const config = { model_type: name };
        for (const part of Object.keys(types)) {
          config[sectionNames[part][index % sectionNames[part].length]] = {};
        }
        const [{ encodings, error }] = explain(config);
        assert.equal(error, undefined);
        const wanted = Object.values(types).flatMap(defaultsOf);
        assert.equal(encodingsDiffer(wanted, encodings), "");
      }
    });
  }
});

test("a config without a part's config has the text's class defaults, with a warning", () => {
  const results = explain(...Object.keys(parts).map((name) => ({ model_type: name })));
  for (const [i, [name, { text }]] of Object.entries(parts).entries()) {
    assert.equal(encodingsDiffer(defaultsOf(text), results[i].encodings), "", name);
    const { code, field } = results[i].warnings[0];
    assert.equal(`${code} ${field}`, "W_DEFAULT_USED text_config", name);
  }
});

test("a part's own model type counts, and its own fields", () => {
  const vision_config = { model_type: "siglip_vision_model", image_size: 384, patch_size: 14 };
  const text_config = { model_type: "gemma", rope_theta: 5000 };
  const [result] = explain({ model_type: "llava", text_config, vision_config });
  const { params, sources } = sole(result, "text");
  assert.equal(params.head_dim, 256);
  assert.equal(params.base, 5000);
  assert.deepEqual(sources.base, { kind: "config", from: "text_config.rope_theta" });
  assert.deepEqual(sole(result, "vision").params.grid, [27, 27]);
});

test("a tower of an unknown model type is left out, with a warning that names it", () => {
  const vision_config = { model_type: "unknown_tower", hidden_size: 64 };
  const [{ encodings, warnings }] = explain({
    model_type: "llama4",
    text_config: {},
    vision_config,
  });
  assert.ok(encodings.every(({ site }) => site === "text"));
  const left = warnings.find(({ field }) => field === "vision_config.model_type");
  assert.equal(left.code, "W_SITE_NOT_READ");
  assert.match(left.message, /unknown_tower/);
});

test("older files have the text's fields in the whole's config", () => {
  const flat = { hidden_size: 1536, num_attention_heads: 12, rope_theta: 1e6 };
  const rope_scaling = { type: "mrope", mrope_section: [16, 24, 24] };
  const vision_config = { embed_dim: 1280, hidden_size: 1536, num_heads: 16 };
  const [result] = explain({ model_type: "qwen2_vl", ...flat, rope_scaling, vision_config });
  assert.deepEqual(sole(result, "text").params.sections, [16, 24, 24]);
  assert.equal(sole(result, "vision").params.head_dim, 80);
  assert.deepEqual(sole(result, "text").sources.sections, {
    kind: "config",
    from: "rope_scaling.mrope_section",
  });
});

test("the thinker of an omni model is what is read", () => {
  const thinker_config = { text_config: {}, vision_config: {}, audio_config: {} };
  const [{ encodings }] = explain({ model_type: "qwen2_5_omni", thinker_config });
  assert.equal(
    encodingsDiffer(Object.values(parts.qwen2_5_omni).flatMap(defaultsOf), encodings),
    "",
  );
});

test("parts of an unknown whole are read by their own model types, with a warning", () => {
  const text_config = { model_type: "qwen2", hidden_size: 896, num_attention_heads: 14 };
  const [result] = explain({ model_type: "some_new_vl", text_config });
  assert.equal(sole(result, "text").params.head_dim, 64);
  assert.equal(result.warnings[0].code, "W_MODEL_TYPE_UNKNOWN_GENERIC");
});

test("recurrent models have no positions, and say why", () => {
  for (const [i, result] of explain(...without.map((model_type) => ({ model_type }))).entries()) {
    const { encoding, params, layers } = sole(result, "text");
    assert.equal(`${encoding} ${layers}`, "none all");
    assert.match(params.reason, without[i] === "jamba" ? /attention layers/ : /recurrent/);
  }
});
