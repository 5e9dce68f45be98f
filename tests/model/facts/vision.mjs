// Vision and audio towers.
import { field, shape, valuesOf } from "./field.mjs";
import { ladder } from "./rope.mjs";
import { learnedTable, sinusoids } from "./table.mjs";

const site = "vision";
const layers = "all";
const attention = { causal: false };

/** Fields of an image cut into patches. */
const patchFields = (image, patch) => ({
  image: field("image_size", image),
  patch: field("patch_size", patch),
});
/** Twice and thrice the default, so that patches still fill the image. */
const patchOthers = (image, patch) => ({
  image: [2 * image, 3 * image],
  patch: [patch / 2, 2 * patch],
});
const sideOf = ({ image, patch }) => Math.floor(image / patch);

/** A learned table of a grid of patches and of tokens before it. */
function patchTable(v, prefix) {
  const side = sideOf(v);
  const table = learnedTable({}, { ...v, rows: side * side + prefix }, { site });
  return { ...table, params: { ...table.params, grid: [side, side], prefix_tokens: prefix } };
}

function patches(sizes, { image = 224, patch = 16, prefix = 1 } = {}) {
  return {
    fields: { ...shape(sizes), ...patchFields(image, patch) },
    others: patchOthers(image, patch),
    parameters: { hidden: "dim" },
    encodings: (v) => [patchTable(v, prefix)],
  };
}

function axial(headDim, base, params = {}) {
  const config = { head_dim: headDim, rotary_dim: headDim, pairs_per_axis: headDim / 4 };
  const fixed = { layout: "half", axes: ["h", "w"], prefix_tokens: 0, causal: false };
  return {
    site,
    encoding: "axial_rope",
    layers,
    params: { ...config, ...fixed, base, inv_freq: ladder(base, headDim / 2), ...params },
    attention,
  };
}

const mergedFields = (names, width) => ({
  hidden: field(names, width),
  heads: field("num_heads", 16),
  merge: field("spatial_merge_size", 2),
});

/** Qwen's towers: a rope over rows and columns, patches merged behind it. */
function merged(names, width, more = () => []) {
  return {
    fields: mergedFields(names, width),
    parameters: { merge: "spatial_merge_size" },
    others: { heads: [8, 32] },
    encodings: (v) => [
      axial(v.hidden / v.heads, 10000, { spatial_merge_size: v.merge }),
      ...more(v),
    ],
  };
}

/** Qwen3-VL adds a learned table that is resized by bilinear interpolation. */
function mergedWithTable() {
  const table = ({ hidden, rows }) => {
    const { params, ...rest } = learnedTable({}, { hidden, rows }, { site });
    const side = Math.floor(Math.sqrt(rows));
    const interpolation = { mode: "bilinear", align_corners: true };
    return [
      { ...rest, params: { ...params, grid: [side, side], prefix_tokens: 0, interpolation } },
    ];
  };
  const tower = merged("hidden_size", 1152, table);
  return {
    ...tower,
    fields: { ...tower.fields, rows: field("num_position_embeddings", 2304) },
    parameters: { ...tower.parameters, rows: "rows" },
    others: { ...tower.others, rows: [1024, 4096] },
  };
}

function swin(encoding, more) {
  const windows = (v) => [0, 1, 2, 3].map((i) => Math.max(1, Math.min(v.window, sideOf(v) >> i)));
  return {
    fields: {
      ...patchFields(224, 4),
      depths: field("depths", [2, 2, 6, 2]),
      heads: field("num_heads", [3, 6, 12, 24]),
      window: field("window_size", 7),
    },
    others: {
      ...patchOthers(224, 4),
      depths: [
        [2, 2, 18, 2],
        [1, 1, 1, 1],
      ],
      heads: [
        [4, 8, 16, 32],
        [6, 12, 24, 48],
      ],
    },
    parameters: { window: "window", heads: "heads_per_stage", depths: "depths" },
    encodings: (v) => [
      {
        site,
        encoding,
        layers,
        params: {
          window: [v.window, v.window],
          window_per_stage: windows(v),
          heads_per_stage: v.heads,
          depths: v.depths,
          ...more(v),
        },
      },
    ],
  };
}

/** Segment Anything: a table, and rows for heights and widths of windows and of whole images. */
function sam() {
  const rows = (window, v, layersOf) => ({
    site,
    encoding: "decomposed_rel_pos",
    layers: layersOf,
    params: { window: [window, window], rows_per_axis: 2 * window - 1, dim: v.hidden / v.heads },
  });
  const whole = [2, 5, 8, 11];
  return {
    fields: {
      ...shape([768, 12, 12]),
      ...patchFields(1024, 16),
      window: field("window_size", 14),
      whole: field("global_attn_indexes", whole),
    },
    others: { ...patchOthers(1024, 16), whole: [[0, 11], [3]] },
    parameters: {},
    encodings: (v) => {
      const windowed = Array.from({ length: v.layers }, (_, i) => i).filter(
        (i) => !v.whole.includes(i),
      );
      const global = v.whole.filter((i) => i < v.layers);
      return [patchTable(v, 0), rows(v.window, v, windowed), rows(sideOf(v), v, global)];
    },
  };
}

function audio(sizes, names) {
  return {
    fields: { ...shape(sizes, names), max: field("max_source_positions", 1500) },
    parameters: { max: "rows", hidden: "dim" },
    encodings: (v) => [sinusoids({ variant: "half_t2t" }, v, { site: "audio" })],
  };
}

