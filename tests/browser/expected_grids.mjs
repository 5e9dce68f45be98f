// What the panels of grids, windows and tables must show.
import { content, dot, head, layers, posenc, randomTable, SEED } from "./reference.mjs";

/** The row of query cell `cell` of a bias [heads, cells, cells]. */
const fromCell = (values, at, cells) => values.slice(at * cells, (at + 1) * cells);

function swin(side, heads) {
  const table = randomTable((2 * side - 1) ** 2 * heads, 1, 1);
  return posenc.swin({ windowHeight: side, windowWidth: side, heads, table });
}

function swinCpb(config, heads) {
  const [first, last] = layers(2, 512, heads);
  return posenc.swinCpb({ heads, ...config, layers: [first, { weight: last.weight }] });
}

function decomposed(query, key, headDim) {
  const size = Math.sqrt(3 / headDim);
  const rows = (2 * Math.max(query, key) - 1) * headDim;
  const encoding = posenc.decomposed({
    queryHeight: query,
    queryWidth: query,
    keyHeight: key,
    keyWidth: key,
    headDim,
    tableH: randomTable(rows, SEED.table, size),
    tableW: randomTable(rows, SEED.second, size),
  });
  return encoding.scores(content(query * query * headDim, SEED.queries));
}

/** Cells beside the image are padding. */
function detr(config, { height, width, imageWidth }) {
  const mask = Uint8Array.from({ length: height * width }, (_, i) =>
    Number(i % width < imageWidth),
  );
  return posenc
    .detrSine({ numPosFeats: 128, normalize: true, order: "channels_last", ...config })
    .table({ mask, height, width });
}

function layout(positionRows) {
  const rows = (part) => randomTable(1024 * 768, 2001 + 1000 * part, 0.02);
  const boxes = new Int32Array(4 * 24 * 12);
  for (let word = 0; word < 24 * 12; word += 1) {
    const [x, y] = [40 + (word % 12) * (920 / 12), 40 + Math.floor(word / 12) * (920 / 24)];
    const corner = [Math.round(x), Math.round(y)];
    boxes.set([...corner, corner[0] + 61, corner[1] + 23], 4 * word);
  }
  const places = { positionRows: randomTable(512 * 768, 6001, 0.02) };
  const encoding = posenc.layoutBoxes({
    dim: 768,
    xRows: rows(0),
    yRows: rows(1),
    heightRows: rows(2),
    widthRows: rows(3),
    ...(positionRows && places),
  });
  return encoding.table({ boxes, ...(positionRows && { positions: { length: 24 * 12 } }) });
}

/** Section, sentence there and token there of 128 tokens. */
const places = [(t) => t >> 6, (t) => (t >> 4) % 4, (t) => t % 16].map((place) => ({
  positions: Array.from({ length: 128 }, (_, token) => place(token)),
}));

/** One column of a table of a grid that was resized. */
function resized(config, dimension) {
  const { fromHeight: height, fromWidth: width } = config;
  const table = posenc.sincosGrid({ dim: 768 }).table({ height, width });
  const out = posenc.interpolate({ dim: 768, ...config }).apply(table);
  return out.filter((_, i) => i % 768 === dimension);
}

export const GRID_PICTURES = {
  "#1/swin?head=1": {
    size: [49, 49],
    values: () => head(swin(7, 3).bias(), 1, 49 * 49),
    scale: "diverging",
  },
  "#1/swin?view=cell&preset=swin-b-384&row=2&column=9": {
    size: [12, 12],
    values: () => fromCell(swin(12, 4).bias(), 2 * 12 + 9, 144),
    scale: "diverging",
  },
  "#1/swin?view=rows": {
    size: [49, 49],
    values: () => Float32Array.from(swin(7, 3).index()),
    scale: "sequential",
  },
  "#1/swin_cpb?row=5&column=1": {
    size: [8, 8],
    values: () => fromCell(swinCpb({ windowHeight: 8, windowWidth: 8 }, 3).bias(), 41, 64),
    scale: "sequential",
  },
  "#1/swin_cpb?preset=swinv2-b-window12to16&view=cells&head=2": {
    size: [256, 256],
    values: () => {
      const trained = { pretrainedHeight: 12, pretrainedWidth: 12 };
      const bias = swinCpb({ windowHeight: 16, windowWidth: 16, ...trained }, 4).bias();
      return head(bias, 2, 256 * 256);
    },
    scale: "sequential",
  },
  "#1/decomposed": {
    size: [14, 14],
    values: () => fromCell(decomposed(14, 14, 64), 6 * 14 + 4, 196),
    scale: "diverging",
  },
  "#1/decomposed?preset=mvitv2-t&row=10&column=50": {
    size: [14, 14],
    values: () => fromCell(decomposed(56, 14, 96), 10 * 56 + 50, 196),
    scale: "diverging",
  },
  "#1/detr_sine": {
    size: [25, 34],
    values: () => {
      const table = detr({}, { height: 25, width: 34, imageWidth: 25 });
      return Float32Array.from({ length: 850 }, (_, i) =>
        i % 34 < 25 ? dot(table, 256, 9 * 34 + 6, i) : -Infinity,
      );
    },
    scale: "sequential",
  },
  "#1/detr_sine?preset=deformable-detr&view=table&height=6&width=8&imageHeight=6&imageWidth=5&row=0&column=0":
    {
      size: [48, 256],
      values: () => detr({ centered: true }, { height: 6, width: 8, imageWidth: 5 }),
      scale: "diverging",
    },
  "#1/layout_boxes": {
    size: [24, 12],
    values: () => {
      const rows = layout(true);
      return Float32Array.from({ length: 288 }, (_, i) => dot(rows, 768, 8 * 12 + 3, i));
    },
    scale: "sequential",
  },
  "#1/layout_boxes?preset=boxes-only&view=table": {
    size: [288, 768],
    values: () => layout(false),
    scale: "diverging",
  },
  "#1/multiscale?interleaved=true": {
    size: [128, 256],
    values: () => {
      const levels = [{ dim: 64, base: 100 }, { dim: 64, base: 100 }, { dim: 128 }];
      return posenc.multiscale({ levels }).table(places);
    },
    scale: "diverging",
  },
  "#1/multiscale?preset=sum": {
    size: [128, 128],
    values: () => {
      const levels = [{ dim: 128, base: 100 }, { dim: 128, base: 100 }, { dim: 128 }];
      return posenc.multiscale({ levels, combine: "sum", interleaved: false }).table(places);
    },
    scale: "diverging",
  },
  "#1/interpolate?dimension=30": {
    size: [24, 24],
    values: () => resized({ fromHeight: 14, fromWidth: 14, toHeight: 24, toWidth: 24 }, 30),
    scale: "diverging",
  },
  "#1/interpolate?preset=dinov2-base-224&dimension=200": {
    size: [16, 16],
    values: () => {
      const sizes = { fromHeight: 37, fromWidth: 37, toHeight: 16, toWidth: 16 };
      return resized({ ...sizes, sizeOffset: 0.1 }, 200);
    },
    scale: "diverging",
  },
  "#1/interpolate?preset=sequence&table=random&dim=8&dimension=0&fromHeight=32&toHeight=80": {
    size: [80, 8],
    values: () => {
      const sizes = { fromHeight: 32, toHeight: 80, dim: 8 };
      const interpolate = posenc.interpolate({ ...sizes, mode: "linear", alignCorners: true });
      return interpolate.apply(randomTable(32 * 8, 1, 1));
    },
    scale: "diverging",
  },
};
