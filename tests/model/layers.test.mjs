// Which layers have which positions.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { explain, inLayer } from "./explain.mjs";

/** The kinds of layers: each one's base, its window if it slides, or none. */
function kinds(config) {
  const [result] = explain({ hidden_size: 256, num_attention_heads: 4, head_dim: 64, ...config });
  if (result.error) return `${result.error.code} ${result.error.field}`;
  return Array.from({ length: config.num_hidden_layers }, (_, layer) => {
    const { encoding, params } = inLayer(result, layer);
    if (encoding === "none") return "none";
    return params.window === undefined ? params.base : `${params.base}/${params.window}`;
  });
}
const times = (count, item) => Array.from({ length: count }, () => item);

describe("sliding windows of Qwen2 and its like", () => {
  const qwen = { model_type: "qwen2", num_hidden_layers: 4, sliding_window: 100 };

  test("are inert unless use_sliding_window", () => {
    assert.deepEqual(kinds(qwen), times(4, 10000));
    assert.deepEqual(kinds({ ...qwen, use_sliding_window: false }), times(4, 10000));
  });

  test("begin at max_window_layers", () => {
    const config = { ...qwen, use_sliding_window: true, max_window_layers: 3 };
    assert.deepEqual(kinds(config), [10000, 10000, 10000, "10000/100"]);
    assert.deepEqual(kinds({ ...config, max_window_layers: 4 }), times(4, 10000));
    assert.deepEqual(kinds({ ...config, max_window_layers: 0 }), times(4, "10000/100"));
  });

  test("begin at layer 28 by default, at 80 in Qwen2-VL, and are 4096 wide", () => {
    const first = (model_type, more = {}) => {
      const layers = { num_hidden_layers: 90, use_sliding_window: true, hidden_size: 512 };
      const config = { model_type, ...layers, head_dim: 128, ...more };
      const all = kinds(config);
      const index = all.findIndex((each) => String(each).includes("/"));
      return `${index} ${all[index]}`;
    };
    assert.equal(first("qwen2"), "28 10000/4096");
    assert.equal(first("qwen2_moe"), "28 10000/4096");
    assert.equal(first("qwen3"), "28 10000/4096");
    assert.equal(first("qwen3_moe"), "28 10000/4096");
    assert.equal(first("qwen2_vl_text"), "80 1000000/4096");
    assert.equal(first("qwen2_5_vl_text"), "80 1000000/4096");
    assert.equal(first("qwen2_5_omni_text"), "28 1000000/32768");
  });
});

describe("windows of all layers", () => {
  test("Mistral's is there unless it is null", () => {
    const mistral = { model_type: "mistral", num_hidden_layers: 1 };
    assert.deepEqual(kinds(mistral), ["10000/4096"]);
    assert.deepEqual(kinds({ ...mistral, sliding_window: 8 }), ["10000/8"]);
    assert.deepEqual(kinds({ ...mistral, sliding_window: null }), [10000]);
  });

  test("others have one only when it is given", () => {
    for (const model_type of ["mixtral", "phi3", "starcoder2", "ministral3"]) {
      const config = { model_type, num_hidden_layers: 1, rope_theta: 5 };
      assert.deepEqual(kinds(config), [5], model_type);
      assert.deepEqual(kinds({ ...config, sliding_window: 9 }), ["5/9"], model_type);
    }
  });
});

describe("layer_types", () => {
  const gemma = { model_type: "gemma3_text", num_hidden_layers: 3, sliding_window: 7 };

  test("count before a pattern", () => {
    const layer_types = ["full_attention", "sliding_attention", "sliding_attention"];
    assert.deepEqual(kinds({ ...gemma, layer_types, sliding_window_pattern: 1 }), [
      1e6,
      "10000/7",
      "10000/7",
    ]);
  });

  test("name linear, convolutional and recurrent layers, which have no positions", () => {
    const layer_types = ["full_attention", "linear_attention", "conv", "mamba", "recurrent"];
    const config = { model_type: "llama", num_hidden_layers: 5, layer_types };
    assert.deepEqual(kinds(config), [10000, "none", "none", "none", "none"]);
  });

  test("must be known words, one for each layer", () => {
    assert.equal(
      kinds({ ...gemma, layer_types: ["full_attention"] }),
      "E_LAYER_LIST_LENGTH layer_types",
    );
    assert.equal(
      kinds({ ...gemma, layer_types: ["full_attention", 3, "full_attention"] }),
      "E_FIELD_TYPE layer_types[1]",
    );
    assert.equal(
      kinds({ ...gemma, layer_types: ["full", "full", "full"] }),
      "E_LAYER_TYPE_UNKNOWN layer_types[0]",
    );
    assert.equal(kinds({ ...gemma, layer_types: "full_attention" }), "E_FIELD_TYPE layer_types");
  });
});

