// What no rope can be made of.
import { posenc } from "./fixture.mjs";

export const ropeConfigs = {
  "an odd head_dim": [
    () => posenc.rope({ headDim: 63 }),
    "VALUE_RANGE",
    "headDim",
    "rope: head_dim must be even, got 63",
  ],
  "no head_dim": [() => posenc.rope({}), "TYPE", "headDim", "got undefined"],
  "a head_dim that is text": [
    () => posenc.rope({ headDim: "64" }),
    "TYPE",
    "headDim",
    'rope: head_dim must be a whole number, got "64"',
  ],
  "a head_dim that is a bigint": [() => posenc.rope({ headDim: 64n }), "TYPE", "headDim", "64n"],
  "a fraction of a head": [
    () => posenc.rope({ headDim: 64.5 }),
    "VALUE_RANGE",
    "headDim",
    "rope: head_dim must be a whole number from 0 to 2147483647, got 64.5",
  ],
  "a negative head_dim": [() => posenc.rope({ headDim: -2 }), "VALUE_RANGE", "headDim", "got -2"],
  "a head_dim beyond 32 bits": [
    () => posenc.rope({ headDim: 2 ** 32 + 64 }),
    "VALUE_RANGE",
    "headDim",
    "4294967360",
  ],
  "a head_dim that is NaN": [() => posenc.rope({ headDim: NaN }), "VALUE_RANGE", "headDim", "NaN"],
  "a base that is NaN": [
    () => posenc.rope({ headDim: 4, base: NaN }),
    "VALUE_RANGE",
    "base",
    "nan",
  ],
  "a base that is text": [() => posenc.rope({ headDim: 4, base: "1e4" }), "TYPE", "base", '"1e4"'],
  "a layout of another name": [
    () => posenc.rope({ headDim: 4, layout: "neox" }),
    "VALUE_RANGE",
    "layout",
    'rope: layout must be one of "half", "interleaved", got "neox"',
  ],
  "a layout that is a number": [
    () => posenc.rope({ headDim: 4, layout: 1 }),
    "TYPE",
    "layout",
    "1",
  ],
  "a scaling of another name": [
    () => posenc.rope({ headDim: 4, scaling: { type: "magic" } }),
    "VALUE_RANGE",
    "scaling.type",
    '"magic"',
  ],
  "a scaling without its factor": [
    () => posenc.rope({ headDim: 4, scaling: { type: "linear" } }),
    "TYPE",
    "scaling.factor",
    "got undefined",
  ],
  "a scaling of factor 0": [
    () => posenc.rope({ headDim: 4, scaling: { type: "linear", factor: 0 } }),
    "VALUE_RANGE",
    "scaling.factor",
    "got 0",
  ],
  "a scaling that is a word": [
    () => posenc.rope({ headDim: 4, scaling: "linear" }),
    "TYPE",
    "scaling.type",
  ],
  "an option of another scaling": [
    () => posenc.rope({ headDim: 4, scaling: { type: "linear", factor: 2, betaFast: 3 } }),
    "TYPE",
    "betaFast",
  ],
  "factors of another number": [
    () =>
      posenc.rope({
        headDim: 4,
        scaling: {
          type: "long_rope",
          shortFactor: [1],
          longFactor: [1, 1],
          originalMaxPositionEmbeddings: 8,
        },
      }),
    "SHAPE",
    "scaling.shortFactor",
  ],
  "factors that are text": [
    () =>
      posenc.rope({
        headDim: 4,
        scaling: { type: "custom_frequencies", invFreq: ["1", 1] },
      }),
    "TYPE",
    "scaling.invFreq",
  ],
  "an attention factor that is NaN": [
    () =>
      posenc.rope({
        headDim: 4,
        scaling: {
          type: "yarn",
          factor: 2,
          originalMaxPositionEmbeddings: 8,
          attentionFactor: NaN,
        },
      }),
    "VALUE_RANGE",
    "scaling.attentionFactor",
  ],
  "two sections": [
    () => posenc.rope({ headDim: 4, axes: { type: "mrope", sections: [1, 1] } }),
    "TYPE",
    "axes.sections",
  ],
  "a misspelt option": [
    () => posenc.rope({ headDim: 4, rotarydim: 2 }),
    "TYPE",
    "rotarydim",
    'rope: there is no option "rotarydim"',
  ],
  "a config that is none": [() => posenc.rope(64), "TYPE", "config", "got 64"],
  "a rotary_dim beyond head_dim": [
    () => posenc.rope({ headDim: 4, rotaryDim: 6 }),
    "VALUE_RANGE",
    "rotaryDim",
    "rotary_dim",
  ],
};
