import { withOwned } from "./case.mjs";

function writeTable(posenc, c, config, positions) {
  withOwned(posenc.sinusoidal(config), (sinusoidal) => {
    const shape = [positions.length, config.dim];
    c.room(shape);
    c.output("pe", shape, sinusoidal.table({ positions }));
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
  const config = { dim: c.size("dim"), base: c.number("base"), layout: "half" };
  writeTable(posenc, c, config, c.positions());
}

/** tensor2tensor's exponent i / (dim/2 - 1). With one frequency it is 1 whatever the exponent. */
function halfT2t(posenc, c) {
  c.only("layout", ["half-concatenated"]);
  c.only("exponent", ["i/(half-1)", "i/max(half-1,1)"]);
  c.only("padding_idx", [null]);
  c.only("min_timescale", [1]);
  const dim = c.size("dim");
  const half = Math.floor(dim / 2);
  const config = {
    dim,
    base: c.number(c.has("max_timescale") ? "max_timescale" : "base"),
    layout: "half",
    oddWidth: "zero",
    frequencyDenominator: half > 1 ? 2 * (half - 1) : 0,
  };
  writeTable(posenc, c, config, c.positions(c.wholeOr("start_index", 0)));
}

export const additiveFamilies = {
  interleaved,
  half_marian: halfMarian,
  half_t2t: halfT2t,
};
