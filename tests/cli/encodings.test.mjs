// Every option of the encodings that need no trained weights: what the package gives, with the same
// bytes from both builds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "posenc/all";
import { posenc as run } from "./command.mjs";

const posenc = await load();

/** What `verb` makes of an encoding, which is disposed of. */
function valuesOf(encoding, verb) {
  try {
    return verb(encoding);
  } finally {
    encoding.dispose();
  }
}

/** Command: shape and values. */
const cases = {};

function sinusoidal(flags, config, dim = 8) {
  const positions = [-3, 0.5, 7, 1000];
  const values = valuesOf(posenc.sinusoidal({ dim, ...config }), (one) => one.table({ positions }));
  cases[`table sinusoidal --dim ${dim} --positions ${positions} ${flags}`] = [[4, dim], values];
}
sinusoidal("--order cosine_first --scale -0.25", { order: "cosine_first", scale: -0.25 });
sinusoidal("--layout half --order cosine_first --base 100", {
  layout: "half",
  order: "cosine_first",
  base: 100,
});
sinusoidal("--position-scale 1000 --frequency-denominator 6", {
  positionScale: 1000,
  frequencyDenominator: 6,
});
sinusoidal("--layout half --min-timescale 2 --max-timescale 500", {
  layout: "half",
  minTimescale: 2,
  maxTimescale: 500,
});
sinusoidal("--padding-position 7 --odd-width zero", { paddingPosition: 7, oddWidth: "zero" }, 5);

function sincosGrid(flags, shape, config, grid) {
  const values = valuesOf(posenc.sincosGrid(config), (one) => one.table(grid));
  cases[`table sincos_grid ${flags}`] = [shape, values];
}
sincosGrid("--dim 8 --height 2 --width 3", [6, 8], { dim: 8 }, { height: 2, width: 3 });
sincosGrid(
  "--dim 16 --height 2 --width 3 --axis-order xy --prefix-rows 2 --base 500",
  [8, 16],
  { dim: 16, axisOrder: "xy", prefixRows: 2, base: 500 },
  { height: 2, width: 3 },
);
sincosGrid(
  "--dim 12 --axes 3 --layout function_blocks --height 2 --width 3 --depth 2 --first-z 1 --step-z 0.5",
  [12, 12],
  { dim: 12, axes: 3, layout: "function_blocks" },
  { height: 2, width: 3, depth: 2, firstZ: 1, stepZ: 0.5 },
);
sincosGrid(
  "--dim 7 --layout interleaved --frequency-denominator 3 --height 2 --width 2 --cell-order column_major --first-x -1 --first-y 0.25 --step-x 2 --step-y 0.1",
  [4, 7],
  { dim: 7, layout: "interleaved", frequencyDenominator: 3 },
  {
    height: 2,
    width: 2,
    order: "column_major",
    firstX: -1,
    firstY: 0.25,
    stepX: 2,
    stepY: 0.1,
  },
);
sincosGrid("--dim 4 --height 0 --width 3", [0, 4], { dim: 4 }, { height: 0, width: 3 });

function detrSine(flags, shape, config) {
  const image = { height: 3, width: 2, mask: new Uint8Array(6).fill(1) };
  const values = valuesOf(posenc.detrSine(config), (one) => one.table(image));
  cases[`table detr_sine --height 3 --width 2 ${flags}`] = [shape, values];
}
detrSine("--num-pos-feats 4", [8, 3, 2], { numPosFeats: 4 });
detrSine("--normalize --order channels_last", [6, 128], {
  normalize: true,
  order: "channels_last",
});
detrSine(
  "--num-pos-feats 6 --temperature 20 --normalize --scale 3 --eps 0.001 --centered",
  [12, 3, 2],
  {
    numPosFeats: 6,
    temperature: 20,
    normalize: true,
    scale: 3,
    eps: 0.001,
    centered: true,
  },
);

