import { withOwned } from "./case.mjs";

function writeTable(posenc, c, config, positions, name = "pe") {
  withOwned(posenc.sinusoidal(config), (sinusoidal) => {
    const shape = [positions.length, config.dim];
    c.room(shape);
    c.output(name, shape, sinusoidal.table({ positions }));
  });
}

function interleaved(posenc, c) {
  c.oneOf("layout", ["interleaved"]);
  const config = {
    dim: c.size("dim"),
    base: c.number("base"),
    frequencyDenominator: c.number("frequency_denominator"),
  };
  writeTable(posenc, c, config, c.positions());
}

function halfMarian(posenc, c) {
  c.oneOf("layout", ["half-concatenated"]);
  c.oneOf("exponent", ["2i/dim"]);
  const dim = c.size("dim");
  const scaled = c.has("scale");
  c.oneOf("scale", ["dim^-0.5 (initial value of the learned scale)"]);
  const scale = scaled ? 1 / Math.sqrt(dim) : 1;
  writeTable(posenc, c, { dim, base: c.number("base"), layout: "half", scale }, c.positions());
}

/** tensor2tensor's exponent i / (dim/2 - 1). With one frequency it is 1 whatever the exponent. */
function halfT2t(posenc, c) {
  c.oneOf("layout", ["half-concatenated"]);
  c.oneOf("exponent", ["i/(half-1)", "i/max(half-1,1)"]);
  const dim = c.size("dim");
  const half = Math.floor(dim / 2);
  const config = { dim, layout: "half", oddWidth: "zero" };
  if (c.has("max_timescale")) {
    config.minTimescale = c.number("min_timescale");
    config.maxTimescale = c.number("max_timescale");
  } else {
    config.base = c.number("base");
    config.frequencyDenominator = half > 1 ? 2 * (half - 1) : 0;
  }
  if (c.has("padding_idx") && c.any("padding_idx") !== null) {
    config.paddingPosition = c.whole("padding_idx");
  }
  writeTable(posenc, c, config, c.positions(c.wholeOr("start_index", 0)));
}

function whisperSinusoids(posenc, c) {
  const config = {
    dim: c.size("dim"),
    layout: "half",
    oddWidth: "zero",
    maxTimescale: c.number("max_timescale"),
  };
  writeTable(posenc, c, config, c.positions());
}

function ddpmTimestep(posenc, c) {
  c.oneOf("order", ["cos_sin", "sin_cos"]);
  c.oneOf("exponent_denominator", ["half", "half-1"]);
  const dim = c.size("dim");
  const less = c.any("exponent_denominator") === "half" ? 0 : 1;
  const config = {
    dim,
    base: c.number("max_period"),
    layout: "half",
    oddWidth: "zero",
    frequencyDenominator: 2 * Math.max(0, Math.floor(dim / 2) - less),
    order: c.any("order") === "cos_sin" ? "cosine_first" : "sine_first",
    positionScale: c.number("scale"),
  };
  const positions = Float64Array.from(c.input("timesteps").values);
  writeTable(posenc, c, config, positions, "embedding");
}

function hierarchical(posenc, c) {
  const rows = c.size("rows");
  const dim = c.size("dim");
  const table = c.input("table", [rows, dim]).values;
  withOwned(posenc.hierarchical({ rows: table, dim, alpha: c.number("alpha") }), (encoding) => {
    const positions = c.positions();
    const shape = [positions.length, dim];
    c.room(shape);
    c.output("pe", shape, encoding.table({ positions }));
  });
}

function layoutlmBoxes(posenc, c) {
  const dim = c.size("dim");
  const tokens = c.size("tokens");
  const rows = c.size("max_2d");
  const config = {
    dim,
    xRows: c.input("x_table", [rows, dim]).values,
    yRows: c.input("y_table", [rows, dim]).values,
    heightRows: c.input("h_table", [rows, dim]).values,
    widthRows: c.input("w_table", [rows, dim]).values,
    positionRows: c.input("position_table", [c.size("max_positions"), dim]).values,
  };
  withOwned(posenc.layoutBoxes(config), (encoding) => {
    const boxes = Int32Array.from(c.wholeInput("boxes"));
    const positions = c.wholeInput("positions");
    const shape = [tokens, dim];
    c.room(shape);
    const out = new Float32Array(tokens * dim);
    c.output("pe", shape, encoding.table({ boxes, positions: { positions } }, out));
  });
}

function tableScatter(posenc, c) {
  const rows = c.size("rows");
  const dim = c.size("dim");
  const shape = [rows, dim];
  c.room(shape);
  const config = { rows: new Float32Array(rows * dim), dim, scale: c.number("scale") };
  if (c.has("padding_row") && c.any("padding_row") !== null) {
    config.paddingRow = c.whole("padding_row");
  }
  const positions = c.wholeInput("ids");
  const gradient = c.input("dout").values;
  withOwned(posenc.learned(config), (learned) => {
    const sums = learned.scatter(gradient, { positions }, new Float32Array(rows * dim));
    c.output("dtable", shape, sums);
  });
}

export const additiveFamilies = {
  interleaved,
  half_marian: halfMarian,
  half_t2t: halfT2t,
  whisper_sinusoids: whisperSinusoids,
  ddpm_timestep: ddpmTimestep,
  hierarchical,
  layoutlm_boxes: layoutlmBoxes,
  table_scatter: tableScatter,
};
