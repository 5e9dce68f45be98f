import { withOwned } from "./case.mjs";
import { malformed, sizeOf } from "./values.mjs";

/** A parameter that is a list of `count` whole numbers. */
function sizes(c, name, count) {
  const list = c.any(name);
  const what = `parameter ${JSON.stringify(name)}`;
  if (!Array.isArray(list) || list.length !== count) {
    malformed(`${what} must be a list of ${count} whole numbers`);
  }
  return list.map((size) => sizeOf(size, what));
}

function writeGrid(posenc, c, config, grid, shape) {
  withOwned(posenc.sincosGrid(config), (encoding) => {
    c.room(shape);
    c.output("pe", shape, encoding.table(grid));
  });
}

function mae(posenc, c, dim) {
  const [height, width] = sizes(c, "grid", 2);
  const prefixRows = c.flag("cls_token") ? 1 : 0;
  const config = { dim, base: c.number("base"), axisOrder: "xy", prefixRows };
  writeGrid(posenc, c, config, { height, width }, [prefixRows + height * width, dim]);
}

function timm(posenc, c, dim) {
  const [height, width] = sizes(c, "feat_shape", 2);
  const blocks = c.flag("interleave_sin_cos");
  const reverse = c.flag("reverse_coord");
  const config = {
    dim,
    base: c.number("temperature"),
    layout: blocks ? "axis_blocks" : "function_blocks",
    axisOrder: reverse ? "xy" : "yx",
  };
  const grid = { height, width, order: reverse ? "column_major" : "row_major" };
  writeGrid(posenc, c, config, grid, [height * width, dim]);
}

function tatp22(posenc, c, dim, axes) {
  const sides = sizes(c, "grid", axes);
  c.describes(["channels_per_axis"]);
  const config = { dim, axes, base: c.number("base"), layout: "interleaved" };
  const grid = {
    height: sides[axes - 2],
    width: sides[axes - 1],
    depth: axes === 3 ? sides[0] : 1,
  };
  writeGrid(posenc, c, config, grid, [...sides, dim]);
}

function sincos(posenc, c) {
  c.oneOf("variant", ["mae", "timm", "tatp22-2d", "tatp22-3d"]);
  const variant = c.any("variant");
  const dim = c.size("dim");
  if (variant === "mae") return mae(posenc, c, dim);
  if (variant === "timm") return timm(posenc, c, dim);
  return tatp22(posenc, c, dim, variant === "tatp22-2d" ? 2 : 3);
}

function sincos2dXy(posenc, c) {
  c.oneOf("exponent_denominator", ["dim/4", "dim/4-1"]);
  c.oneOf("axis_order", ["xy", "yx"]);
  c.oneOf("row_order", ["row-major", "column-major"]);
  const [height, width] = sizes(c, "grid", 2);
  const dim = c.size("dim");
  const pairs = Math.floor(dim / 4);
  const less = c.any("exponent_denominator") === "dim/4-1" && pairs > 1;
  const config = {
    dim,
    base: c.number("temperature"),
    axisOrder: c.any("axis_order"),
    frequencyDenominator: less ? 2 * (pairs - 1) : 0,
  };
  const grid = {
    height,
    width,
    stepY: c.number("step_y"),
    stepX: c.number("step_x"),
    order: c.any("row_order") === "column-major" ? "column_major" : "row_major",
  };
  writeGrid(posenc, c, config, grid, [height * width, dim]);
}

const maskInput = (c, name) => Uint8Array.from(c.wholeInput(name), (value) => Number(value !== 0));

function detrSine(posenc, c) {
  c.describes(["mask_meaning", "coordinate", "channels"]);
  const { shape } = c.input("mask");
  if (shape.length !== 3) malformed('input "mask" must be [batch, height, width]');
  const [batch, height, width] = shape;
  const config = {
    numPosFeats: c.size("num_pos_feats"),
    temperature: c.number("temperature"),
    normalize: c.flag("normalize"),
    scale: c.number("scale"),
    eps: c.number("eps"),
  };
  withOwned(posenc.detrSine(config), (encoding) => {
    const outputs = [batch, 2 * config.numPosFeats, height, width];
    c.room(outputs);
    const mask = maskInput(c, "mask");
    c.output("pos", outputs, encoding.table({ mask, batch, height, width }));
  });
}

