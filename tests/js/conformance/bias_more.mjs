import { t5Config, writeBias } from "./bias.mjs";
import { withOwned } from "./case.mjs";
import { isObject, malformed, numberOf, sizeOf, unsupported } from "./values.mjs";

/** The parameter `clamp`: {"min", "p_max"}, null for none. */
function clampOf(c) {
  const clamp = c.has("clamp") ? c.any("clamp") : null;
  if (clamp === null) return {};
  if (!isObject(clamp)) malformed('parameter "clamp" must be an object');
  const options = {};
  for (const [name, value] of Object.entries(clamp)) {
    if (value === null) continue;
    if (name === "min") options.minimum = numberOf(value, "clamp: min");
    else if (name === "p_max") options.pMaximum = numberOf(value, "clamp: p_max");
    else unsupported(`parameter "clamp" has ${name}`);
  }
  return options;
}

function kerpleOf(posenc, c, kind) {
  const heads = c.size("heads");
  const causal = c.flag("causal");
  const p = Float64Array.from(c.input("p", [heads]).values);
  const a = Float64Array.from(c.input("a", [heads]).values);
  return posenc.kerple({ heads, kind, causal, p, a, ...clampOf(c) });
}

function kerpleLog(posenc, c) {
  withOwned(kerpleOf(posenc, c, "log"), (kerple) => writeBias(c, kerple));
}

function kerplePower(posenc, c) {
  withOwned(kerpleOf(posenc, c, "power"), (kerple) => writeBias(c, kerple));
}

function kerpleGrad(posenc, c) {
  c.oneOf("kind", ["log", "power"]);
  withOwned(kerpleOf(posenc, c, c.any("kind")), (kerple) => {
    const { heads } = kerple.config;
    const queries = c.size("query_len");
    const keys = c.size("key_len");
    const { values } = c.input("dbias", [heads, queries, keys]);
    const offset = keys - queries;
    const positions = { queries: { offset, length: queries }, keys: { length: keys } };
    const both = kerple.gradient(positions, values);
    c.output("dp", [heads], both.subarray(0, heads));
    c.output("da", [heads], both.subarray(heads));
  });
}

/** The layers w1, b1, w2, ...; a bias may be missing. */
function layersOf(c) {
  const layers = [];
  for (let i = 1; c.hasInput(`w${i}`); ++i) {
    const weight = c.input(`w${i}`).values;
    layers.push({ weight, bias: c.hasInput(`b${i}`) ? c.input(`b${i}`).values : undefined });
  }
  return layers;
}

function fire(posenc, c) {
  const layers = layersOf(c);
  c.oneOf("activation", ["relu"]);
  c.describes(["mlp_width", "hidden_layers"]);
  const config = {
    heads: c.size("heads"),
    causal: c.flag("causal"),
    c: c.number("c"),
    threshold: c.number("threshold"),
    eps: c.number("eps"),
    layers,
  };
  withOwned(posenc.fire(config), (encoding) => writeBias(c, encoding));
}

function dynamicPositionBias(posenc, c) {
  const layers = layersOf(c);
  c.oneOf("activation", ["silu"]);
  c.describes(["dim", "depth"]);
  const config = { heads: c.size("heads"), logDistance: c.flag("log_distance"), layers };
  withOwned(posenc.dynamicPositionBias(config), (encoding) => writeBias(c, encoding));
}

/** [height, width], or one number for both. */
function sides(value) {
  const pair = Array.isArray(value) ? value : [value, value];
  return [sizeOf(pair[0], "a side"), sizeOf(pair[1], "a side")];
}

function windowOf(c) {
  const [windowHeight, windowWidth] = sides(c.any("window"));
  return { windowHeight, windowWidth };
}

function pretrainedOf(c) {
  const value = c.any("pretrained_window");
  if (value === null) return {};
  const [pretrainedHeight, pretrainedWidth] = sides(value);
  return { pretrainedHeight, pretrainedWidth };
}

