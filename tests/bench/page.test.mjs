// The workloads of WebAssembly and JavaScript run in a page, from the modules that Node runs.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { test } from "node:test";
import puppeteer from "puppeteer-core";
import { root } from "../../wasm/toolchain/process.mjs";

const types = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };

/** Serves the checkout, and an empty page at its root. */
async function startServer() {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    response.setHeader("content-type", types[extname(pathname)] ?? "text/html");
    if (pathname === "/") return response.end("<!doctype html><title>bench</title>");
    try {
      response.end(await readFile(join(root, pathname)));
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

/** Runs in the page: rope by posenc and in plain JavaScript, and the limit beside them. */
async function measureInPage() {
  const { load } = await import("/dist/all_web.js");
  const { posencMakers } = await import("/bench/subjects/posenc.mjs");
  const { plainMakers } = await import("/bench/subjects/plain.mjs");
  const { limitMakers } = await import("/bench/subjects/limits.mjs");
  const { resultsOf, secondsOf } = await import("/bench/subjects/measure.mjs");
  const posenc = posencMakers(await load());
  const words = { layout: "half", place: "in", storage: "float32" };
  const shape = { ...words, heads: 2, length: 16, dim: 64 };
  const workloads = [posenc, plainMakers].map((makers) => makers.rope(shape));
  workloads.push(limitMakers.limit_modify({ stores: "plain", bytes: 2 * 4 * 2 * 16 * 64 }));
  const seconds = [];
  for (const workload of workloads) seconds.push(await secondsOf(workload, 100));
  const results = [];
  for (const workload of workloads.slice(0, 2)) results.push([...(await resultsOf(workload))[0]]);
  return { seconds, results };
}

test("A page measures posenc, plain JavaScript and a limit", async () => {
  const server = await startServer();
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const { seconds, results } = await page.evaluate(measureInPage);
    assert.ok(seconds.length === 3 && seconds.every((value) => value >= 0));
    const [posenc, plain] = results;
    assert.equal(posenc.length, 2 * 16 * 64);
    posenc.forEach((value, i) => void assert.ok(Math.abs(value - plain[i]) < 1e-6));
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
});
