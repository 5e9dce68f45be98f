import { withOwned } from "./case.mjs";

function writeTable(posenc, c, config, positions, name = "pe") {
  withOwned(posenc.sinusoidal(config), (sinusoidal) => {
    const shape = [positions.length, config.dim];
    c.room(shape);
    c.output(name, shape, sinusoidal.table({ positions }));
  });
}

function interleaved(posenc, c) {
  c.only("layout", ["interleaved"]);
  const config = {
    dim: c.size("dim"),
    base: c.number("base"),
    frequencyDenominator: c.number("frequency_denominator"),
  };
  writeTable(posenc, c, config, c.positions());
}

function halfMarian(posenc, c) {
  c.only("layout", ["half-concatenated"]);
  c.only("exponent", ["2i/dim"]);
  const dim = c.size("dim");
  const scaled = c.has("scale");
  c.only("scale", ["dim^-0.5 (initial value of the learned scale)"]);
  const scale = scaled ? 1 / Math.sqrt(dim) : 1;
  const config = { dim, base: c.number("base"), layout: "half", scale };
  writeTable(posenc, c, config, c.positions());
}

/** tensor2tensor's exponent i / (dim/2 - 1). With one frequency it is 1 whatever the exponent. */
function halfT2t(posenc, c) {
  c.only("layout", ["half-concatenated"]);
  c.only("exponent", ["i/(half-1)", "i/max(half-1,1)"]);
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
  c.only("order", ["cos_sin", "sin_cos"]);
  c.only("exponent_denominator", ["half", "half-1"]);
  const dim = c.size("dim");
  const less = c.any("exponent_denominator") === "half" ? 0 : 1;
  const config = {
    dim,
    base: c.number("max_period"),
    layout: "half",
    oddWidth: "zero",
    frequencyDenominator: 2 * Math.max(Math.floor(dim / 2) - less, 0),
    order: c.any("order") === "cos_sin" ? "cosine_first" : "sine_first",
    positionScale: c.number("scale"),
  };
  writeTable(posenc, c, config, [...c.input("timesteps").values], "embedding");
}

export const additiveFamilies = {
  interleaved,
  half_marian: halfMarian,
  half_t2t: halfT2t,
  whisper_sinusoids: whisperSinusoids,
  ddpm_timestep: ddpmTimestep,
};
