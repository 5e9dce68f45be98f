// Quirks of models with ropes.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { explain, sole } from "./explain.mjs";
import { slopes } from "./facts/bias.mjs";
import { difference } from "./judge.mjs";

const paramsOf = (config) => sole(explain(config)[0]).params;
const failure = (config) => {
  const [{ error }] = explain(config);
  return `${error.code} ${error.field}`;
};
const assertClose = (got, want) => assert.equal(difference(want, got), "");

describe("DeepSeek's latent attention", () => {
  const deepseek = { model_type: "deepseek_v3", qk_nope_head_dim: 8, qk_rope_head_dim: 8 };
  const yarn = { type: "yarn", factor: 40, original_max_position_embeddings: 4096 };
  const usual = 16 ** -0.5;

  test("mscale_all_dim multiplies the softmax scale by its square, beside the cosines", () => {
    const both = paramsOf({
      ...deepseek,
      rope_scaling: { ...yarn, mscale: 1, mscale_all_dim: 1 },
    });
    const factor = (0.1 * Math.log(40) + 1) ** 2;
    assertClose(both.softmax_scale_factor, factor);
    assertClose(both.softmax_scale, usual * factor);
    assertClose(both.attention_factor, 1);
    for (const mscale_all_dim of [undefined, 0]) {
      const { softmax_scale, softmax_scale_factor, attention_factor } = paramsOf({
        ...deepseek,
        rope_scaling: { ...yarn, mscale_all_dim },
      });
      assertClose(softmax_scale, usual);
      assert.equal(softmax_scale_factor, undefined);
      assertClose(attention_factor, 0.1 * Math.log(40) + 1);
    }
  });

  test("a width of 0 switches it off: hidden_size / num_attention_heads, halves", () => {
    const config = { ...deepseek, qk_rope_head_dim: 0, hidden_size: 128, num_attention_heads: 4 };
    const [result] = explain(config);
    const { head_dim, rotary_dim, layout, placement } = sole(result).params;
    assert.deepEqual([head_dim, rotary_dim, layout, placement], [32, 32, "half", "prefix"]);
    assert.equal(result.warnings[0].code, "W_MLA_DISABLED");
    assert.equal(result.warnings[0].field, "qk_rope_head_dim");
  });

  test("an odd width is an error", () => {
    assert.equal(failure({ ...deepseek, qk_rope_head_dim: 7 }), "E_ROTARY_ODD qk_rope_head_dim");
  });
});

describe("widths", () => {
  const phi = { model_type: "phi", hidden_size: 400, num_attention_heads: 4 };

  test("the share that rotates is cut to a whole number as Python's int() does", () => {
    assert.equal(paramsOf({ ...phi, partial_rotary_factor: 0.4 }).rotary_dim, 40);
    assert.equal(paramsOf({ ...phi, partial_rotary_factor: 0.509 }).rotary_dim, 50);
    assert.equal(paramsOf({ ...phi, partial_rotary_factor: 1 }).rotary_dim, 100);
    assert.equal(
      failure({ ...phi, partial_rotary_factor: 0.51 }),
      "E_ROTARY_ODD partial_rotary_factor",
    );
    assert.equal(
      failure({ ...phi, partial_rotary_factor: 0 }),
      "E_ROTARY_ODD partial_rotary_factor",
    );
  });

  test("rotary_dim counts where the class has it, and must fit the head", () => {
    const gptj = { model_type: "gptj", n_embd: 64, n_head: 2 };
    assert.equal(paramsOf({ ...gptj, rotary_dim: 8 }).rotary_dim, 8);
    assert.equal(failure({ ...gptj, rotary_dim: 7 }), "E_ROTARY_ODD rotary_dim");
    assert.equal(failure({ ...gptj, rotary_dim: 34 }), "E_FIELD_RANGE rotary_dim");
    assert.equal(failure(gptj), "E_ROTARY_ODD rotary_dim"); // the default of 64 is too wide
  });

  test("heads must divide the width, into even parts", () => {
    const llama = { model_type: "llama", hidden_size: 100 };
    assert.equal(failure({ ...llama, num_attention_heads: 3 }), "E_NOT_DIVISIBLE hidden_size");
    assert.equal(
      failure({ ...llama, num_attention_heads: 4 }),
      "E_FIELD_RANGE num_attention_heads",
    );
    assert.equal(
      failure({ ...llama, num_attention_heads: 4, head_dim: 7 }),
      "E_FIELD_RANGE head_dim",
    );
    assert.equal(paramsOf({ ...llama, num_attention_heads: 3, head_dim: 6 }).head_dim, 6);
  });
});

