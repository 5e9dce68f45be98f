// posenc itself, in wasm memory that is reused from run to run. Pages use it too.
import { data, fill, fromHalf, toHalf } from "./data.mjs";

const makers = {
  rope,
  decode,
  angles,
  sinusoidal,
  alibi: (posenc, shape) => bias(posenc, alibiOf(posenc, shape), shape),
  t5: (posenc, shape) => bias(posenc, t5Of(posenc, shape), shape),
  learned,
  resize,
  shaw,
  deberta,
  transformer_xl: transformerXl,
  attention,
};

/** The makers of the workloads of `posenc` (of "posenc/all") by kind; each takes the shape. */
export function posencMakers(posenc) {
  return Object.fromEntries(
    Object.entries(makers).map(([kind, make]) => [kind, (shape) => owning(posenc, make, shape)]),
  );
}

/** A workload that gives back all wasm memory that was made for it. */
function owning(posenc, make, shape) {
  const owned = [];
  const own = (name) => [
    name,
    (...args) => {
      owned.push(posenc[name](...args));
      return owned.at(-1);
    },
  ];
  const encodings = ["rope", "sinusoidal", "alibi", "t5", "learned", "interpolate"];
  const scored = ["shaw", "deberta", "transformerXl"];
  const owners = Object.fromEntries(["alloc", ...encodings, ...scored].map(own));
  const workload = make({ ...posenc, ...owners }, shape);
  const dispose = () => {
    for (const owner of owned.splice(0).reverse()) owner.dispose();
  };
  return workload && { ...workload, dispose };
}

function bufferOf(posenc, values) {
  const made = posenc.alloc(values.length);
  made.view().set(values);
  return made;
}

/** `place` is in, out, or array: a typed array of the caller's, copied in and out. */
function rope(posenc, { layout, place, storage, heads, length, dim }) {
  const encoding = posenc.rope({ headDim: dim, layout });
  const cos = posenc.alloc((length * dim) / 2);
  const sin = posenc.alloc((length * dim) / 2);
  encoding.angles({ length }, { cos, sin });
  const count = heads * length * dim;
  const isHalf = storage === "float16";
  const x = place === "array" ? new Float32Array(count) : posenc.alloc(count, storage);
  const out = place === "out" ? posenc.alloc(count, storage) : x;
  const args = place === "out" ? { heads, out } : { heads };
  const view = (values) => (place === "array" ? values : values.view());
  return {
    reset() {
      fill(view(x), 1);
      if (isHalf) view(x).set(data(count).map(toHalf));
    },
    run: () => void encoding.rotate(x, cos, sin, args),
    results: () => [isHalf ? Float32Array.from(view(out), fromHalf) : view(out)],
  };
}

function decode(posenc, { table, heads, dim, position }) {
  const encoding = posenc.rope({ headDim: dim });
  const cos = posenc.alloc(dim / 2);
  const sin = posenc.alloc(dim / 2);
  encoding.angles({ offset: position, length: 1 }, { cos, sin });
  const x = posenc.alloc(heads * dim);
  const rotateArgs = { heads };
  const applyArgs = { heads, offset: position };
  return {
    reset: () => void fill(x.view(), 1),
    run:
      table === "ready"
        ? () => void encoding.rotate(x, cos, sin, rotateArgs)
        : () => void encoding.apply(x, applyArgs),
    results: () => [x.view()],
  };
}

function angles(posenc, { rule, length, pairs }) {
  const encoding = posenc.rope({ headDim: 2 * pairs, angles: rule });
  const out = { cos: posenc.alloc(length * pairs), sin: posenc.alloc(length * pairs) };
  return {
    run: () => void encoding.angles({ length }, out),
    results: () => [out.cos.view(), out.sin.view()],
  };
}

function sinusoidal(posenc, { layout, length, dim }) {
  const encoding = posenc.sinusoidal({ dim, layout });
  const out = posenc.alloc(length * dim);
  return { run: () => void encoding.table({ length }, out), results: () => [out.view()] };
}

function alibiOf(posenc, { heads }) {
  return posenc.alibi({ heads, form: "symmetric" });
}

function t5Of(posenc, { heads }) {
  return posenc.t5({ heads, bidirectional: true, table: data(32 * heads) });
}

function bias(posenc, encoding, { form, heads, length }) {
  const count = 2 * length - 1;
  const out = posenc.alloc(heads * (form === "distances" ? count : length * length));
  const positions = { queries: { length }, keys: { length } };
  return {
    run:
      form === "distances"
        ? () => void encoding.distances(1 - length, count, out)
        : () => void encoding.bias(positions, out),
    results: () => [out.view()],
  };
}

