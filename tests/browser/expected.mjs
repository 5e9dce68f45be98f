// What each address of the explorer must show, computed by the package in Node.
import { GRID_PICTURES } from "./expected_grids.mjs";
import { SCORE_PICTURES } from "./expected_scores.mjs";
import { dot, head, posenc, randomTable, range, softmaxRows } from "./reference.mjs";

const t5Small = { heads: 8, table: randomTable(32 * 8, 1, 1) };

/** What each address must show: [rows, columns], the values, and how they are coloured. */
export const PICTURES = {
  "#1/sinusoidal": {
    size: [128, 512],
    values: () => posenc.sinusoidal({ dim: 512 }).table({ length: 128 }),
    scale: "diverging",
  },
  "#1/sinusoidal?dim=63&base=500&layout=half&oddWidth=zero&offset=1000&length=40": {
    size: [40, 63],
    values: () =>
      posenc
        .sinusoidal({ dim: 63, base: 500, layout: "half", oddWidth: "zero" })
        .table({ offset: 1000, length: 40 }),
    scale: "diverging",
  },
  "#1/sinusoidal?preset=whisper-base": {
    size: [128, 512],
    values: () =>
      posenc
        .sinusoidal({ dim: 512, layout: "half", frequencyDenominator: 510 })
        .table({ length: 128 }),
    scale: "diverging",
  },
  "#1/sinusoidal?view=attention&length=32": {
    size: [32, 32],
    values: () => {
      const rows = posenc.sinusoidal({ dim: 512 }).table({ length: 32 });
      return softmaxRows((q, k) => dot(rows, 512, q, k) / Math.sqrt(512), 32, false);
    },
    scale: "sequential",
    close: true,
  },
  "#1/sincos_grid": {
    size: [14, 14],
    values: () => {
      const rows = posenc
        .sincosGrid({ dim: 768, axisOrder: "xy" })
        .table({ height: 14, width: 14 });
      return Float32Array.from({ length: 196 }, (_, cell) => dot(rows, 768, 6 * 14 + 4, cell));
    },
    scale: "sequential",
  },
  "#1/sincos_grid?view=table&dim=8&height=3&width=5&axisOrder=yx&layout=function_blocks&row=1": {
    size: [15, 8],
    values: () =>
      posenc.sincosGrid({ dim: 8, layout: "function_blocks" }).table({ height: 3, width: 5 }),
    scale: "diverging",
  },
  "#1/hierarchical": {
    size: [64, 768],
    values: () =>
      posenc
        .hierarchical({ rows: randomTable(512 * 768, 1, 0.02), dim: 768 })
        .table({ offset: 480, length: 64 }),
    scale: "diverging",
  },
  "#1/learned?preset=roberta-base&offset=100": {
    size: [64, 768],
    values: () => randomTable(514 * 768, 1, 0.02).slice(102 * 768, 166 * 768),
    scale: "diverging",
  },
  "#1/rope": {
    size: [256, 64],
    values: () => posenc.rope({ headDim: 128 }).angles({ length: 256 }).cos,
    scale: "diverging",
  },
  "#1/rope?preset=gpt-j-6b&view=sine&offset=100000": {
    size: [256, 32],
    values: () =>
      posenc.rope({ headDim: 256, rotaryDim: 64 }).angles({ offset: 100000, length: 256 }).sin,
    scale: "diverging",
  },
  "#1/rope?preset=vicuna-13b-16k": {
    size: [256, 64],
    values: () =>
      posenc.rope({ headDim: 128, scaling: { type: "linear", factor: 4 } }).angles({ length: 256 })
        .cos,
    scale: "diverging",
  },
  "#1/rope?preset=llama-3.1-8b&offset=5000": {
    size: [256, 64],
    values: () =>
      posenc
        .rope({ headDim: 128, base: 500000, scaling: { type: "llama3", factor: 8 } })
        .angles({ offset: 5000, length: 256 }).cos,
    scale: "diverging",
  },
  "#1/rope?preset=qwen2.5-7b-yarn&view=sine": {
    size: [256, 64],
    values: () => {
      const yarn = { type: "yarn", factor: 4, originalMaxPositionEmbeddings: 32768 };
      return posenc.rope({ headDim: 128, base: 1000000, scaling: yarn }).angles({ length: 256 })
        .sin;
    },
    scale: "diverging",
  },
  "#1/rope?scaling=dynamic_ntk&factor=2": {
    size: [256, 64],
    values: () => {
      const scaling = { type: "dynamic_ntk", factor: 2, maxPositionEmbeddings: 4096 };
      return posenc.rope({ headDim: 128, scaling, length: 8192 }).angles({ length: 256 }).cos;
    },
    scale: "diverging",
  },
  "#1/rope?view=attention&length=32": {
    size: [32, 32],
    values: () => {
      const rows = new Float32Array(32 * 128).fill(1);
      posenc.rope({ headDim: 128 }).apply(rows, { heads: 1, offset: 0 });
      return softmaxRows((q, k) => dot(rows, 128, q, k) / Math.sqrt(128), 32, true);
    },
    scale: "sequential",
    close: true,
  },
  "#1/kerple?length=40": {
    size: [40, 40],
    values: () => posenc.kerple({ heads: 1, p: [1], a: [1] }).bias(range(0, 40)),
    scale: "sequential",
  },
  "#1/kerple?preset=power&causal=false&length=40": {
    size: [40, 40],
    values: () =>
      posenc
        .kerple({ heads: 1, kind: "power", causal: false, p: [0.5], a: [0.3] })
        .bias(range(0, 40)),
    scale: "sequential",
  },
  "#1/alibi": {
    size: [112, 256],
    values: () => {
      const all = posenc.alibi({ heads: 112 }).distances(-255, 256);
      return all.map((_, i) => all[i - (i % 256) + 255 - (i % 256)]);
    },
    scale: "sequential",
  },
  "#1/alibi?preset=mpt-7b&view=bias&head=5&length=48&form=symmetric": {
    size: [48, 48],
    values: () =>
      head(posenc.alibi({ heads: 32, form: "symmetric" }).bias(range(0, 48)), 5, 48 * 48),
    scale: "sequential",
  },
  "#1/alibi?view=bias&head=3&length=48": {
    size: [48, 48],
    values: () => head(posenc.alibi({ heads: 112 }).bias(range(0, 48)), 3, 48 * 48),
    scale: "sequential",
  },
  "#1/alibi?view=attention&head=1&length=32": {
    size: [32, 32],
    values: () => {
      const slope = posenc.alibi({ heads: 112 }).slopes()[1];
      return softmaxRows((q, k) => slope * (k - q), 32, true);
    },
    scale: "sequential",
    close: true,
  },
  "#1/t5": {
    size: [256, 256],
    values: () => {
      const t5 = posenc.t5({ heads: 8, bidirectional: true });
      return Float32Array.from({ length: 256 * 256 }, (_, i) => t5.bucket((i % 256) - (i >> 8)));
    },
    scale: "sequential",
  },
  "#1/t5?preset=t5-small-decoder&view=bias&head=2&length=64": {
    size: [64, 64],
    values: () =>
      head(posenc.t5({ ...t5Small, bidirectional: false }).bias(range(0, 64)), 2, 64 * 64),
    scale: "diverging",
  },
  "#1/nope": {
    size: [32, 32],
    values: () => softmaxRows(() => 0, 32, true),
    scale: "sequential",
    close: true,
  },
  ...SCORE_PICTURES,
  ...GRID_PICTURES,
};
