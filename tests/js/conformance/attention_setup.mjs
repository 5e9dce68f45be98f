import { withOwned } from "./case.mjs";
import { isObject, malformed, numberOf, shown, sizeOf, unsupported, wholeOf } from "./values.mjs";

/** A parameter that may be null, or an object with no other members than these. */
function partOf(c, name, members) {
  if (!c.has(name) || c.any(name) === null) return undefined;
  const part = c.any(name);
  if (!isObject(part)) malformed(`parameter "${name}" must be an object`);
  const other = Object.keys(part).find((member) => !members.includes(member));
  if (other !== undefined) {
    unsupported(`parameter "${name}": ${JSON.stringify(other)} is not supported`);
  }
  return part;
}

function memberOf(part, name, member) {
  if (!Object.hasOwn(part, member)) malformed(`${name}: ${member} is missing`);
  return part[member];
}

function positionsOf(part, name, count) {
  const list = memberOf(part, "rope", name);
  if (!Array.isArray(list) || list.length !== count) {
    malformed(`rope: ${name} must be an array of a position for each row`);
  }
  return list.map((position) => numberOf(position, "a position"));
}

/** The first distance, key - query, of `distances` and of Shaw's index, and how many there are. */
export const distancesOf = (args) => ({
  first: -(args.queryOffset + args.queryCount),
  count: args.queryCount + args.keyCount,
});

function maskOf(c) {
  if (!c.hasInput("key_mask")) return undefined;
  return Uint8Array.from(c.wholeInput("key_mask"), (seen) => (seen !== 0 ? 1 : 0));
}

const filledUp = (c, shape, values) => {
  c.room(shape);
  return values();
};

/** Slopes of the input, or those of the heads; by distance, or BLOOM's by key. */
function alibiTerms(posenc, c, args) {
  if (!c.has("alibi") || c.any("alibi") === null) return {};
  const config = { heads: args.heads, form: "symmetric" };
  let form = "relative";
  if (c.hasInput("slopes")) {
    c.oneOf("alibi", ["bias = -slopes[head]*|i-j|"]);
    config.customSlopes = Float64Array.from(c.input("slopes", [args.heads]).values);
  } else {
    const part = partOf(c, "alibi", ["form", "order"]);
    const order = memberOf(part, "alibi", "order");
    if (order !== "paper/BLOOM") {
      unsupported(`parameter "alibi": "order" has the unsupported value ${shown(order)}`);
    }
    form = memberOf(part, "alibi", "form");
    if (form !== "relative" && form !== "key") {
      unsupported(`parameter "alibi": "form" has the unsupported value ${shown(form)}`);
    }
  }
  return withOwned(posenc.alibi(config), (alibi) => {
    if (form === "relative") {
      const { first, count } = distancesOf(args);
      const shape = [args.heads, count];
      const distances = filledUp(c, shape, () => alibi.distances(first, count));
      return { distances, firstDistance: first };
    }
    let sum = 0;
    const positions = Array.from({ length: args.keyCount }, (_, key) => {
      const seen = args.keyMask?.[key] ?? 1;
      sum += seen;
      return (sum - 1) * seen;
    });
    const shape = [args.heads, args.keyCount];
    return { keyBias: filledUp(c, shape, () => alibi.keyBias({ positions })) };
  });
}

/** The config of t5, without its table; nothing when there is none. */
export function t5ConfigOf(c, heads) {
  const part = partOf(c, "t5", ["num_buckets", "max_distance", "bidirectional"]);
  if (!part) return undefined;
  const bidirectional = memberOf(part, "t5", "bidirectional");
  if (typeof bidirectional !== "boolean") malformed("t5: bidirectional must be true or false");
  const numBuckets = sizeOf(memberOf(part, "t5", "num_buckets"), "t5: num_buckets");
  const maxDistance = wholeOf(memberOf(part, "t5", "max_distance"), "t5: max_distance");
  return { heads, bidirectional, numBuckets, maxDistance };
}

function t5Terms(posenc, c, args) {
  const given = t5ConfigOf(c, args.heads);
  if (!given) return {};
  const table = c.input("table", [given.numBuckets, args.heads]).values;
  const config = { ...given, table };
  const { first, count } = distancesOf(args);
  const distances = filledUp(c, [args.heads, count], () =>
    withOwned(posenc.t5(config), (t5) => t5.distances(first, count)),
  );
  return { distances, firstDistance: first };
}

