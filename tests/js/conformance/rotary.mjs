import { withOwned } from "./case.mjs";
import { ropeConfig, scaledConfig, turned, turnedQK } from "./rope_config.mjs";
import { mixedRope, mrope, mropeIndex, vision2d } from "./rotary_axes.mjs";
import { malformed } from "./values.mjs";

function ropeParams(posenc, c) {
  c.describes(["model", "config_source", "partial_rotary_factor"]);
  withOwned(posenc.rope(ropeConfig(c)), (rope) => {
    const frequencies = rope.invFreq();
    c.output("inv_freq", [frequencies.length], frequencies);
    c.output("attention_scaling", undefined, rope.attentionFactor);
    const ramp = rope.yarnRamp;
    if (ramp === undefined) return;
    c.output("correction_low", undefined, ramp.low);
    c.output("correction_high", undefined, ramp.high);
  });
}

function writeAngles(posenc, c, config, suffix) {
  const positions = c.positions();
  withOwned(posenc.rope(config), (rope) => {
    const shape = [positions.length, rope.config.rotaryDim / 2];
    c.room(shape);
    const { cos, sin } = rope.angles({ positions });
    c.output(`cos${suffix}`, shape, cos);
    c.output(`sin${suffix}`, shape, sin);
  });
}

function ropeAngles(posenc, c) {
  c.describes(["reference_inv_freq_f32"]);
  const config = ropeConfig(c);
  writeAngles(posenc, c, config, "");
  if (!c.wants("cos_given_f32_inv_freq")) return;
  const angles = "float32_frequencies";
  writeAngles(posenc, c, { ...config, angles }, "_given_f32_inv_freq");
}

/** Positions as lucidrains has them, from `offset` on and divided by interpolate_factor. */
function interpolatedPositions(c) {
  const positions = c.positions();
  if (c.has("offset") && (positions.length === 0 || positions[0] !== c.number("offset"))) {
    malformed('parameter "offset" must be the first position');
  }
  if (!c.has("interpolate_factor")) return positions;
  const factor = c.number("interpolate_factor");
  return positions.map((position) => position / factor);
}

function apply(posenc, c) {
  const config = ropeConfig(c);
  if (c.has("theta_rescale_factor")) {
    const factor = c.number("theta_rescale_factor");
    if (config.scaling !== undefined && config.scaling.type !== "none") {
      malformed('parameter "theta_rescale_factor" goes with rope_type default only');
    }
    if (factor !== 1) config.scaling = { type: "static_ntk", factor };
  }
  withOwned(posenc.rope(config), (rope) => turnedQK(c, rope, interpolatedPositions(c)));
}

function xpos(posenc, c) {
  c.oneOf("variant", ["xpos"]);
  c.oneOf("centre", ["n//2"]);
  const config = ropeConfig(c);
  config.xpos = { scaleBase: c.number("scale_base"), origin: null };
  withOwned(posenc.rope(config), (rope) => turnedQK(c, rope, c.positions()));
}

function proportional(posenc, c) {
  withOwned(posenc.rope(ropeConfig(c)), (rope) => {
    const frequencies = rope.invFreq();
    c.output("inv_freq", [frequencies.length], frequencies);
    turned(c, rope, "apply", c.positions(), "x", "x");
  });
}

function staticNtk(posenc, c) {
  withOwned(posenc.rope(ropeConfig(c)), (rope) => {
    c.output("scaled_base", undefined, rope.scaledBase);
    const frequencies = rope.invFreq();
    c.output("inv_freq", [frequencies.length], frequencies);
    turned(c, rope, "apply", c.positions(), "x", "x");
  });
}

/** A verb with attention_scaling, from input `name` to output `out`. */
function scaled(verb, name, out) {
  return (posenc, c) => {
    withOwned(posenc.rope(scaledConfig(posenc, c)), (rope) =>
      turned(c, rope, verb, c.positions(), name, out),
    );
  };
}

/** q.k of every query and key, summed in double. */
function products(q, k, dim) {
  const out = [];
  for (let i = 0; i < q.length; i += dim) {
    for (let j = 0; j < k.length; j += dim) {
      let sum = 0;
      for (let at = 0; at < dim; ++at) sum += q[i + at] * k[j + at];
      out.push(sum);
    }
  }
  return out;
}