test("a flag of the config tells the layout where the class has one", () => {
  const layouts = (model_type, name) =>
    [true, false, null].map((value) => paramsOf({ model_type, [name]: value }).layout);
  const interleaved = ["interleaved", "half", "interleaved"];
  assert.deepEqual(layouts("deepseek_v3", "rope_interleave"), interleaved);
  const nomic = layouts("nomic_bert", "rotary_emb_interleaved");
  assert.deepEqual(nomic, ["interleaved", "half", "half"]);
});

test("parameters that the class itself has are its own, until the config says null", () => {
  for (const [model_type, type] of [
    ["gpt_oss", "yarn"],
    ["apertus", "llama3"],
  ]) {
    const [{ encodings }] = explain({ model_type });
    for (const { params, sources } of encodings) {
      assert.equal(params.scaling.type, type);
      assert.deepEqual(sources.scaling, { kind: "class default" });
    }
    for (const name of ["rope_scaling", "rope_parameters"]) {
      const [plain] = explain({ model_type, [name]: null });
      assert.equal(plain.encodings[0].params.scaling.type, "none");
    }
  }
});

test("widths and heads whose numbers nobody could print are errors", () => {
  assert.equal(failure({ model_type: "llama", head_dim: 2 ** 24 }), "E_FIELD_RANGE head_dim");
  const wide = { model_type: "llama", hidden_size: 2 ** 24, num_attention_heads: 1 };
  assert.equal(failure(wide), "E_FIELD_RANGE num_attention_heads");
  assert.equal(failure({ model_type: "bloom", n_head: 2 ** 24 }), "E_FIELD_RANGE n_head");
  const tower = { model_type: "qwen2_5_vl_vision", hidden_size: 2 ** 24, num_heads: 1 };
  assert.equal(failure(tower), "E_FIELD_RANGE num_heads");
});

test("Falcon: alibi takes the rope's place, in bfloat16 and before the scores are scaled", () => {
  for (const model_type of ["falcon", "RefinedWebModel", "RefinedWeb"]) {
    const { params, attention } = sole(explain({ model_type, alibi: true, n_head: 6 })[0]);
    assert.equal(params.rounding, "bfloat16");
    assert.equal(params.added, "before the scores are scaled");
    assertClose(params.slopes, slopes(6, 8));
    assert.equal(attention.causal, true);
  }
});

test("ChatGLM: original_rope tells the layout, rope_ratio the base", () => {
  const glm = { model_type: "chatglm", kv_channels: 64, rope_ratio: 50 };
  const layoutOf = (original_rope) => paramsOf({ ...glm, original_rope }).layout;
  assert.equal(layoutOf(undefined), "interleaved");
  assert.equal(layoutOf(true), "interleaved");
  assert.equal(layoutOf(false), "half");
  const { base, rotary_dim } = paramsOf(glm);
  assert.deepEqual([base, rotary_dim], [500000, 32]);
  assert.equal(failure({ ...glm, kv_channels: 66 }), "E_ROTARY_ODD kv_channels");
});

test("Baichuan: 7B has a rope, 13B ALiBi of 40 heads", () => {
  assert.equal(paramsOf({ model_type: "baichuan", hidden_size: 4096 }).head_dim, 128);
  const wide = { model_type: "baichuan", hidden_size: 5120, num_attention_heads: 40 };
  assertClose(paramsOf(wide).slopes, slopes(40, 8));
});

test("Qwen's own dynamic NTK is told by a warning", () => {
  const [result] = explain({ model_type: "qwen", use_dynamic_ntk: true });
  assert.equal(sole(result).params.scaling.type, "none");
  assert.equal(result.warnings.at(-1).code, "W_LENGTH_RULE_NOT_APPLIED");
  assert.equal(result.warnings.at(-1).field, "use_dynamic_ntk");
});

test("models without a base in their code ignore rope_theta and rope_scaling, and say so", () => {
  for (const model_type of ["gptj", "codegen", "roformer"]) {
    const given = { rope_theta: 77, rope_scaling: { type: "linear", factor: 2 } };
    const [result] = explain({ model_type, ...given });
    const { base, scaling } = sole(result).params;
    assert.deepEqual([base, scaling.type], [10000, "none"], model_type);
    const fields = result.warnings.filter(({ code }) => code === "W_FIELD_IGNORED");
    assert.deepEqual(fields.map(({ field }) => field).sort(), ["rope_scaling", "rope_theta"]);
  }
});

