// Every pixel and number on the page is the package's own.
import assert from "node:assert/strict";
import { test } from "node:test";
import { interpolateRdBu, interpolateViridis } from "d3-scale-chromatic";
import { PICTURES } from "./expected.mjs";
import { posenc } from "./reference.mjs";
import { openPage, textOf } from "./site.mjs";

function colourOf(value, scale, [minimum, maximum]) {
  const reach = Math.max(-minimum, maximum);
  const text =
    scale === "diverging"
      ? interpolateRdBu(0.5 + value / (2 * reach))
      : interpolateViridis((value - minimum) / (maximum - minimum));
  if (!text.startsWith("#")) return text.match(/\d+/g).map(Number);
  return [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16));
}

function extremes(values) {
  const finite = [...values].filter(Number.isFinite);
  return [finite.reduce((a, b) => Math.min(a, b)), finite.reduce((a, b) => Math.max(a, b))];
}

/** A value as the page writes it: 7 significant digits, real minus signs. */
export function written(value) {
  if (value === -Infinity) return "\u2212\u221e";
  if (Object.is(value, -0)) return "\u22120";
  return String(Number(value.toPrecision(7))).replace("-", "\u2212");
}

/** A number that the page wrote. */
const read = (text) => Number(text.replace("\u2212", "-").replace("\u221e", "Infinity"));

/** Colours of some cells' middle pixels. */
function pixelsOf(page, cells, [rows, columns]) {
  return page.$eval(
    "canvas",
    (canvas, wanted, down, across) => {
      const context = canvas.getContext("2d");
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      return wanted.map(([row, column]) => {
        const x = Math.floor(((column + 0.5) * canvas.width) / across);
        const y = Math.floor(((row + 0.5) * canvas.height) / down);
        const at = 4 * (y * canvas.width + x);
        return [...data.slice(at, at + 3)];
      });
    },
    cells,
    rows,
    columns,
  );
}

/** Cells spread over a picture, its corners included. */
function someCells([rows, columns]) {
  const cells = [
    [0, 0],
    [0, columns - 1],
    [rows - 1, 0],
    [rows - 1, columns - 1],
  ];
  for (let i = 1; i < 60; i += 1) cells.push([(i * 37) % rows, (i * 101) % columns]);
  return cells;
}

/** Tables whose formulas hold all that a value is computed from, and cells of them. */
const READINGS = {
  "#1/sinusoidal?dim=62&layout=half&length=40&offset=7": [
    [3, 5],
    [30, 40],
    [39, 61],
  ],
  "#1/sincos_grid?view=table&dim=32&height=6&width=8&row=1&column=1&layout=function_blocks": [
    [9, 3],
    [25, 14],
    [47, 21],
    [33, 30],
  ],
  "#1/detr_sine?view=table&height=6&width=8&imageHeight=5&imageWidth=6&row=0&column=0&numPosFeats=16":
    [
      [9, 3],
      [20, 19],
      [15, 8],
      [45, 30],
    ],
  "#1/detr_sine?view=table&preset=deformable-detr&height=6&width=8&imageHeight=5&imageWidth=6&row=0&column=0&numPosFeats=16":
    [
      [9, 3],
      [20, 19],
      [7, 24],
    ],
  "#1/multiscale?length=90&sectionDim=16&sentenceDim=32&tokenDim=48": [
    [70, 3],
    [50, 20],
    [89, 47],
    [33, 90],
  ],
  "#1/multiscale?combine=sum&sectionDim=32&sentenceDim=32&tokenDim=32&length=90&interleaved=true": [
    [70, 3],
    [89, 30],
  ],
  "#1/pope?length=40&offset=3&headDim=32": [
    [5, 3],
    [39, 50],
  ],
};

