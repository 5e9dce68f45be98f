// What the panels of biases and relative encodings must show.
import {
  content,
  dot,
  head,
  layers,
  posenc,
  randomTable,
  range,
  SEED,
  softmaxRows,
} from "./reference.mjs";

/** A term of queries by keys with the keys after each query masked. */
function masked(values, length, memory = 0) {
  const keys = memory + length;
  return values.map((value, i) => (i % keys > memory + Math.floor(i / keys) ? -Infinity : value));
}

const queries = (length, headDim) => content(length * headDim, SEED.queries);
const keys = (length, headDim) => content(length * headDim, SEED.keys);

/** q . k / divisor + term, softmaxed. */
function attentionOf(q, k, headDim, divisor, term, length, causal) {
  const score = (query, key) => {
    let sum = 0;
    for (let c = 0; c < headDim; c += 1) sum += q[query * headDim + c] * k[key * headDim + c];
    return sum / divisor + term[query * length + key];
  };
  return softmaxRows(score, length, causal);
}

function shaw(length, headDim, reach) {
  const table = randomTable((2 * reach + 1) * headDim, SEED.table, 1);
  const encoding = posenc.shaw({ headDim, maxRelativePosition: reach, keys: table });
  return encoding.scores(queries(length, headDim), range(0, length));
}

function deberta(terms) {
  const table = randomTable(2 * 256 * 64, SEED.table, 1);
  const config = { positionBuckets: 256, maxRelativePositions: 512, relEmbeddings: table };
  return posenc.deberta({ heads: 1, headDim: 64, ...config, ...terms });
}

function transformerXl({ dModel, headDim, memory, length, first, last }) {
  const encoding = posenc.transformerXl({
    heads: 1,
    headDim,
    dModel,
    contentBias: randomTable(headDim, SEED.second, 1),
    positionBias: randomTable(headDim, SEED.third, 1),
  });
  const weight = randomTable(dModel * headDim, SEED.table, 1 / Math.sqrt(dModel));
  const rows = encoding.project(encoding.rows(first, first - last + 1), weight);
  const all = memory + length;
  const places = { queries: { offset: memory, length }, keys: { length: all } };
  const args = { ...places, firstDistance: first };
  return encoding.scores(queries(length, headDim), keys(all, headDim), rows, args);
}

function cope(length, maxPos) {
  const table = randomTable(maxPos * 64, SEED.table, Math.sqrt(3 / 64));
  const encoding = posenc.cope({ headDim: 64, maxPos, table });
  const q = queries(length, 64);
  const shape = { queryCount: length, keyCount: length, headDim: 64 };
  const logits = posenc.attentionScores(q, keys(length, 64), shape);
  return { encoding, q, logits };
}

function gated(length, heads) {
  const size = 1 / 8;
  const encoding = posenc.gatedPositionBias({
    heads,
    headDim: 64,
    gateWeight: randomTable(8 * 64, SEED.second, size),
    gateBias: randomTable(8, SEED.third, size),
    gateConst: new Float32Array(heads).fill(1),
  });
  const gate = encoding.gate(content(length * heads * 64, SEED.queries), length);
  const table = randomTable(heads * 320, SEED.table, 1);
  const config = { numBuckets: 320, maxDistance: 800, bidirectional: true, table };
  const plain = posenc.t5({ heads, ...config }).bias(range(0, length));
  return { gate, bias: encoding.bias(gate, plain, { queryCount: length, keyCount: length }) };
}

const forgettingLogits = (count) => randomTable(count, 1, 2).map((one) => 4 + one);