function learned(posenc, { length, dim }) {
  const encoding = posenc.learned({ rows: bufferOf(posenc, data(length * dim, 2)), dim });
  const x = posenc.alloc(length * dim);
  return {
    reset: () => void fill(x.view(), 1),
    run: () => void encoding.add(x, { length }),
    results: () => [x.view()],
  };
}

function resize(posenc, { from, to, dim }) {
  const sizes = { fromHeight: from, fromWidth: from, toHeight: to, toWidth: to };
  const encoding = posenc.interpolate({ ...sizes, dim });
  const table = bufferOf(posenc, data(from * from * dim));
  const out = posenc.alloc(to * to * dim);
  return { run: () => void encoding.apply(table, out), results: () => [out.view()] };
}

/** q and k from seeds 1 and 2, and where the scores go. */
function scoresOf(posenc, { heads, length, dim }) {
  return {
    q: bufferOf(posenc, data(heads * length * dim, 1)),
    k: bufferOf(posenc, data(heads * length * dim, 2)),
    args: {
      queries: { length },
      keys: { length },
      out: posenc.alloc(heads * length * length),
    },
  };
}

function shaw(posenc, shape) {
  const { q, args } = scoresOf(posenc, shape);
  const keys = data((2 * shape.reach + 1) * shape.dim, 3);
  const encoding = posenc.shaw({ headDim: shape.dim, maxRelativePosition: shape.reach, keys });
  return { run: () => void encoding.scores(q, args), results: () => [args.out.view()] };
}

function deberta(posenc, shape) {
  const { q, k, args } = scoresOf(posenc, shape);
  const { heads, length, dim } = shape;
  const relEmbeddings = data(2 * length * heads * dim, 3);
  const config = { heads, headDim: dim, maxRelativePositions: length, relEmbeddings };
  const encoding = posenc.deberta(config);
  return { run: () => void encoding.scores(q, k, args), results: () => [args.out.view()] };
}

function transformerXl(posenc, shape) {
  const { q, k, args } = scoresOf(posenc, shape);
  const { heads, length, dim } = shape;
  const r = bufferOf(posenc, data(heads * (2 * length - 1) * dim, 3));
  const biases = { contentBias: data(heads * dim, 4), positionBias: data(heads * dim, 5) };
  const encoding = posenc.transformerXl({ heads, headDim: dim, ...biases });
  const call = { ...args, firstDistance: length - 1 };
  return { run: () => void encoding.scores(q, k, r, call), results: () => [args.out.view()] };
}

function attention(posenc, shape) {
  const { terms, heads, length, dim } = shape;
  const count = heads * length * dim;
  const [q, k, v] = [1, 2, 3].map((seed) => bufferOf(posenc, data(count, seed)));
  const out = posenc.alloc(count);
  const args = { heads, queryCount: length, keyCount: length, headDim: dim, out };
  if (terms === "causal") args.causal = true;
  if (terms === "alibi" || terms === "t5") {
    const encoding = terms === "alibi" ? alibiOf(posenc, shape) : t5Of(posenc, shape);
    const distances = bufferOf(posenc, encoding.distances(1 - length, 2 * length - 1));
    args.terms = { distances, firstDistance: 1 - length };
  }
  if (terms === "rope") {
    const { cos, sin } = posenc.rope({ headDim: dim }).angles({ length });
    const [queryCos, querySin] = [bufferOf(posenc, cos), bufferOf(posenc, sin)];
    args.rotary = { queryCos, querySin, keyCos: queryCos, keySin: querySin };
  }
  if (terms === "deberta") {
    args.scale = 1 / Math.sqrt(3 * dim);
    args.terms = { relative: debertaTerms(posenc, shape) };
  }
  return { run: () => void posenc.attention(q, k, v, args), results: () => [out.view()] };
}

/** DeBERTa v1's terms of the call: every distance has a row; the table is not projected. */
function debertaTerms(posenc, { heads, length, dim }) {
  const rows = 2 * length;
  const table = data(rows * heads * dim, 3);
  const byHead = new Float32Array(table.length);
  for (let row = 0; row < rows; ++row) {
    for (let head = 0; head < heads; ++head) {
      const from = (row * heads + head) * dim;
      byHead.set(table.subarray(from, from + dim), (head * rows + row) * dim);
    }
  }
  const tables = bufferOf(posenc, byHead);
  // Row length + query - key, at index key - query - (1 - length).
  const index = Int32Array.from({ length: 2 * length - 1 }, (_, i) => 2 * length - 1 - i);
  const firstDistance = 1 - length;
  return { index, firstDistance, rowCount: rows, keys: tables, queries: tables };
}