function multiscale(flags, dim, config) {
  const positions = [
    [0, 0, 1.5],
    [4, 5, -2],
  ].map((list) => ({ positions: list }));
  const values = valuesOf(posenc.multiscale(config), (one) => one.table(positions));
  cases[`table multiscale ${flags} --positions 0,0,1.5 --positions 4,5,-2`] = [[3, dim], values];
}
multiscale("--dims 4,6", 10, { levels: [{ dim: 4 }, { dim: 6 }] });
multiscale("--dims 4,6 --bases 100,1000 --scales 1,-0.5 --layout half", 10, {
  levels: [
    { dim: 4, base: 100 },
    { dim: 6, base: 1000, scale: -0.5 },
  ],
  interleaved: false,
});
multiscale("--dims 4,4 --combine sum", 4, { levels: [{ dim: 4 }, { dim: 4 }], combine: "sum" });

const scores = { queries: { offset: 2, length: 3 }, keys: { length: 5 } };

function kerple(flags, config) {
  const values = valuesOf(posenc.kerple({ heads: 2, ...config }), (one) => one.bias(scores));
  cases[`bias kerple --queries 3 --keys 5 ${flags}`] = [[2, 3, 5], values];
}
kerple("--p 1,0.5 --a 2,3", { p: [1, 0.5], a: [2, 3] });
kerple("--kind power --p 1.5,7 --a 0.001,0.1 --form symmetric --minimum 0.01 --p-maximum 2", {
  kind: "power",
  p: [1.5, 7],
  a: [0.001, 0.1],
  causal: false,
  minimum: 0.01,
  pMaximum: 2,
});

function alibi(flags, config, shape = [6, 3, 5], verb = (one) => one.bias(scores)) {
  const positions = shape.length === 3 ? "--queries 3" : "";
  const command = `bias alibi --heads 6 --keys 5 ${positions} ${flags}`;
  cases[command.replace(/ +/g, " ")] = [
    shape,
    valuesOf(posenc.alibi({ heads: 6, ...config }), verb),
  ];
}
const customSlopes = [0.5, 0.25, 0, -1, 3, 0.1];
alibi("--alibi-bias-max 4", { alibiBiasMax: 4 });
alibi("--alibi-heads 3 --form symmetric", { alibiHeads: 3, form: "symmetric" });
alibi(`--custom-slopes ${customSlopes}`, { customSlopes });
alibi("--form falcon_key", {}, [6, 5], (one) => one.falconKeyBias(scores.keys));
alibi("--form key --slopes paper", { slopes: "paper" }, [6, 5], (one) => one.keyBias(scores.keys));

for (const [command, [shape, values]] of Object.entries(cases)) {
  test(command, () => {
    const args = [...command.split(" "), "--format", "json"];
    const native = run("native", args);
    assert.equal(native.stderr, "");
    assert.equal(native.status, 0);
    const { shape: written, data } = JSON.parse(native.stdout);
    assert.deepEqual(written, shape);
    assert.deepEqual(
      Float32Array.from(data, (value) => (value === "-inf" ? -Infinity : value)),
      Float32Array.from(values),
    );
    const npx = run("npx", args);
    assert.equal(npx.stderr, "");
    assert.ok(npx.stdout.equals(native.stdout));
  });
}

test("values that can be told in advance", () => {
  for (const [command, csv] of [
    ["table sincos_grid --dim 4 --height 1 --width 1 --prefix-rows 1", "0,0,0,0\n0,1,0,1\n"],
    ["table sinusoidal --dim 2 --positions 0 --order cosine_first --scale 3", "3,0\n"],
    ["bias kerple --kind power --p 2 --a 0.5 --queries 1 --keys 4", "-4.5,-2,-0.5,0\n"],
    ["bias alibi --heads 1 --custom-slopes 0.5 --queries 2 --keys 2", "0,-inf\n-0.5,0\n"],
    ["bias alibi --heads 2 --alibi-heads 1 --form key --keys 2", "0,0.00390625\n0,0\n"],
  ]) {
    assert.equal(String(run("native", command.split(" ")).stdout), csv, command);
  }
});