describe("M-RoPE", () => {
  const qwen = { model_type: "qwen2_vl_text", hidden_size: 64, num_attention_heads: 2 };
  const withSections = (mrope_section, more = {}) => ({
    ...qwen,
    ...more,
    rope_scaling: { type: "mrope", mrope_section },
  });

  test("sections in a row: pairs of time, then of height, then of width", () => {
    const { axis_of_pair, interleaved } = paramsOf(withSections([4, 6, 6]));
    assert.equal(axis_of_pair.join(""), "tttthhhhhhwwwwww");
    assert.equal(interleaved, false);
  });

  test("interleaved sections: every third pair, what is left is time's", () => {
    const config = withSections([6, 5, 4], { model_type: "qwen3_vl_text", head_dim: 32 });
    assert.equal(paramsOf(config).axis_of_pair.join(""), "thwthwthwthwthtt");
  });

  test("mrope_interleaved of the config counts before the class", () => {
    const rope_scaling = {
      rope_type: "default",
      mrope_section: [6, 5, 5],
      mrope_interleaved: true,
    };
    assert.equal(paramsOf({ ...qwen, rope_scaling }).interleaved, true);
  });

  test("default and mrope scale nothing, and neither conflicts with the other", () => {
    const rope_scaling = { rope_type: "default", type: "mrope", mrope_section: [4, 6, 6] };
    const [result] = explain({ ...qwen, rope_scaling });
    assert.deepEqual(sole(result).params.scaling, { type: "none" });
    assert.ok(result.warnings.every(({ code }) => code !== "W_ROPE_TYPE_CONFLICT"));
  });

  test("sections must be three that fill the pairs", () => {
    const field = "rope_scaling.mrope_section";
    assert.equal(failure(withSections([4, 6, 5])), `E_MROPE_SECTION_SUM ${field}`);
    assert.equal(failure(withSections([16])), `E_MROPE_SECTION_COUNT ${field}`);
    assert.equal(failure(withSections("4,6,6")), `E_FIELD_TYPE ${field}`);
    assert.equal(failure(withSections([4, 6, 6.5])), `E_FIELD_TYPE ${field}[2]`);
  });
});

describe("unknown model types", () => {
  test("with a rope's fields are read as most models mean them, and say so", () => {
    const config = {
      model_type: "brand_new",
      n_embd: 64,
      n_head: 2,
      n_positions: 77,
      rotary_emb_base: 500,
      rotary_pct: 0.5,
    };
    const [result] = explain(config);
    const { params, sources } = sole(result);
    const { head_dim, rotary_dim, base, layout, max_position } = params;
    assert.deepEqual([head_dim, rotary_dim, base, layout], [32, 16, 500, "half"]);
    assert.equal(max_position, 77);
    assert.equal(sources.layout.kind, "assumption");
    assert.equal(result.warnings[0].code, "W_MODEL_TYPE_UNKNOWN_GENERIC");
    assert.match(result.warnings[0].message, /"brand_new"/);
  });

  test("with ALiBi's fields have ALiBi", () => {
    const [result] = explain({ model_type: "brand_new", alibi: true, num_attention_heads: 4 });
    assertClose(sole(result).params.slopes, slopes(4, 8));
    assert.equal(sole(result).sources.alibi_bias_max.kind, "assumption");
  });

  test("with neither are an error, and a missing model_type is told by architectures", () => {
    assert.equal(
      failure({ model_type: "brand_new", hidden_size: 4 }),
      "E_MODEL_TYPE_UNKNOWN model_type",
    );
    assert.equal(failure({}), "E_MODEL_TYPE_UNKNOWN model_type");
    for (const [architecture, encoding] of [
      ["LlamaForCausalLM", "rope"],
      ["GPTNeoXForCausalLM", "rope"],
      ["GPT2LMHeadModel", "learned"],
      ["T5EncoderModel", "t5_bias"],
      ["BertModel", "learned"],
    ]) {
      const [{ encodings, warnings }] = explain({ architectures: [architecture] });
      assert.equal(encodings[0].encoding, encoding, architecture);
      assert.equal(`${warnings[0].code} ${warnings[0].field}`, "W_DEFAULT_USED model_type");
    }
  });
});
