// The page for everyone: no axe violation, keyboard alone, small screens, calm loading.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { createServer } from "vite";
import { ENCODINGS, openPage, settled, textOf, viteConfig } from "./site.mjs";

const axeSource = await readFile(createRequire(import.meta.url).resolve("axe-core"), "utf8");

/** Opens everything that can be opened, and brings axe in. */
async function prepare(page) {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
    const sheet = document.querySelector(".sheet");
    if (sheet.offsetParent && sheet.ariaExpanded === "false") sheet.click();
  });
  await page.evaluate(axeSource);
}

/** Waits until colours have changed over. */
async function settledStyles(page) {
  await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)));
}

/** Violations of the whole page, by all of axe's rules or by the named ones. */
async function violations(page, rules) {
  const { violations } = await page.evaluate(
    (runOnly) => window.axe.run(runOnly ? { runOnly } : {}),
    rules,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}

export function accessTests(site) {
  for (const width of [1440, 390]) {
    for (const id of ENCODINGS) {
      test(`axe finds no violation in ${id}, light or dark, ${width} pixels wide`, async () => {
        const { page } = await openPage(site, `#1/${id}`, { width });
        await prepare(page);
        assert.deepEqual(await violations(page), [], "light");
        // The dark theme has the same elements in other colours.
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
        await settledStyles(page);
        assert.deepEqual(await violations(page, ["color-contrast"]), [], "dark");
        await page.close();
      });
    }
  }

  test("axe finds no violation in an error and in an attention view", async () => {
    for (const hash of ["#1/rope?headDim=63", "#1/alibi?view=attention"]) {
      const { page } = await openPage(site, hash);
      await prepare(page);
      assert.deepEqual(await violations(page), [], hash);
      await page.close();
    }
  });

  test("at 360 pixels nothing scrolls sideways", async () => {
    for (const id of ENCODINGS) {
      for (const view of ["", "?view=attention&length=32"]) {
        const { page } = await openPage(site, `#1/${id}${view}`, { width: 360, ratio: 3 });
        await page.click(".sheet");
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= 360, `${id}${view}: ${width}`);
        await page.close();
      }
    }
  });

  test("the picture is crisp: one canvas pixel per device pixel", async () => {
    for (const ratio of [1, 1.5, 2, 3]) {
      const { page } = await openPage(site, "#1/rope", { width: 800, ratio });
      const [pixels, size] = await page.$eval("canvas", (canvas) => {
        const box = canvas.getBoundingClientRect();
        return [
          [canvas.width, canvas.height],
          [box.width, box.height],
        ];
      });
      assert.ok(Math.abs(size[0] * ratio - pixels[0]) < 0.51, `${size} at ${ratio}: ${pixels}`);
      assert.ok(Math.abs(size[1] * ratio - pixels[1]) < 0.51, `${size} at ${ratio}: ${pixels}`);
      await page.close();
    }
  });

  test("the keyboard alone reaches the picture, reads it and changes it", async () => {
    const { page } = await openPage(site, "#1/nope");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter"); // the link that skips to the picture
    await page.keyboard.press("Home");
    const value = () => textOf(page, '[data-testid="value"]');
    for (let i = 0; i < 40; i += 1) await page.keyboard.press("ArrowUp");
    assert.equal(await value(), "1");
    await page.keyboard.press("ArrowRight");
    assert.equal(await value(), "\u2212\u221e");
    await page.keyboard.press("ArrowDown");
    assert.equal(await value(), "0.5");
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.readout [aria-live="polite"]')].some((one) =>
        one.textContent.endsWith("0.5"),
      ),
    );
    const outline = await page.evaluate(
      () => getComputedStyle(document.activeElement).outlineStyle,
    );
    assert.equal(outline, "solid");
    await page.close();
  });

  test("the keyboard alone opens a family and chooses an encoding of it", async () => {
    const { page } = await openPage(site, "#1/nope");
    const focused = () => page.evaluate(() => document.activeElement.textContent.trim());
    await page.focus("nav summary");
    for (let i = 0; i < 20 && !(await focused()).startsWith("Bias"); i += 1) {
      await page.keyboard.press("Tab");
    }
    assert.match(await focused(), /^Bias/);
    await page.keyboard.press("Enter");
    for (let i = 0; i < 20 && (await focused()) !== "T5"; i += 1) await page.keyboard.press("Tab");
    assert.equal(await focused(), "T5");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector("h1").textContent.startsWith("T5"));
    await settled(page);
    const current = await page.$$eval("nav [aria-current]", (all) => all.map((a) => a.textContent));
    assert.deepEqual(current, ["T5"]);
    assert.equal(await focused(), "T5");
    await page.close();
  });

  test("the rail has every encoding once, in a family", async () => {
    const { page } = await openPage(site);
    const links = await page.$$eval("nav details a", (all) => all.map(({ hash }) => hash));
    assert.deepEqual(
      links,
      ENCODINGS.map((id) => `#1/${id}`),
    );
    await page.close();
  });

  test("nothing jumps while the page loads", async () => {
    for (const width of [1440, 390]) {
      for (const hash of ["", "#1/rope", "#1/alibi", "#1/t5?view=bias"]) {
        // So high that the whole page is in sight: only what is seen counts as a shift.
        const { page } = await openPage(site, hash, { width, height: 4000 });
        await new Promise((resolve) => setTimeout(resolve, 300));
        const shifts = await page.evaluate(() => window.shifts);
        assert.ok(shifts < 0.01, `${hash} at ${width}: ${shifts}`);
        await page.close();
      }
    }
  });

  test("reduced motion is respected", async () => {
    const features = [{ name: "prefers-reduced-motion", value: "reduce" }];
    const { page } = await openPage(site, "", { features });
    const durations = await page.evaluate(() =>
      [...document.querySelectorAll("*")].map((one) => getComputedStyle(one).transitionDuration),
    );
    assert.deepEqual([...new Set(durations)], ["0s"]);
    await page.close();
  });

  test("the development server shows the same page", async () => {
    const server = await createServer({ ...viteConfig, server: { port: 0, host: "127.0.0.1" } });
    await server.listen();
    try {
      const address = server.resolvedUrls.local[0];
      const { page, problems } = await openPage({ ...site, address }, "#1/alibi");
      assert.match(await textOf(page, ".library"), /^version \d+\.\d+\.\d+, wasm kernel$/);
      assert.ok(await page.$("canvas"));
      assert.deepEqual(problems, []);
      await page.close();
    } finally {
      await server.close();
    }
  });
}