describe("patterns", () => {
  test("letters repeat: L slides, G is full and without a rope in EXAONE 4", () => {
    const exaone = { model_type: "exaone4", num_hidden_layers: 5, sliding_window: 9 };
    assert.deepEqual(kinds({ ...exaone, sliding_window_pattern: "LG" }), [
      "10000/9",
      "none",
      "10000/9",
      "none",
      "10000/9",
    ]);
    for (const letters of ["", "LX", "lg"]) {
      const found = kinds({ ...exaone, sliding_window_pattern: letters });
      assert.equal(found, "E_FIELD_VALUE sliding_window_pattern");
    }
    assert.equal(
      kinds({ ...exaone, sliding_window_pattern: 0 }),
      "E_FIELD_RANGE sliding_window_pattern",
    );
  });

  test("without a window EXAONE 4 and Cohere 2 have a rope in every layer", () => {
    for (const model_type of ["exaone4", "cohere2"]) {
      const config = { model_type, num_hidden_layers: 8, sliding_window: null };
      assert.deepEqual(kinds(config), times(8, 10000), model_type);
    }
  });

  test("no_rope_layers: 1 has the rope, and an empty list is no list", () => {
    for (const [model_type, base] of [
      ["smollm3", 2e6],
      ["llama4_text", 5e5],
    ]) {
      const config = { model_type, num_hidden_layers: 4 };
      const byInterval = [base, base, base, "none"];
      assert.deepEqual(kinds(config), byInterval);
      assert.deepEqual(kinds({ ...config, no_rope_layers: [] }), byInterval);
      assert.deepEqual(kinds({ ...config, no_rope_layers: null }), byInterval);
      const no_rope_layers = [0, 1, 1, 0];
      const list = ["none", base, base, "none"];
      assert.deepEqual(kinds({ ...config, no_rope_layers, no_rope_layer_interval: 2 }), list);
    }
  });

  test("MiMo: 1 slides, with a base, a width and a window of its own", () => {
    const [result] = explain({
      model_type: "mimo_v2_flash",
      num_hidden_layers: 3,
      hybrid_layer_pattern: [0, 1, 1],
      swa_rope_theta: 500,
      swa_head_dim: 96,
      sliding_window: 64,
    });
    assert.deepEqual(inLayer(result, 0).params.base, 5e6);
    assert.equal(inLayer(result, 0).params.head_dim, 192);
    const { params } = inLayer(result, 2);
    assert.deepEqual([params.base, params.head_dim, params.window], [500, 96, 64]);
    const short = { model_type: "mimo_v2_flash", num_hidden_layers: 3, hybrid_layer_pattern: [0] };
    assert.equal(kinds(short), "E_LAYER_LIST_LENGTH hybrid_layer_pattern");
  });

  test("MiMo's class defaults of sliding layers", () => {
    const sliding = {
      model_type: "mimo_v2_flash",
      head_dim: 192,
      num_hidden_layers: 1,
      hybrid_layer_pattern: [1],
    };
    assert.deepEqual(kinds(sliding), ["10000/128"]);
  });

  test("LFM2's full_attn_idxs attend, and layer_types count before them", () => {
    const lfm2 = { model_type: "lfm2", num_hidden_layers: 3, full_attn_idxs: [1] };
    assert.deepEqual(kinds(lfm2), ["none", 1e6, "none"]);
    const layer_types = ["full_attention", "conv", "conv"];
    assert.deepEqual(kinds({ ...lfm2, layer_types }), [1e6, "none", "none"]);
    assert.deepEqual(kinds({ ...lfm2, full_attn_idxs: null }), times(3, 1e6));
  });

  test("RecurrentGemma's block_types repeat", () => {
    const griffin = { model_type: "recurrent_gemma", num_hidden_layers: 5 };
    const two = { ...griffin, block_types: ["attention", "recurrent"] };
    const attends = "10000/2048";
    assert.deepEqual(kinds(two), [attends, "none", attends, "none", attends]);
    assert.deepEqual(kinds({ ...griffin, _block_types: ["attention"] }), times(5, attends));
    assert.equal(kinds({ ...griffin, block_types: [] }), "E_FIELD_RANGE block_types");
    assert.equal(kinds({ ...griffin, block_types: ["x"] }), "E_LAYER_TYPE_UNKNOWN block_types[0]");
  });
});

describe("ropes of two kinds", () => {
  const layer_types = ["sliding_attention", "full_attention"];
  const two = { num_hidden_layers: 2, layer_types, sliding_window: 5 };

  test("rope_parameters of each layer type", () => {
    const rope_parameters = {
      full_attention: { rope_theta: 5e5, rope_type: "linear", factor: 2 },
      sliding_attention: { rope_theta: 100, rope_type: "default" },
    };
    for (const model_type of ["gemma3_text", "modernbert", "olmo3", "gpt_oss"]) {
      const window = model_type === "modernbert" ? { local_attention: 5 } : {};
      const config = { model_type, ...two, ...window, rope_parameters };
      assert.deepEqual(kinds(config), ["100/5", 5e5], model_type);
      const [result] = explain({ hidden_size: 256, num_attention_heads: 4, ...config });
      assert.equal(inLayer(result, 1).params.scaling.factor, 2);
      assert.equal(inLayer(result, 0).params.scaling.type, "none");
    }
  });

  test("rope_scaling is of full layers alone where the model's code says so", () => {
    const rope_scaling = { rope_type: "linear", factor: 8 };
    const scalesAll = { gpt_oss: true, gemma2: true };
    for (const model_type of [
      "gemma3_text",
      "gemma3n_text",
      "gemma4_text",
      "olmo3",
      "gpt_oss",
      "gemma2",
    ]) {
      const [result] = explain({ model_type, ...two, rope_scaling });
      assert.equal(inLayer(result, 1).params.scaling.type, "linear", model_type);
      const sliding = scalesAll[model_type] ? "linear" : "none";
      assert.equal(inLayer(result, 0).params.scaling.type, sliding, model_type);
    }
  });

  test("Gemma 4's full layers have a width of their own", () => {
    const [result] = explain({ model_type: "gemma4_text", ...two, global_head_dim: 128 });
    assert.equal(inLayer(result, 0).params.head_dim, 256);
    assert.equal(inLayer(result, 1).params.head_dim, 128);
  });
});