const qwenAudio = audio([1280, 20, 32], { hidden: "d_model|hidden_size" });
const samTower = sam();
// All three switches of positions are off.
const beit = {
  fields: { ...shape([768, 12, 12]), ...patchFields(224, 16) },
  others: patchOthers(224, 16),
  encodings: () => [{ site, encoding: "none", layers, params: {} }],
  *more({ fields }) {
    const v = valuesOf(fields);
    const absolute = { use_absolute_position_embeddings: true };
    yield ["a table", absolute, [patchTable(v, 1)]];
    yield [
      "a wider table",
      { ...absolute, hidden_size: 96 },
      [patchTable({ ...v, hidden: 96 }, 1)],
    ];
    const bias = (heads) => ({
      site,
      encoding: "swin_bias",
      layers,
      params: { window: [14, 14], table_rows: 27 * 27 + 3, extra_rows: 3, heads },
    });
    const shared = { use_shared_relative_position_bias: true };
    yield ["a bias", shared, [bias(12)]];
    yield ["a bias of more heads", { ...shared, num_attention_heads: 24 }, [bias(24)]];
  },
};
const windowed = swin("swin_bias", (v) => ({
  table_rows: (2 * v.window - 1) ** 2,
  extra_rows: 0,
}));
const swinTower = {
  ...windowed,
  *more({ fields }) {
    const v = { ...valuesOf(fields), hidden: 96 };
    const config = { use_absolute_embeddings: true };
    const told = (values) => [patchTable({ ...v, ...values }, 0), ...windowed.encodings(v)];
    yield ["a table as well", config, told({})];
    yield ["a wider table", { ...config, embed_dim: 64 }, told({ hidden: 64 })];
  },
};

export const towers = {
  vit: patches([768, 12, 12]),
  deit: patches([768, 12, 12], { prefix: 2 }),
  dinov2: patches([768, 12, 12], { patch: 14 }),
  dinov2_with_registers: patches([768, 12, 12]),
  vit_msn: patches([768, 12, 12]),
  git_vision_model: patches([768, 12, 12]),
  ijepa: patches([768, 12, 12], { prefix: 0 }),
  clipseg_vision_model: patches([768, 12, 12], { patch: 32 }),
  chinese_clip_vision_model: patches([768, 12, 12], { patch: 32 }),
  altclip_vision_model: patches([768, 12, 12], { patch: 32 }),
  metaclip_2_vision_model: patches([768, 12, 12], { patch: 32 }),
  owlvit_vision_model: patches([768, 12, 12], { image: 768, patch: 32 }),
  owlv2_vision_model: patches([768, 12, 12], { image: 768 }),
  blip_vision_model: patches([768, 12, 12], { image: 384 }),
  blip_2_vision_model: patches([1408, 16, 39], { patch: 14 }),
  internvl_vision: patches([1024, 16, 24], { image: 448, patch: 14 }),
  janus_vision_model: patches([1024, 16, 24], { image: 384, prefix: 0 }),
  idefics2_vision: patches([768, 12, 12], { patch: 32, prefix: 0 }),
  idefics3_vision: patches([1152, 16, 12], { patch: 32, prefix: 0 }),
  smolvlm_vision: patches([1152, 16, 12], { patch: 32, prefix: 0 }),
  clip_vision_model: patches([768, 12, 12], { patch: 32 }),
  siglip_vision_model: patches([768, 12, 12], { prefix: 0 }),
  dinov3_vit: {
    fields: {
      ...shape([384, 6, 12]),
      base: field("rope_theta", 100),
      registers: field("num_register_tokens", 0),
    },
    parameters: { base: "base" },
    encodings: (v) => {
      const width = v.hidden / v.heads;
      return [axial(width, v.base, { prefix_tokens: 1 + v.registers })];
    },
  },
  vit_mae: {
    fields: { ...shape([768, 12, 12]), ...patchFields(224, 16) },
    others: patchOthers(224, 16),
    parameters: { hidden: "dim" },
    encodings: (v) => {
      const grid = [sideOf(v), sideOf(v)];
      const params = { variant: "mae", dim: v.hidden, grid, prefix_tokens: 1 };
      return [{ site, encoding: "sincos2d", layers, params }];
    },
  },
  beit,
  "data2vec-vision": beit,
  swin: swinTower,
  "maskformer-swin": swinTower,
  "donut-swin": swinTower,
  swinv2: swin("swin_cpb", () => ({ pretrained_window: [0, 0, 0, 0] })),
  sam: samTower,
  sam_vision_model: samTower,
  sam_hq: samTower,
  sam_hq_vision_model: samTower,
  detr: {
    fields: shape([256, 8, 6], { hidden: "d_model|hidden_size" }),
    parameters: { hidden: "dim" },
    encodings: ({ hidden }) => [
      {
        site,
        encoding: "sincos2d",
        layers,
        params: { variant: "detr_sine", dim: hidden, dim_per_axis: hidden / 2, base: 10000 },
      },
    ],
  },
  pixtral: {
    fields: {
      ...shape([1024, 16, 24]),
      headDim: field("head_dim", undefined),
      base: field("rope_theta", 10000),
    },
    parameters: { base: "base", headDim: "head_dim" },
    encodings: (v) => {
      const width = v.headDim ?? v.hidden / v.heads;
      return [axial(width, v.base, { inv_freq: ladder(v.base, width) })];
    },
  },
  qwen2_vl_vision: merged("embed_dim", 1280),
  qwen2_5_vl_vision: merged("hidden_size", 3584),
  qwen2_5_omni_vision_encoder: merged("hidden_size", 3584),
  qwen3_vl_vision: mergedWithTable(),
  qwen3_5_vision: mergedWithTable(),
  qwen2_audio_encoder: qwenAudio,
  qwen2_5_omni_audio_encoder: qwenAudio,
  voxtral_encoder: audio([1280, 20, 32]),
};
