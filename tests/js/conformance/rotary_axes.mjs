import { withOwned } from "./case.mjs";
import { pairOf, ropeConfig, sizeFrom, turned, turnedQK } from "./rope_config.mjs";
import { malformed } from "./values.mjs";

export function mrope(posenc, c) {
  c.oneOf("variant", ["mrope-chunked", "mrope-interleaved"]);
  c.describes(["axis_of_frequency"]);
  const config = ropeConfig(c);
  const sections = c.wholes("mrope_section");
  if (sections.length !== 3) malformed('parameter "mrope_section" must have 3 values');
  if (sections.some((pairs) => pairs < 0)) {
    malformed('parameter "mrope_section" must not be negative');
  }
  config.axes = { type: "mrope", sections, interleaved: c.any("variant") === "mrope-interleaved" };
  withOwned(posenc.rope(config), (rope) => turnedQK(c, rope, c.numbersInput("positions_thw")));
}

/** A table of the package, [rows, pairs], with every value twice: side by side or row by row. */
function doubled(table, pairs, sideBySide) {
  const out = new Float32Array(2 * table.length);
  for (const [i, value] of table.entries()) {
    const start = 2 * Math.floor(i / pairs) * pairs;
    const pair = i % pairs;
    out[start + (sideBySide ? 2 * pair : pair)] = value;
    out[start + (sideBySide ? 2 * pair + 1 : pair + pairs)] = value;
  }
  return out;
}

function doubledAngles(c, rope, positions) {
  const rows = positions.length / 2;
  const pairs = rope.config.rotaryDim / 2;
  const sideBySide = rope.config.layout === "interleaved";
  const { cos, sin } = rope.angles({ positions });
  c.output("cos", [rows, 2 * pairs], doubled(cos, pairs, sideBySide));
  c.output("sin", [rows, 2 * pairs], doubled(sin, pairs, sideBySide));
}

function positionsOf(posenc, c, args) {
  c.room([2, args.frames ?? 1, args.height, args.width]);
  return posenc.rotaryPositions.grid(args);
}

/** Patches in the order of merge blocks; x [1, patches, heads, headDim]. */
function qwen2Vision(posenc, c) {
  c.oneOf("x_form", ["[1, patches, heads, head_dim]"]);
  c.describes(["position_hw"]);
  const config = { ...ropeConfig(c), axes: { type: "axial" } };
  withOwned(posenc.rope(config), (rope) => {
    const grid = c.wholes("grid_thw");
    if (grid.length !== 3) malformed('parameter "grid_thw" must have 3 values');
    const positions = positionsOf(posenc, c, {
      height: sizeFrom(grid[1], "grid_thw"),
      width: sizeFrom(grid[2], "grid_thw"),
      frames: sizeFrom(grid[0], "grid_thw"),
      merge: c.size("spatial_merge_size"),
    });
    const { shape, values } = c.input("x");
    if (shape.length !== 4) malformed('input "x" must have 4 axes');
    const args = { batch: shape[0], heads: shape[2], positions, order: "length_first" };
    c.output("x", shape, rope.apply(values, args));
    const frequencies = rope.invFreq();
    const cells = positions.length / 2;
    const pairs = frequencies.length;
    const angles = Float64Array.from({ length: cells * pairs }, (_, i) => {
      const axis = i % pairs < pairs / 2 ? 0 : 1;
      return positions[axis * cells + Math.floor(i / pairs)] * frequencies[i % pairs];
    });
    c.output("freqs", [cells, pairs], angles);
  });
}

function dinov3(posenc, c) {
  const config = { ...ropeConfig(c), axes: { type: "axial", bands: "turns" } };
  const [height, width] = pairOf(c, "grid");
  const positions = positionsOf(posenc, c, { height, width, coordinates: "centres" });
  withOwned(posenc.rope(config), (rope) => {
    doubledAngles(c, rope, positions);
    turned(c, rope, "apply", positions, "x", "x");
  });
}