/** The number that a formula with all of its numbers put in stands for, up to its last "=". */
function evaluated(formula) {
  const right = formula.slice(0, formula.lastIndexOf("=")).replace(/^.*=/, "");
  const script = right
    .replace(/(\d+)\u2212(\d+\/\d+)/g, "$1**(-$2)")
    .replaceAll("\u2212", "-")
    .replaceAll("\u22c5", "*")
    .replace(/ln\s*2/g, "Math.LN2")
    .replace(/(sin|cos)\(/g, "Math.$1(");
  assert.match(script, /^[\d.+\-*/() MathsincoLN]+$/, formula);
  return Function(`return ${script}`)();
}

export function pictureTests(site) {
  for (const [hash, picture] of Object.entries(PICTURES)) {
    test(`${hash} shows the package's numbers, pixel by pixel`, async () => {
      const { size, scale, close } = picture;
      const values = picture.values();
      const { page, problems } = await openPage(site, hash, { ratio: 2 });
      const cells = someCells(size);
      const pixels = await pixelsOf(page, cells, size);
      const ends = extremes(values);
      cells.forEach(([row, column], i) => {
        const value = values[row * size[1] + column];
        if (!Number.isFinite(value)) {
          assert.ok([128, 150].includes(pixels[i][0]), `masked cell ${row}, ${column}`);
          assert.equal(new Set(pixels[i]).size, 1, `masked cell ${row}, ${column} is grey`);
          return;
        }
        const wanted = colourOf(value, scale, ends);
        const apart = Math.max(...wanted.map((part, c) => Math.abs(part - pixels[i][c])));
        assert.ok(apart <= 3, `cell ${row}, ${column} = ${value}: ${pixels[i]} for ${wanted}`);
      });
      const legend = await page.$$eval(".scale .end", (ends) => ends.map((end) => end.textContent));
      legend.forEach((text, i) => {
        if (close) assert.ok(Math.abs(read(text) / ends[i] - 1) < 1e-5, `${text} for ${ends[i]}`);
        else assert.equal(text, written(ends[i]));
      });
      assert.deepEqual(problems, []);
      await page.close();
    });
  }

  test("hovering reads the value of the cell under the pointer", async () => {
    const { page } = await openPage(site, "#1/rope");
    const { cos } = posenc.rope({ headDim: 128 }).angles({ length: 256 });
    const box = await (await page.$("canvas")).boundingBox();
    for (const [row, column] of [
      [3, 5],
      [200, 60],
      [0, 0],
      [255, 63],
    ]) {
      const x = box.x + ((column + 0.5) * box.width) / 64;
      const y = box.y + ((row + 0.5) * box.height) / 256;
      await page.mouse.move(x, y);
      assert.equal(await textOf(page, '[data-testid="value"]'), written(cos[row * 64 + column]));
      const words = await textOf(page, ".readout .what");
      assert.match(words, new RegExp(`^position ${row}, pair ${column} `));
      const formula = await textOf(page, ".readout math");
      assert.ok(formula.startsWith(`cos(${row}\u22c510000\u2212${2 * column}/128)=`), formula);
    }
    await page.close();
  });

  for (const [hash, cells] of Object.entries(READINGS)) {
    test(`${hash}: the formula with a cell's numbers gives the cell's value`, async () => {
      const { page } = await openPage(site, hash);
      const [rows, columns] = (await textOf(page, ".legend .note"))
        .match(/[\d,]+ . [\d,]+/)[0]
        .split(" \u00d7 ")
        .map((text) => Number(text.replace(",", "")));
      const box = await (await page.$("canvas")).boundingBox();
      for (const [row, column] of cells) {
        const x = box.x + ((column + 0.5) * box.width) / columns;
        const y = box.y + ((row + 0.5) * box.height) / rows;
        await page.mouse.move(x, y);
        const formula = await textOf(page, ".readout math");
        const value = read(await textOf(page, '[data-testid="value"]'));
        assert.ok(Math.abs(evaluated(formula) - value) < 2e-6, `${row}, ${column}: ${formula}`);
      }
      await page.close();
    });
  }

  test("the curve and its table are the package's numbers", async () => {
    const { page } = await openPage(site, "#1/rope?preset=gpt-neox-20b");
    const { cos } = posenc.rope({ headDim: 96, rotaryDim: 24 }).angles({ length: 4096 });
    const rows = await page.$$eval(".curve tbody tr", (lines) =>
      lines.map((line) => [...line.children].map((cell) => cell.textContent)),
    );
    assert.equal(rows.length, 14); // 0, the powers of two up to 2,048, and 4,095
    for (const [distance, text] of rows) {
      const at = read(distance);
      let sum = 0;
      for (let pair = 0; pair < 12; pair += 1) sum += cos[at * 12 + pair];
      assert.equal(text, written(Math.fround((2 * sum + 72) / 96)), `distance ${distance}`);
    }
    await page.close();
  });

  test("a curve of a single value is drawn, its value in the middle", async () => {
    const { page, problems } = await openPage(site, "#1/shaw?length=1");
    const [left, right, at] = await page.$eval(".curve svg", (svg) => {
      const circle = svg.querySelector("circle");
      return [0, svg.clientWidth, Number(circle.getAttribute("cx"))];
    });
    assert.ok(at > left && at < right, `${at} of ${right}`);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a curve of a bias shows the chosen head", async () => {
    const { page } = await openPage(site, "#1/alibi?head=7");
    const rows = await page.$$eval(".curve tbody tr", (lines) =>
      lines.map((line) => [...line.children].slice(0, 2).map((cell) => cell.textContent)),
    );
    const all = posenc.alibi({ heads: 112 }).distances(-4095, 4096);
    for (const [distance, text] of rows) {
      assert.equal(text, written(all[7 * 4096 + 4095 - read(distance)]), `distance ${distance}`);
    }
    await page.close();
  });

  test("the sentences speak of the numbers", async () => {
    const { page } = await openPage(site, "#1/rope?preset=gpt-neox-20b");
    const frequencies = posenc.rope({ headDim: 96, rotaryDim: 24 }).invFreq();
    const slow = frequencies.filter((one) => (2 * Math.PI) / one > 2048).length;
    const words = await textOf(page, "aside ul");
    assert.ok(words.includes(`${slow} of 12 pairs never get round within 2,048 tokens`), words);
    assert.ok(words.includes("72 of 96 dims of a head are not rotated"), words);
    await page.close();
  });

  test("saved files hold the picture", async () => {
    const { page } = await openPage(site, "#1/sinusoidal?dim=6&length=5");
    await page.evaluate(() => {
      window.saved = [];
      const make = URL.createObjectURL;
      URL.createObjectURL = (blob) => {
        window.saved.push(blob);
        return make.call(URL, blob);
      };
    });
    const save = async (label) => {
      await page.evaluate((text) => {
        window.saved.length = 0;
        const buttons = [...document.querySelectorAll("button")];
        buttons.find((button) => button.textContent === text).click();
      }, label);
      await page.waitForFunction(() => window.saved.length > 0);
      const bytes = await page.evaluate(async () => [
        ...new Uint8Array(await window.saved[0].arrayBuffer()),
      ]);
      return Buffer.from(bytes);
    };
    const values = posenc.sinusoidal({ dim: 6 }).table({ length: 5 });
    const npy = await save("NPY");
    assert.equal(npy.length, 128 + 4 * 30);
    assert.match(
      npy.toString("latin1", 10, 128),
      /'<f4', 'fortran_order': False, 'shape': \(5, 6\)/,
    );
    assert.deepEqual(npy.subarray(128), Buffer.from(values.buffer));
    const lines = (await save("CSV")).toString().trim().split("\n");
    assert.equal(lines.length, 6);
    assert.deepEqual(lines[3].split(",").map(Number).map(Math.fround), [
      2,
      ...values.slice(12, 18),
    ]);
    assert.equal((await save("PNG")).toString("latin1", 1, 4), "PNG");
    await page.close();
  });
}
