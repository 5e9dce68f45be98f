// Quirks of vision towers.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { explain, sole } from "./explain.mjs";

const result = (config) => explain(config)[0];
const failure = (config) => {
  const { error } = result(config);
  return `${error.code} ${error.field}`;
};

describe("grids of patches", () => {
  const vit = { model_type: "vit", hidden_size: 64, num_attention_heads: 4 };
  const gridOf = (more) => sole(result({ ...vit, ...more })).params.grid;

  test("rows and columns may differ", () => {
    assert.deepEqual(gridOf({ image_size: [32, 64], patch_size: 16 }), [2, 4]);
    assert.deepEqual(gridOf({ image_size: 64, patch_size: [16, 32] }), [4, 2]);
    assert.equal(sole(result({ ...vit, image_size: [32, 64] })).params.rows, 2 * 4 + 1);
    assert.equal(failure({ ...vit, image_size: [32] }), "E_FIELD_VALUE image_size");
    assert.equal(failure({ ...vit, image_size: [32, 64, 3] }), "E_FIELD_VALUE image_size");
  });

  test("are rounded down, with a warning for each side", () => {
    const { encodings, warnings } = result({ ...vit, image_size: [40, 70] });
    assert.deepEqual(encodings[0].params.grid, [2, 4]);
    const rounded = warnings.filter(({ code }) => code === "W_NOT_DIVISIBLE");
    assert.deepEqual(
      rounded.map(({ message }) => message.match(/= (\d+) is/)[1]),
      ["40", "70"],
    );
  });

  test("SigLIP's 384 by 14 is 27 by 27, without a prefix", () => {
    const siglip = { model_type: "siglip_vision_model", image_size: 384, patch_size: 14 };
    const { params } = sole(result(siglip));
    assert.deepEqual([params.rows, params.grid, params.prefix_tokens], [729, [27, 27], 0]);
  });

  test("tokens before the patches: one, two with DeiT's distillation, none in SigLIP and SAM", () => {
    const prefixes = { vit: 1, deit: 2, dinov2_with_registers: 1, siglip_vision_model: 0 };
    for (const [model_type, prefix] of Object.entries(prefixes)) {
      const more = { num_register_tokens: 4, image_size: 32, patch_size: 16 };
      const { params } = sole(result({ model_type, ...more }));
      assert.deepEqual([params.prefix_tokens, params.rows], [prefix, 4 + prefix], model_type);
    }
  });
});

describe("BEiT", () => {
  const beit = { model_type: "beit", image_size: 32, patch_size: 16 };
  const kinds = (more) => result({ ...beit, ...more }).encodings.map((each) => each.encoding);

  test("each switch adds its encoding", () => {
    assert.deepEqual(kinds({ use_absolute_position_embeddings: true }), ["learned"]);
    assert.deepEqual(kinds({ use_relative_position_bias: true }), ["swin_bias"]);
    assert.deepEqual(kinds({ use_shared_relative_position_bias: true }), ["swin_bias"]);
    const both = { use_absolute_position_embeddings: true, use_relative_position_bias: true };
    assert.deepEqual(kinds(both), ["learned", "swin_bias"]);
    assert.deepEqual(kinds({}), ["none"]);
  });

  test("its table has three more rows, for the class token", () => {
    const { params } = sole(result({ ...beit, use_relative_position_bias: true }));
    assert.deepEqual([params.table_rows, params.extra_rows], [3 * 3 + 3, 3]);
    assert.equal(params.sharing, "own table in every layer");
    const shared = sole(result({ ...beit, use_shared_relative_position_bias: true }));
    assert.equal(shared.params.sharing, "one table for all layers");
  });
});

