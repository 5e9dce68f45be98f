// Controls do what they say, and errors are the library's own words beside the control.
import assert from "node:assert/strict";
import { test } from "node:test";
import { PUBLISHED } from "./published.mjs";
import { layers, posenc } from "./reference.mjs";
import { choose, ENCODINGS, openPage, settled, textOf } from "./site.mjs";

const PARAMETER = (name) => `form [name="${name}"]`;

async function type(page, name, text) {
  const input = await page.$(PARAMETER(name));
  await input.click({ count: 3 });
  await page.keyboard.type(text);
  await settled(page);
}

function messageOf(make) {
  try {
    make();
  } catch (error) {
    return error.message;
  }
  return "";
}

export function controlTests(site) {
  for (const [encoding, presets] of Object.entries(PUBLISHED)) {
    test(`presets of ${encoding} set the published parameters`, async () => {
      const { page, problems } = await openPage(site, `#1/${encoding}`);
      const offered = await page.$$eval("#preset option", (all) => all.map(({ value }) => value));
      assert.deepEqual(offered, Object.keys(presets));
      for (const [preset, parameters] of Object.entries(presets)) {
        await page.select("#preset", preset);
        await settled(page);
        for (const [name, value] of Object.entries(parameters)) {
          // The value of the chosen one, where a control is several radio buttons.
          const chosenOf = ({ form, name }) => form.elements[name].value;
          const shown = await page.$eval(PARAMETER(name), chosenOf);
          assert.equal(shown, value, `${preset}: ${name}`);
        }
        assert.equal(await page.$(".failure"), null);
      }
      assert.deepEqual(problems, []);
      await page.close();
    });
  }

  test("every encoding and view can be chosen and draws", async () => {
    const { page, problems } = await openPage(site);
    for (const id of [...ENCODINGS.slice(1), "sinusoidal"]) {
      await choose(page, id);
      const views = await page.$$('input[name="view"]');
      for (const view of views.length > 0 ? views : [undefined]) {
        await view?.click();
        await settled(page);
        await page.waitForSelector("canvas");
        assert.equal(await page.$(".failure"), null, id);
      }
    }
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a typed number changes the picture, and so does the slider", async () => {
    const { page } = await openPage(site, "#1/rope");
    await type(page, "headDim", "64");
    assert.match(await textOf(page, ".legend .note"), /256 . 32 values/);
    await page.focus('input[type="range"][aria-label="Head width, slider"]');
    await page.keyboard.press("ArrowRight");
    await settled(page);
    assert.equal(await page.$eval(PARAMETER("headDim"), ({ value }) => value), "80");
    assert.match(await textOf(page, ".legend .note"), /256 . 40 values/);
    await page.close();
  });

  test("an edited preset says so and can be taken back", async () => {
    const { page } = await openPage(site, "#1/rope?preset=gpt-j-6b&base=500");
    assert.match(await textOf(page, ".edited"), /^Edited\./);
    await page.click(".edited button");
    await settled(page);
    assert.equal(await page.$eval(PARAMETER("base"), ({ value }) => value), "10000");
    assert.equal(await textOf(page, ".edited"), "");
    await page.close();
  });

  const wrong = [
    ["rope", "headDim", "63", () => posenc.rope({ headDim: 63 })],
    ["rope", "rotaryDim", "130", () => posenc.rope({ headDim: 128, rotaryDim: 130 })],
    ["rope", "base", "0", () => posenc.rope({ headDim: 128, base: 0 })],
    [
      "rope?scaling=linear",
      "factor",
      "-1",
      () => posenc.rope({ headDim: 128, scaling: { type: "linear", factor: -1 } }),
    ],
    [
      "rope?scaling=yarn&factor=4",
      "originalLength",
      "0",
      () => {
        const scaling = { type: "yarn", factor: 4, originalMaxPositionEmbeddings: 0 };
        posenc.rope({ headDim: 128, scaling });
      },
    ],
    ["sinusoidal", "dim", "0", () => posenc.sinusoidal({ dim: 0 })],
    ["sinusoidal", "dim", "1.5", () => posenc.sinusoidal({ dim: 1.5 })],
    ["sincos_grid", "dim", "6", () => posenc.sincosGrid({ dim: 6 })],
    [
      "hierarchical",
      "alpha",
      "1",
      () => posenc.hierarchical({ rows: new Float32Array(4), dim: 1, alpha: 1 }),
    ],
    ["alibi", "heads", "0", () => posenc.alibi({ heads: 0 })],
    ["kerple", "p", "-1", () => posenc.kerple({ heads: 1, p: [-1], a: [1] })],
    ["t5", "numBuckets", "2", () => posenc.t5({ heads: 8, bidirectional: true, numBuckets: 2 })],
    [
      "fire",
      "threshold",
      "-1",
      () => posenc.fire({ heads: 1, threshold: -1, layers: layers(1, 1) }),
    ],
    ["swin", "heads", "0", () => posenc.swin({ windowHeight: 7, windowWidth: 7, heads: 0 })],
    [
      "shaw",
      "maxRelativePosition",
      "2048",
      () => posenc.shaw({ headDim: 64, maxRelativePosition: 2048, keys: new Float32Array() }),
    ],
    ["pope", "base", "0.5", () => posenc.pope({ heads: 1, headDim: 64, base: 0.5 })],
    ["detr_sine", "numPosFeats", "3", () => posenc.detrSine({ numPosFeats: 3 })],
    [
      "multiscale",
      "tokenDim",
      "3",
      () => posenc.multiscale({ levels: [{ dim: 64 }, { dim: 64 }, { dim: 3 }] }),
    ],
    [
      "interpolate?alignCorners=true",
      "sizeOffset",
      "0.1",
      () => {
        const sizes = { fromHeight: 14, toHeight: 24, dim: 1 };
        posenc.interpolate({ ...sizes, alignCorners: true, sizeOffset: 0.1 });
      },
    ],
    ["t5", "maxDistance", "4", () => posenc.t5({ heads: 8, bidirectional: true, maxDistance: 4 })],
    [
      "learned",
      "length",
      "513",
      () => posenc.learned({ rows: new Float32Array(512), dim: 1 }).table({ length: 513 }),
    ],
  ];
  for (const [encoding, name, text, make] of wrong) {
    test(`${encoding}: ${name} ${text} is refused in the library's words, at the control`, async () => {
      const { page, problems } = await openPage(site, `#1/${encoding}`);
      await type(page, name, text);
      const message = messageOf(make);
      assert.notEqual(message, "");
      const input = await page.$(PARAMETER(name));
      assert.equal(await input.evaluate((one) => one.getAttribute("aria-invalid")), "true");
      const note = await input.evaluate(
        (one) => document.getElementById(one.getAttribute("aria-describedby")).textContent,
      );
      assert.equal(note.trim(), message);
      assert.equal(await textOf(page, ".failure strong"), message);
      assert.deepEqual(problems, []);
      await page.close();
    });
  }

  test("a slider that keeps moving shows what it passes", async () => {
    const { page } = await openPage(site, "#1/rope");
    const seen = await page.evaluate(async () => {
      const notes = new Set();
      const slider = document.querySelector('[aria-label="Head width, slider"]');
      const note = document.querySelector(".legend .note");
      for (let i = 0; i < 120; i += 1) {
        slider.value = String(i % 12);
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        await new Promise((resolve) => requestAnimationFrame(resolve));
        notes.add(note.textContent);
      }
      return notes.size;
    });
    assert.ok(seen > 3, `${seen} pictures`);
    await page.close();
  });

  test("work over 100 ms shows its progress and can be cancelled", async () => {
    const { page } = await openPage(site);
    await page.evaluate(() => {
      location.hash = "#1/sinusoidal?dim=4096&curveLength=65536";
    });
    await page.waitForSelector("progress");
    await page.evaluate(() => {
      const buttons = [...document.querySelectorAll("button")];
      buttons.find((button) => button.textContent === "Cancel").click();
    });
    await settled(page);
    assert.match(
      await textOf(page, ".progress"),
      /^Cancelled: the picture shows the settings before\./,
    );
    await type(page, "curveLength", "64");
    assert.equal(await page.$(".progress.shown"), null);
    await page.close();
  });

  test("the theme's switch is remembered", async () => {
    const { page } = await openPage(site);
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.click('[role="switch"]');
    const dark = await background();
    assert.notEqual(light, dark);
    await page.reload();
    await settled(page);
    assert.equal(await background(), dark);
    await page.evaluate(() => localStorage.clear());
    await page.close();
  });
}