function writeInterpolated(posenc, c, config, name, table, shape) {
  withOwned(posenc.interpolate(config), (interpolate) => {
    c.room(shape);
    c.output(name, shape, interpolate.apply(table.values));
  });
}

/** The last dimension of an input that has `axes` of them. */
function widthOf({ shape }, axes, name) {
  if (shape.length !== axes) {
    malformed(`input ${JSON.stringify(name)} must have ${axes} dimensions`);
  }
  return shape[axes - 1];
}

function interp(posenc, c) {
  c.oneOf("mode", ["bilinear", "bicubic"]);
  const cubic = c.any("mode") === "bicubic";
  c.describes(["scale", "cubic_a"]);
  const name = c.hasInput("posemb") ? "posemb" : "table";
  const table = c.input(name);
  const from = sizes(c, "size_from", 2);
  const to = sizes(c, "size_to", 2);
  const prefixRows = c.has("num_prefix_tokens") ? c.size("num_prefix_tokens") : 0;
  const dim = widthOf(table, 3, name);
  const config = {
    fromHeight: from[0],
    fromWidth: from[1],
    toHeight: to[0],
    toWidth: to[1],
    dim,
    mode: cubic ? "cubic" : "linear",
    antialias: c.flag("antialias"),
    alignCorners: c.flag("align_corners"),
    sizeOffset: c.family === "interp_offset" ? 0.1 : 0,
    prefixRows,
  };
  const shape = name === "table" ? [...to, dim] : [1, prefixRows + to[0] * to[1], dim];
  writeInterpolated(posenc, c, config, name, table, shape);
}

function interpLinear1d(posenc, c) {
  c.oneOf("mode", ["linear"]);
  const table = c.input("table");
  const config = {
    fromHeight: c.size("length_from"),
    toHeight: c.size("length_to"),
    dim: widthOf(table, 2, "table"),
    mode: "linear",
    alignCorners: c.flag("align_corners"),
  };
  writeInterpolated(posenc, c, config, "table", table, [config.toHeight, config.dim]);
}

/** The shape [batch, tokens] of an input. */
function batchShape(c, name) {
  const { shape } = c.input(name);
  if (shape.length !== 2) malformed(`input ${JSON.stringify(name)} must have 2 dimensions`);
  return shape;
}

function robertaPositions(posenc, c) {
  const shape = batchShape(c, "input_ids");
  const ids = Int32Array.from(c.wholeInput("input_ids"));
  const paddingId = c.size("padding_idx");
  const pastLength = c.whole("past_length");
  const out = posenc.positionIds.roberta({ ids, batch: shape[0], paddingId, pastLength });
  c.output("position_ids", shape, out);
}

function optPositions(posenc, c) {
  const [batch, columns] = batchShape(c, "attention_mask");
  const pastLength = c.size("past_length");
  const mask = maskInput(c, "attention_mask");
  const rows = posenc.positionIds.opt({ mask, batch, pastLength, offset: c.whole("offset") });
  c.output("rows", [batch, Math.max(0, columns - pastLength)], rows);
}

function leftPaddingPositions(posenc, c) {
  const shape = batchShape(c, "attention_mask");
  const mask = maskInput(c, "attention_mask");
  const maskedValue = c.whole("masked_value");
  const out = posenc.positionIds.leftPadding({ mask, batch: shape[0], maskedValue });
  c.output("position_ids", shape, out);
}

export const gridFamilies = {
  sincos2d: sincos,
  sincos3d: sincos,
  sincos2d_xy: sincos2dXy,
  detr_sine: detrSine,
  interp_bicubic_aa0: interp,
  interp_bicubic_aa1: interp,
  interp_bilinear_aa0: interp,
  interp_bilinear_aa1: interp,
  interp_cls: interp,
  interp_offset: interp,
  interp_align: interp,
  interp_linear1d: interpLinear1d,
  roberta_positions: robertaPositions,
  opt_positions: optPositions,
  left_padding_positions: leftPaddingPositions,
};
