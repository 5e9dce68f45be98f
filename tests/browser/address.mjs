// The address holds the state: links, reload, back and forward.
import assert from "node:assert/strict";
import { test } from "node:test";
import { choose, openPage, settled, textOf } from "./site.mjs";

const hashOf = (page) => page.evaluate(() => location.hash);

export function addressTests(site) {
  test("a link brings back every setting, and a reload keeps them", async () => {
    const hash = "#1/rope?preset=gpt-neox-20b&view=sine&base=500000&length=64&logDistance=false";
    const { page, problems } = await openPage(site, hash);
    const state = () =>
      page.evaluate(() => [
        document.querySelector("#preset").value,
        document.querySelector('form [name="base"]').value,
        document.querySelector('form [name="length"]').value,
        document.querySelector('[name="view"]:checked').parentElement.textContent.trim(),
      ]);
    const wanted = ["gpt-neox-20b", "500000", "64", "Sines"];
    assert.deepEqual(await state(), wanted);
    await page.reload();
    await settled(page);
    assert.deepEqual(await state(), wanted);
    assert.equal(await hashOf(page), hash);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("the address names only what differs, and goes back and forward", async () => {
    const { page } = await openPage(site);
    await choose(page, "alibi");
    assert.equal(await hashOf(page), "#1/alibi");
    await page.select("#preset", "mpt-7b");
    assert.equal(await hashOf(page), "#1/alibi?preset=mpt-7b");
    await page.click('label:has(input[name="view"]):nth-child(2)');
    assert.equal(await hashOf(page), "#1/alibi?preset=mpt-7b&view=bias");
    await page.focus('form [name="head"]');
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => location.hash.endsWith("&head=30"));
    const heading = async () => {
      await settled(page);
      return [await textOf(page, "h1"), await textOf(page, ".caption")];
    };
    await page.goBack();
    await page.goBack();
    await page.waitForFunction(() => location.hash === "#1/alibi?preset=mpt-7b");
    assert.match((await heading())[1], /^The bias of every head/);
    await page.goBack();
    await page.goBack();
    assert.match((await heading())[0], /^Sinusoidal/);
    await page.goForward();
    await page.waitForFunction(() => document.querySelector("h1").textContent.startsWith("ALiBi"));
    assert.equal(await page.$eval("#preset", ({ value }) => value), "bloom-176b");
    await page.close();
  });

  test("what a link says wrongly stays at its default", async () => {
    for (const hash of [
      "#1/rope?base=ten&layout=odd&view=x&nonsense=1",
      "#2/rope",
      "#%%%",
      "#1/",
    ]) {
      const { page, problems } = await openPage(site, hash);
      assert.equal(await page.$(".failure"), null, hash);
      assert.ok(await page.$("canvas"), hash);
      assert.deepEqual(problems, []);
      await page.close();
    }
  });
}
