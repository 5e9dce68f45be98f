import { malformed, withOwned } from "./case.mjs";

function scalingOf(c) {
  c.only("rope_type", ["default", "linear"]);
  if (c.any("rope_type") !== "linear") return { type: "none" };
  return { type: "linear", factor: c.number("factor") };
}

function ropeParams(posenc, c) {
  c.describes(["model", "config_source", "partial_rotary_factor"]);
  const config = {
    headDim: c.size("head_dim"),
    rotaryDim: c.size("rotary_dim"),
    base: c.number("base"),
    scaling: scalingOf(c),
  };
  withOwned(posenc.rope(config), (rope) => {
    const frequencies = rope.invFreq();
    c.output("inv_freq", [frequencies.length], frequencies);
    c.output("attention_scaling", undefined, rope.attentionFactor);
  });
}

/** lucidrains' form: positions divided by interpolate_factor, from `offset` on. */
function interpolationOf(c, positions) {
  c.only("theta_rescale_factor", [1]);
  if (c.has("offset") && (positions.length === 0 || positions[0] !== c.number("offset"))) {
    malformed('parameter "offset" must be the first position');
  }
  if (!c.has("interpolate_factor")) return scalingOf(c);
  c.only("rope_type", ["default"]);
  return { type: "linear", factor: c.number("interpolate_factor") };
}

function apply(posenc, c, layout) {
  c.only("layout", [layout]);
  const positions = c.positions();
  const config = {
    headDim: c.size("head_dim"),
    rotaryDim: c.size("rotary_dim"),
    base: c.number("base"),
    layout,
    scaling: interpolationOf(c, positions),
  };
  withOwned(posenc.rope(config), (rope) => {
    for (const name of ["q", "k"]) {
      const { shape, values } = c.input(name);
      if (shape.length !== 4) malformed(`input "${name}" must have 4 axes`);
      const [batch, heads, length] = shape;
      c.output(name, shape, rope.apply(values, { batch, heads, positions, length }));
    }
  });
}

function writeAngles(posenc, c, config, positions, suffix) {
  withOwned(posenc.rope(config), (rope) => {
    const shape = [positions.length, config.headDim / 2];
    c.room(shape);
    const { cos, sin } = rope.angles({ positions });
    c.output(`cos${suffix}`, shape, cos);
    c.output(`sin${suffix}`, shape, sin);
  });
}

function ropeAngles(posenc, c) {
  c.describes(["reference_inv_freq_f32"]);
  const positions = c.positions();
  const config = { headDim: c.size("rotary_dim"), base: c.number("base"), scaling: scalingOf(c) };
  writeAngles(posenc, c, config, positions, "");
  const rounded = { ...config, angles: "float32_frequencies" };
  writeAngles(posenc, c, rounded, positions, "_given_f32_inv_freq");
}

export const rotaryFamilies = {
  default: ropeParams,
  linear: ropeParams,
  apply_half: (posenc, c) => apply(posenc, c, "half"),
  apply_interleaved: (posenc, c) => apply(posenc, c, "interleaved"),
  rope_angles: ropeAngles,
};