/** Writes the bias of a window. */
function writeWindow(c, encoding) {
  const { heads, windowHeight, windowWidth } = encoding.config;
  const cells = windowHeight * windowWidth;
  c.room([heads, cells, cells]);
  c.output("bias", [heads, cells, cells], encoding.bias());
}

function swinBias(posenc, c) {
  const window = windowOf(c);
  const heads = c.size("heads");
  const offsets = (2 * window.windowHeight - 1) * (2 * window.windowWidth - 1);
  const { values: table } = c.input("table", [offsets, heads]);
  withOwned(posenc.swin({ ...window, heads, table }), (swin) => writeWindow(c, swin));
}

function swinCpbBias(posenc, c) {
  const config = { ...windowOf(c), heads: c.size("heads"), ...pretrainedOf(c) };
  c.oneOf("activation", ["relu"]);
  c.describes(["hidden"]);
  const layers = layersOf(c);
  withOwned(posenc.swinCpb({ ...config, layers }), (cpb) => writeWindow(c, cpb));
}

/** The index of a window, or the coordinates of Swin v2. */
function swin(posenc, c) {
  const config = { ...windowOf(c), heads: 1 };
  const { windowHeight, windowWidth } = config;
  if (!c.has("pretrained_window")) {
    const cells = windowHeight * windowWidth;
    withOwned(posenc.swin(config), (encoding) => {
      c.output("index", [cells, cells], encoding.index());
    });
    return;
  }
  withOwned(posenc.swinCpb({ ...config, ...pretrainedOf(c) }), (cpb) => {
    const shape = [1, 2 * windowHeight - 1, 2 * windowWidth - 1, 2];
    c.output("coords", shape, cpb.coordinates());
  });
}

function gatedRelativeBias(posenc, c) {
  const batch = c.size("batch");
  const heads = c.size("heads");
  const headDim = c.size("head_dim");
  const length = c.size("seq");
  const config = {
    heads,
    headDim,
    gateWeight: c.input("gate_weight", [8, headDim]).values,
    gateBias: c.input("gate_bias", [8]).values,
    gateConst: c.input("gate_const", [heads]).values,
  };
  withOwned(posenc.gatedPositionBias(config), (gated) => {
    const hidden = c.input("hidden", [batch, length, heads * headDim]).values;
    const gate = gated.gate(hidden, length);
    const table = c.input("table", [c.size("num_buckets"), heads]).values;
    withOwned(posenc.t5({ ...t5Config(c, heads), table }), (t5) => {
      const positionBias = t5.bias({ queries: { length }, keys: { length } });
      const shape = { queryCount: length, keyCount: length };
      const bias = gated.bias(gate, positionBias, shape);
      c.output("gate", [batch, heads, length], gate);
      c.output("bias", [batch, heads, length, length], bias);
    });
  });
}

function foxDecay(posenc, c) {
  const heads = c.size("heads");
  const length = c.size("seq");
  const causal = c.flag("causal");
  const config = { heads, causal, logScale: c.number("log_scale") };
  withOwned(posenc.forgettingBias(config), (forgetting) => {
    const gates = c.input("gate_logits", [causal ? heads : 2 * heads, length]).values;
    c.output("bias", [heads, length, length], forgetting.bias(gates));
  });
}

function alibiPartial(posenc, c) {
  c.oneOf("order", ["paper/BLOOM"]);
  const form = c.flag("causal") ? "causal" : "symmetric";
  const config = { heads: c.size("total_heads"), form, alibiHeads: c.size("alibi_heads") };
  withOwned(posenc.alibi(config), (alibi) => writeBias(c, alibi));
}

export const biasMoreFamilies = {
  kerple_log: kerpleLog,
  kerple_power: kerplePower,
  kerple_grad: kerpleGrad,
  fire,
  dynamic_position_bias: dynamicPositionBias,
  swin,
  swin_bias: swinBias,
  swin_cpb_bias: swinCpbBias,
  gated_relative_bias: gatedRelativeBias,
  fox_decay: foxDecay,
  alibi_partial: alibiPartial,
};
