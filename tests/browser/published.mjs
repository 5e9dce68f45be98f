// Published parameters, which the presets must set.

/** Published parameters, by encoding and preset: the values that the controls must take. */
export const PUBLISHED = {
  sinusoidal: {
    "transformer-base": { dim: "512", base: "10000", layout: "interleaved", denominator: "dim" },
    "transformer-big": { dim: "1024", base: "10000", layout: "interleaved", denominator: "dim" },
    "opus-mt-en-zh": { dim: "512", layout: "half", denominator: "dim", trainedLength: "512" },
    "whisper-base": { dim: "512", layout: "half", denominator: "dim-2", trainedLength: "1500" },
  },
  sincos_grid: {
    "mae-vit-base": { dim: "768", height: "14", width: "14", axisOrder: "xy" },
    "mae-vit-huge": { dim: "1280", height: "16", width: "16", axisOrder: "xy" },
  },
  hierarchical: { "bert-base-long": { rows: "512", dim: "768", alpha: "0.4" } },
  learned: {
    "bert-base": { rows: "512", dim: "768", rowOffset: "0" },
    gpt2: { rows: "1024", dim: "768", rowOffset: "0" },
    "roberta-base": { rows: "514", dim: "768", rowOffset: "2" },
  },
  rope: {
    "llama-2-7b": {
      headDim: "128",
      rotaryDim: "0",
      base: "10000",
      layout: "half",
      scaling: "none",
    },
    "gpt-neox-20b": { headDim: "96", rotaryDim: "24", base: "10000", layout: "half" },
    "gpt-j-6b": { headDim: "256", rotaryDim: "64", base: "10000", layout: "interleaved" },
    "vicuna-13b-16k": { headDim: "128", scaling: "linear", factor: "4", trainedLength: "16384" },
    "llama-3.1-8b": { base: "500000", scaling: "llama3", factor: "8", originalLength: "8192" },
    "qwen2.5-7b-yarn": { base: "1000000", scaling: "yarn", factor: "4", originalLength: "32768" },
  },
  alibi: {
    "bloom-176b": { heads: "112", slopes: "checkpoint", form: "causal", trainedLength: "2048" },
    "mpt-7b": { heads: "32", slopes: "checkpoint", form: "causal", trainedLength: "2048" },
  },
  kerple: {
    log: { kind: "log", p: "1", a: "1", causal: "true" },
    power: { kind: "power", p: "0.5", a: "0.3", causal: "true" },
  },
  t5: {
    "t5-small-encoder": {
      heads: "8",
      numBuckets: "32",
      maxDistance: "128",
      bidirectional: "true",
    },
    "t5-small-decoder": {
      heads: "8",
      numBuckets: "32",
      maxDistance: "128",
      bidirectional: "false",
    },
  },
  detr_sine: {
    "detr-r50": { numPosFeats: "128", temperature: "10000", normalize: "true", centered: "false" },
    "deformable-detr": { numPosFeats: "128", normalize: "true", centered: "true" },
  },
  layout_boxes: {
    "layoutlm-base": { dim: "768", rows: "1024", positionRows: "512" },
    "boxes-only": { dim: "768", rows: "1024", positionRows: "0" },
  },
  fire: {
    paper: { heads: "12", hidden: "32", c: "0.1", threshold: "512" },
    "no-threshold": { threshold: "0" },
  },
  dynamic_position_bias: {
    distance: { heads: "8", hidden: "128", logInput: "false" },
    "log-distance": { logInput: "true" },
  },
  swin: {
    "swin-t": { windowHeight: "7", windowWidth: "7", heads: "3" },
    "swin-b-384": { windowHeight: "12", windowWidth: "12", heads: "4" },
  },
  swin_cpb: {
    "swinv2-t-window8": { windowHeight: "8", pretrained: "0", hidden: "512", heads: "3" },
    "swinv2-b-window12to16": {
      windowHeight: "16",
      windowWidth: "16",
      pretrained: "12",
      heads: "4",
    },
  },
  shaw: {
    base: { headDim: "64", maxRelativePosition: "16" },
    big: { headDim: "64", maxRelativePosition: "8" },
  },
  deberta: {
    "deberta-v3-base": { headDim: "64", positionBuckets: "256", maxRelativePositions: "512" },
    "deberta-base": { headDim: "64", positionBuckets: "0", maxRelativePositions: "512" },
  },
  transformer_xl: {
    "transformer-xl-base": { dModel: "410", headDim: "41", variant: "transformer-xl" },
    "transformer-xl-large": { dModel: "1024", headDim: "64", variant: "transformer-xl" },
    "xlnet-base": { dModel: "768", headDim: "64", variant: "xlnet", memory: "0" },
  },
  decomposed: {
    "sam-vit-b-window": { queryHeight: "14", keyWidth: "14", headDim: "64" },
    "sam-vit-b-global": { queryHeight: "64", keyWidth: "64", headDim: "64" },
    "sam-vit-h-window": { queryHeight: "14", keyWidth: "14", headDim: "80" },
    "mvitv2-t": { queryHeight: "56", queryWidth: "56", keyHeight: "14", headDim: "96" },
  },
  gated_position_bias: {
    "wavlm-base": { heads: "12", headDim: "64", numBuckets: "320", maxDistance: "800" },
    "wavlm-large": { heads: "16", headDim: "64", numBuckets: "320", maxDistance: "800" },
  },
  interpolate: {
    "vit-base-384": {
      fromHeight: "14",
      toWidth: "24",
      dim: "768",
      mode: "cubic",
      antialias: "false",
    },
    "dinov2-base-224": { fromHeight: "37", toHeight: "16", sizeOffset: "0.1", antialias: "false" },
    "timm-smaller": { fromHeight: "24", toHeight: "14", mode: "cubic", antialias: "true" },
    "qwen3-vl-8b": { fromHeight: "48", dim: "1152", mode: "linear", alignCorners: "true" },
    sequence: { fromHeight: "512", fromWidth: "1", toHeight: "1024", toWidth: "1", mode: "linear" },
  },
};