describe("Swin", () => {
  const swin = { model_type: "swin", image_size: 32, patch_size: 4, window_size: 4 };
  const two = { depths: [1, 1], num_heads: [2, 4] };

  test("windows shrink to the grid of late stages", () => {
    assert.deepEqual(sole(result({ ...swin, ...two })).params.window_per_stage, [4, 4]);
    assert.deepEqual(sole(result(swin)).params.window_per_stage, [4, 4, 2, 1]);
  });

  test("every stage has heads, and in version 2 a pretrained window", () => {
    assert.equal(failure({ ...swin, depths: [1] }), "E_LAYER_LIST_LENGTH num_heads");
    assert.equal(failure({ ...swin, num_heads: [] }), "E_LAYER_LIST_LENGTH num_heads");
    const second = { ...swin, ...two, model_type: "swinv2" };
    const { params } = sole(result({ ...second, pretrained_window_sizes: [12, 6] }));
    assert.deepEqual(params.pretrained_window, [12, 6]);
    assert.equal(
      failure({ ...second, pretrained_window_sizes: [12] }),
      "E_LAYER_LIST_LENGTH pretrained_window_sizes",
    );
    assert.equal(failure({ ...second, window_size: 1 }), "E_FIELD_RANGE window_size");
  });

  test("use_absolute_embeddings adds a table without a prefix", () => {
    const { encodings } = result({ ...swin, use_absolute_embeddings: true });
    assert.deepEqual(
      encodings.map((each) => each.encoding),
      ["learned", "swin_bias"],
    );
    assert.deepEqual([encodings[0].params.rows, encodings[0].params.dim], [64, 96]);
  });
});

describe("SAM", () => {
  const small = { image_size: 64, patch_size: 16, window_size: 3, num_hidden_layers: 3 };

  test("layers of whole images have rows for the whole grid", () => {
    const { encodings } = result({
      model_type: "sam",
      vision_config: { ...small, global_attn_indexes: [1] },
    });
    assert.deepEqual(
      encodings.map(({ layers, params }) => [layers, params.grid ?? params.rows_per_axis]),
      [
        ["all", [4, 4]],
        [[0, 2], 5],
        [[1], 7],
      ],
    );
  });

  test("a window of 0 is the whole image; switches leave tables out", () => {
    const whole = result({ model_type: "sam_vision_model", ...small, window_size: 0 }).encodings[1];
    assert.deepEqual(
      [whole.layers, whole.params.window],
      [
        [0, 1, 2],
        [4, 4],
      ],
    );
    const off = { model_type: "sam_vision_model", ...small, use_abs_pos: false };
    assert.ok(result(off).encodings.every((each) => each.encoding === "decomposed_rel_pos"));
    const table = { model_type: "sam_vision_model", ...small, use_rel_pos: false };
    assert.equal(sole(result(table)).encoding, "learned");
  });
});

describe("ropes over rows and columns", () => {
  test("Qwen2-VL's tower: embed_dim is its width, hidden_size that of what leaves it", () => {
    const tower = { model_type: "qwen2_vl_vision", embed_dim: 64, num_heads: 4, hidden_size: 999 };
    assert.equal(sole(result(tower)).params.head_dim, 16);
  });

  test("Pixtral's base may stand in rope_parameters", () => {
    const tower = { model_type: "pixtral", rope_theta: 7, rope_parameters: { rope_theta: 500 } };
    const { params, sources } = sole(result(tower));
    assert.equal(params.base, 500);
    assert.equal(sources.base.from, "rope_parameters.rope_theta");
  });

  test("heads must have a multiple of four dims, and divide the width", () => {
    const tower = { model_type: "qwen2_5_vl_vision", hidden_size: 40 };
    assert.equal(failure({ ...tower, num_heads: 4 }), "E_FIELD_RANGE num_heads");
    assert.equal(failure({ ...tower, num_heads: 3 }), "E_NOT_DIVISIBLE hidden_size");
  });

  test("DINOv3 rotates patches alone", () => {
    const { params } = sole(result({ model_type: "dinov3_vit", num_register_tokens: 4 }));
    assert.deepEqual([params.prefix_tokens, params.base, params.head_dim], [5, 100, 64]);
  });
});

test("DETR: learned rows and columns are not told; other words are errors", () => {
  const detr = (position_embedding_type) => ({ model_type: "detr", position_embedding_type });
  assert.equal(sole(result(detr("learned"))).encoding, "none");
  assert.equal(sole(result(detr("sine"))).encoding, "sincos2d");
  assert.equal(failure(detr("cosine")), "E_POSITION_TYPE_UNKNOWN position_embedding_type");
});
