// What a rope's config can say beside one field: kinds of layers, a scaling, and fields that count
// or do not count only together.
import { encodingsOf } from "./rope.mjs";

const allFull = () => "full";
const linear = { type: "linear", factor: 2 };

/** Layer types of every layer, under each name of their number, which they must agree with. */
function* layerTypes(traits, v, fields) {
  if (traits.ignoresLayerTypes) return;
  const typed = { ...traits, pattern: traits.allFull ?? allFull };
  const types = (count) => Array.from({ length: count }, () => "full_attention");
  const wanted = (layers) => encodingsOf(typed, { ...v, layers });
  yield ["layer_types", { layer_types: types(v.layers) }, wanted(v.layers)];
  const [one, two] = [v.layers + 1, v.layers + 2];
  for (const [i, name] of fields.layers.names.entries()) {
    const config = { [name]: one, layer_types: types(one) };
    yield [`layer_types of ${name}`, config, wanted(one)];
    if (i === 0) continue;
    const before = fields.layers.names[i - 1];
    yield [
      `layer_types of ${before} before ${name}`,
      { ...config, [before]: two, layer_types: types(two) },
      wanted(two),
    ];
  }
}

/** A scaling holds for all layers, for full ones alone, or is not read. */
function* scalings(traits, v) {
  const { scaled = "all" } = traits;
  const scaling = (kind) =>
    scaled === "none" || (scaled === "full" && kind === "sliding") ? { type: "none" } : linear;
  const rope_scaling = { rope_type: "linear", factor: 2 };
  yield ["rope_scaling", { rope_scaling }, encodingsOf({ ...traits, scaling }, v)];
}

/** Qwen's windows, which a flag switches on, for layers behind the first. */
function* windows(traits, v) {
  if (!traits.windowFrom) return;
  const [first, window] = traits.windowFrom;
  const sliding = (from, values) =>
    encodingsOf(
      { ...traits, pattern: (i) => (i < from ? "full" : "sliding") },
      { ...v, ...values },
    );
  const config = { use_sliding_window: true, num_hidden_layers: first + 2 };
  yield ["use_sliding_window", config, sliding(first, { window, layers: first + 2 })];
  yield [
    "max_window_layers",
    { ...config, max_window_layers: 3, sliding_window: 100 },
    sliding(3, { window: 100, layers: first + 2 }),
  ];
}

/** Latent attention switched off: plain heads, the half layout. */
function* plainHeads(traits, { nopeDim, ropeDim, ...v }) {
  if (ropeDim === undefined) return;
  const plain = { ...traits, layout: "half", softmax: undefined };
  yield ["qk_rope_head_dim = 0", { qk_rope_head_dim: 0 }, encodingsOf(plain, v)];
  const heads = v.heads * 2;
  const config = { qk_rope_head_dim: 0, num_attention_heads: heads };
  yield ["more heads", config, encodingsOf(plain, { ...v, heads })];
  const hidden = v.hidden * 2;
  yield [
    "wider",
    { qk_rope_head_dim: 0, hidden_size: hidden },
    encodingsOf(plain, { ...v, hidden }),
  ];
}

/** LongRoPE under its names, with the original length that the class has. */
function* longRopes(traits, v) {
  if (!traits.longRope) return;
  const { original, isYarn = true } = traits.longRope;
  const factors = (x) => Array.from({ length: v.hidden / v.heads / 2 }, () => x);
  const [short_factor, long_factor] = [factors(1), factors(4)];
  for (const type of isYarn ? ["longrope", "su", "yarn"] : ["longrope", "su"]) {
    const scaling = () => ({
      type: "longrope",
      short_factor,
      long_factor,
      original_max_position: original ?? v.max,
      factor: original ? v.max / original : 1,
    });
    const config = { rope_scaling: { type, short_factor, long_factor } };
    yield [`rope_scaling ${type}`, config, encodingsOf({ ...traits, scaling }, v)];
  }
}

/** Cases of a model type with a rope: a title, the config's fields, what is read. */
export function* ropeCases(traits, v, fields) {
  yield* layerTypes(traits, v, fields);
  yield* scalings(traits, v);
  yield* windows(traits, v);
  yield* plainHeads(traits, v);
  yield* longRopes(traits, v);
  for (const [name, value] of Object.entries(traits.ignores ?? {})) {
    yield [`${name} is not read`, { [name]: value }, encodingsOf(traits, v)];
  }
  for (const [config, change] of traits.more ?? []) {
    const { values, ...changed } = change;
    const wanted = encodingsOf({ ...traits, ...changed }, { ...v, ...values });
    yield [Object.keys(config).join(", "), config, wanted];
  }
}