function shawTerms(posenc, c, args) {
  const part = partOf(c, "shaw", ["max_relative_position", "value_embeddings"]);
  if (!part) return {};
  const name = "max_relative_position";
  const maxRelativePosition = sizeOf(memberOf(part, "shaw", name), `shaw: ${name}`);
  const rowCount = 2 * maxRelativePosition + 1;
  const { headDim, valueDim } = args;
  const keys = c.input("rel_k", [rowCount, headDim]).values;
  const hasValues = memberOf(part, "shaw", "value_embeddings") === true;
  const values = hasValues ? c.input("rel_v", [rowCount, valueDim]).values : undefined;
  const { first, count } = distancesOf(args);
  const places = { queries: { length: 1 }, keys: { offset: first, length: count } };
  const index = withOwned(posenc.shaw({ headDim, maxRelativePosition, keys }), (shaw) =>
    shaw.index(places),
  );
  return { relative: { index, firstDistance: first, rowCount, keys, values } };
}

function rotaryOf(posenc, c, args) {
  const part = partOf(c, "rope", [
    ...["layout", "base", "rotary_dim", "rotary_start", "query_positions", "key_positions"],
  ]);
  if (!part) return undefined;
  const layout = memberOf(part, "rope", "layout");
  if (layout !== "half" && layout !== "interleaved") {
    unsupported(`parameter "rope": "layout" has the unsupported value ${shown(layout)}`);
  }
  const base = numberOf(memberOf(part, "rope", "base"), "rope: base");
  const rotaryDim = sizeOf(memberOf(part, "rope", "rotary_dim"), "rope: rotary_dim");
  const rotaryStart = Object.hasOwn(part, "rotary_start")
    ? sizeOf(part.rotary_start, "rope: rotary_start")
    : 0;
  const config = { headDim: args.headDim, layout, base, rotaryDim, rotaryStart };
  return withOwned(posenc.rope(config), (rope) => {
    const tables = (name, count) => {
      const positions = positionsOf(part, name, count);
      return filledUp(c, [count, Math.floor(rotaryDim / 2)], () => rope.angles({ positions }));
    };
    const query = tables("query_positions", args.queryCount);
    const key = tables("key_positions", args.keyCount);
    return {
      ...{ queryCos: query.cos, querySin: query.sin, keyCos: key.cos, keySin: key.sin },
      ...{ rotaryDim, rotaryStart, layout },
    };
  });
}

/** Given, or DeepSeek's. */
function scaleOf(posenc, c, headDim) {
  const part = partOf(c, "deepseek", ["factor", "mscale_all_dim"]);
  if (!part) return c.number("scale");
  c.oneOf("scale", [null]);
  const factor = numberOf(memberOf(part, "deepseek", "factor"), "deepseek: factor");
  const all = memberOf(part, "deepseek", "mscale_all_dim");
  const mscaleAllDim = numberOf(all, "deepseek: mscale_all_dim");
  const yarn = { type: "yarn", factor, originalMaxPositionEmbeddings: 4096, mscaleAllDim };
  return withOwned(posenc.rope({ headDim, scaling: yarn }), (rope) => {
    c.output("scale", undefined, rope.softmaxScale);
    return rope.softmaxScale;
  });
}

const orNothing = (c, name, read) => (c.has(name) && c.any(name) !== null ? read() : undefined);

/** The args of an attention case, its q, k, v and the shapes of what comes out. */
export function attentionSetup(posenc, c) {
  const args = {
    heads: c.size("heads"),
    kvHeads: c.size("kv_heads"),
    queryCount: c.size("query_len"),
    keyCount: c.size("key_len"),
    headDim: c.size("head_dim"),
    valueDim: c.size("value_dim"),
    causal: c.flag("causal"),
    queryOffset: c.whole("query_offset"),
    window: c.any("window") === null ? undefined : c.size("window"),
    softcap: orNothing(c, "softcap", () => c.number("softcap")),
  };
  const { heads, kvHeads, queryCount, keyCount, headDim, valueDim } = args;
  const q = c.input("q", [heads, queryCount, headDim]);
  const k = c.input("k", [kvHeads, keyCount, headDim]);
  const v = c.input("v", [kvHeads, keyCount, valueDim]);
  args.scale = scaleOf(posenc, c, headDim);
  args.keyMask = maskOf(c);
  args.terms = {
    ...alibiTerms(posenc, c, args),
    ...t5Terms(posenc, c, args),
    ...shawTerms(posenc, c, args),
  };
  args.rotary = rotaryOf(posenc, c, args);
  const outShape = [heads, queryCount, valueDim];
  return { args, q, k, v, outShape, scoreShape: [heads, queryCount, keyCount] };
}