function timmCat(posenc, c) {
  c.oneOf("layout", ["interleaved"]);
  const [height, width] = pairOf(c, "feat_shape");
  const pixels = c.flag("in_pixels");
  c.oneOf("grid_indexing", ["ij", "xy"]);
  const args = { height, width, coordinates: pixels ? "corners" : "cells" };
  args.columnsFirst = c.has("grid_indexing") && c.any("grid_indexing") === "xy";
  if (!pixels) args.offset = c.number("grid_offset");
  c.describes(["grid_offset", "max_res", "linear_bands", "temperature"]);
  if (c.has("ref_feat_shape") && c.any("ref_feat_shape") !== null) {
    [args.referenceHeight, args.referenceWidth] = pairOf(c, "ref_feat_shape");
  }
  const axes = { type: "axial" };
  if (pixels) {
    axes.bands = c.flag("linear_bands") ? "pixel_linear" : "pixel_log";
    axes.maxResolution = c.number("max_res");
  }
  const headDim = c.size("dim");
  const base = pixels ? 10000 : c.number("temperature");
  withOwned(posenc.rope({ headDim, base, layout: "interleaved", axes }), (rope) => {
    const positions = positionsOf(posenc, c, args);
    doubledAngles(c, rope, positions);
    turned(c, rope, "apply", positions, "x", "x");
  });
}

const variants = { "qwen2-vl-vision": qwen2Vision, dinov3, "timm-cat": timmCat };

export function vision2d(posenc, c) {
  c.oneOf("variant", Object.keys(variants));
  variants[c.any("variant")](posenc, c);
}

export function mixedRope(posenc, c) {
  c.describes(["freqs_form", "positions_form"]);
  c.oneOf("layout", ["half", "interleaved"]);
  const headDim = c.size("head_dim");
  const layout = c.has("layout") ? c.any("layout") : "half";
  const { shape } = c.input("freqs");
  if (shape.length !== 3) malformed('input "freqs" must have 3 axes');
  const [axes, frequencyHeads] = shape;
  const invFreq = c.numbersInput("freqs");
  // [tokens, axes] to [axes, tokens]
  const pairs = c.numbersInput("positions");
  const tokens = c.size("tokens");
  if (pairs.length !== tokens * axes) malformed('input "positions" must have a row per token');
  const positions = new Float64Array(pairs.length);
  for (const [i, value] of pairs.entries()) {
    positions[(i % axes) * tokens + Math.floor(i / axes)] = value;
  }
  const x = c.input("x");
  if (x.shape.length !== 4 || x.shape[1] !== c.size("heads")) {
    malformed('input "x" must have the shape [batch, heads, tokens, head_dim]');
  }
  const scaling = { type: "custom_frequencies", invFreq, axes, frequencyHeads };
  withOwned(posenc.rope({ headDim, layout, scaling }), (rope) =>
    turned(c, rope, "apply", positions, "x", "x"),
  );
}

export function mropeIndex(posenc, c) {
  c.describes(["layout", "padding_side", "vision_start_token_id", "vision_end_token_id"]);
  const { shape } = c.input("input_ids");
  if (shape.length !== 2) malformed('input "input_ids" must have 2 axes');
  const [batch, length] = shape;
  const args = {
    batch,
    imageTokenId: c.size("image_token_id"),
    videoTokenId: c.size("video_token_id"),
    maskedPosition: c.whole("masked_position"),
    spatialMergeSize: c.size("spatial_merge_size"),
  };
  const narrowed = (name, type) => {
    const values = c.wholeInput(name);
    if (values.some((value) => type.of(value)[0] !== value)) {
      malformed(`input "${name}" is out of range`);
    }
    return type.from(values);
  };
  const grids = (name) => (c.hasInput(name) ? c.wholeInput(name) : []);
  const { positions, delta } = posenc.rotaryPositions.mrope({
    ...args,
    inputIds: narrowed("input_ids", Int32Array),
    attentionMask: narrowed("attention_mask", Uint8Array),
    imageGrids: grids("image_grid_thw"),
    videoGrids: grids("video_grid_thw"),
  });
  c.output("position_ids", [3, batch, length], positions);
  c.output("delta", [batch, 1], delta);
}