function xposFixedOrigin(posenc, c) {
  const config = ropeConfig(c);
  config.xpos = { scaleBase: c.number("scale_base"), origin: c.number("origin") };
  withOwned(posenc.rope(config), (rope) => {
    const q = c.input("q");
    const k = c.input("k");
    for (const [x, name, side] of [
      [q, "q", "query"],
      [k, "k", "key"],
    ]) {
      const positions = c.numbers(`${side}_positions`);
      if (`${x.shape}` !== `${[1, 1, positions.length, config.headDim]}`) {
        malformed("q and k must have the shape [1, 1, positions, head_dim]");
      }
      c.output(name, x.shape, rope.apply(x.values, { positions, side }));
    }
    const shape = [q.shape[2], k.shape[2]];
    c.output("logits", shape, products(q.values, k.values, config.headDim));
  });
}

function rerotated(c, from, rope, positions, newPositions) {
  const { shape, values } = c.input("k");
  if (shape.length !== 4) malformed('input "k" must have 4 axes');
  const [batch, heads] = shape;
  const args = { batch, heads, from, positions, to: { positions: newPositions } };
  c.output("k", shape, rope.rerotate(values, args));
}

function rerotateShift(posenc, c) {
  withOwned(posenc.rope(ropeConfig(c)), (rope) => {
    const positions = c.positions();
    const delta = c.numbers("delta");
    if (delta.length !== positions.length) {
      malformed('parameter "delta" must have a value for each position');
    }
    const moved = positions.map((position, i) => position + delta[i]);
    rerotated(c, rope, rope, positions, moved);
  });
}

function rerotateScaling(posenc, c) {
  const config = ropeConfig(c);
  const scaling = (end) => ({
    type: "custom_frequencies",
    invFreq: c.numbersInput(`inv_freq_${end}`),
    attentionFactor: c.number(`attention_scaling_${end}`),
  });
  withOwned(posenc.rope({ ...config, scaling: scaling("from") }), (from) => {
    withOwned(posenc.rope({ ...config, scaling: scaling("to") }), (to) => {
      const positions = c.positions();
      rerotated(c, from, to, positions, positions);
    });
  });
}

function permutePairs(posenc, c) {
  c.oneOf("direction", ["interleaved_to_half", "half_to_interleaved"]);
  const { shape, values } = c.input("weight");
  const args = {
    heads: c.size("heads"),
    headDim: c.size("head_dim"),
    rotaryDim: c.size("rotary_dim"),
  };
  if (c.any("direction") === "half_to_interleaved") {
    Object.assign(args, { from: "half", to: "interleaved" });
  }
  const rows = posenc.permutePairs.rows(args);
  c.output("rows", [rows.length], rows);
  c.output("weight", shape, posenc.permutePairs(values, args));
}

function raggedOffsets(posenc, c) {
  c.describes(["sequence_lengths", "heads"]);
  const packed = "[total tokens, heads, head_dim]";
  c.oneOf("x_form", [packed, "[batch, sequence, heads, head_dim]"]);
  withOwned(posenc.rope(ropeConfig(c)), (rope) => {
    const { shape, values } = c.input("x");
    const isPacked = c.any("x_form") === packed;
    if (shape.length !== (isPacked ? 3 : 4)) malformed('input "x" must have the axes of x_form');
    const offsets = c.wholes("offsets");
    const [batch, length, heads] = isPacked ? [1, shape[0], shape[1]] : shape;
    const positions = isPacked
      ? posenc.rotaryPositions.packed(c.wholes("cu_seqlens"), offsets)
      : posenc.rotaryPositions.offsets(offsets, length);
    const args = { batch, heads, positions, length, order: "length_first" };
    c.output("x", shape, rope.apply(values, args));
  });
}

export const rotaryFamilies = {
  default: ropeParams,
  linear: ropeParams,
  dynamic: ropeParams,
  yarn: ropeParams,
  longrope: ropeParams,
  llama3: ropeParams,
  rope_angles: ropeAngles,
  apply_half: apply,
  apply_interleaved: apply,
  xpos,
  mrope,
  vision2d,
  proportional,
  static_ntk: staticNtk,
  rotary_window: scaled("apply", "x", "x"),
  mixed_rope: mixedRope,
  xpos_fixed_origin: xposFixedOrigin,
  rope_inverse: scaled("unapply", "x", "x"),
  rope_backward: scaled("backward", "dout", "dx"),
  rerotate_shift: rerotateShift,
  rerotate_scaling: rerotateScaling,
  permute_pairs: permutePairs,
  mrope_index: mropeIndex,
  ragged_offsets: raggedOffsets,
};