export const SCORE_PICTURES = {
  "#1/fire?offset=40&length=48&head=2&threshold=64": {
    size: [48, 48],
    values: () => {
      const fire = posenc.fire({ heads: 12, c: 0.1, threshold: 64, layers: layers(1, 32, 12) });
      return head(fire.bias(range(40, 48)), 2, 48 * 48);
    },
    scale: "diverging",
  },
  "#1/fire?view=attention&length=32&head=1": {
    size: [32, 32],
    values: () => {
      const fire = posenc.fire({ heads: 12, c: 0.1, threshold: 512, layers: layers(1, 32, 12) });
      const bias = head(fire.bias(range(0, 32)), 1, 32 * 32);
      return softmaxRows((q, k) => bias[q * 32 + k], 32, true);
    },
    scale: "sequential",
    close: true,
  },
  "#1/dynamic_position_bias?preset=log-distance&head=3&length=40": {
    size: [40, 40],
    values: () => {
      const network = layers(1, 128, 128, 8);
      const dynamic = posenc.dynamicPositionBias({ heads: 8, logDistance: true, layers: network });
      return head(dynamic.bias(range(0, 40)), 3, 40 * 40);
    },
    scale: "diverging",
  },
  "#1/shaw?length=40&causal=true": {
    size: [40, 40],
    values: () => masked(shaw(40, 64, 16), 40),
    scale: "diverging",
  },
  "#1/shaw?view=rows&length=40&preset=big": {
    size: [40, 40],
    values: () =>
      Float32Array.from({ length: 1600 }, (_, i) => {
        const distance = (i % 40) - Math.floor(i / 40);
        return Math.min(8, Math.max(-8, distance)) + 8;
      }),
    scale: "sequential",
  },
  "#1/shaw?view=attention&length=32": {
    size: [32, 32],
    values: () => attentionOf(queries(32, 64), keys(32, 64), 64, 8, shaw(32, 64, 16), 32, false),
    scale: "sequential",
    close: true,
  },
  "#1/deberta?length=256": {
    size: [256, 256],
    values: () => Float32Array.from(deberta().relativePositions(range(0, 256))),
    scale: "diverging",
  },
  "#1/deberta?view=term&length=64&terms=p2c": {
    size: [64, 64],
    values: () => deberta({ c2p: false }).scores(queries(64, 64), keys(64, 64), range(0, 64)),
    scale: "diverging",
  },
  "#1/deberta?view=attention&length=32": {
    size: [32, 32],
    values: () => {
      const [q, k] = [queries(32, 64), keys(32, 64)];
      const term = deberta().scores(q, k, range(0, 32));
      return attentionOf(q, k, 64, Math.sqrt(3 * 64), term, 32, false);
    },
    scale: "sequential",
    close: true,
  },
  "#1/transformer_xl?length=24&memory=16": {
    size: [24, 40],
    values: () => {
      const shape = { dModel: 410, headDim: 41, memory: 16, length: 24, first: 39, last: 0 };
      return masked(transformerXl(shape), 24, 16);
    },
    scale: "diverging",
  },
  "#1/transformer_xl?preset=xlnet-base&length=24": {
    size: [24, 24],
    values: () =>
      transformerXl({ dModel: 768, headDim: 64, memory: 0, length: 24, first: 24, last: -23 }),
    scale: "diverging",
  },
  "#1/cope?length=100&maxPos=32": {
    size: [100, 100],
    values: () => {
      const { encoding, logits } = cope(100, 32);
      return masked(encoding.positions(logits, range(0, 100)), 100);
    },
    scale: "sequential",
  },
  "#1/cope?view=term&length=48": {
    size: [48, 48],
    values: () => {
      const { encoding, q, logits } = cope(48, 64);
      return encoding.scores(q, logits, range(0, 48));
    },
    scale: "diverging",
  },
  "#1/gated_position_bias?length=40&head=5": {
    size: [40, 40],
    values: () => head(gated(40, 12).bias, 5, 1600),
    scale: "diverging",
  },
  "#1/gated_position_bias?view=gates&length=40&preset=wavlm-large": {
    size: [16, 40],
    values: () => gated(40, 16).gate,
    scale: "sequential",
  },
  "#1/forgetting_bias?length=40&head=3&logScale=0.3": {
    size: [40, 40],
    values: () => {
      const encoding = posenc.forgettingBias({ heads: 8, logScale: 0.3 });
      return head(encoding.bias(forgettingLogits(320)), 3, 1600);
    },
    scale: "sequential",
  },
  "#1/pope?view=keys&phases=random&length=40&offset=100": {
    size: [40, 128],
    values: () => {
      const delta = randomTable(64, SEED.table, Math.PI).map((one) => one - Math.PI);
      const pope = posenc.pope({ heads: 1, headDim: 64, delta });
      return pope.embedKeys(new Float32Array(40 * 64), { offset: 100, length: 40 });
    },
    scale: "diverging",
  },
  "#1/pope?view=attention&length=32": {
    size: [32, 32],
    values: () => {
      const pope = posenc.pope({ heads: 1, headDim: 64 });
      const rows = pope.embedQueries(new Float32Array(32 * 64), { length: 32 });
      return softmaxRows((q, k) => dot(rows, 128, q, k) / 8, 32, true);
    },
    scale: "sequential",
    close: true,
  },
};
