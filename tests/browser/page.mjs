// The package and the modules of the checkout in a page of Chromium.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import puppeteer from "puppeteer-core";
import { root } from "../../wasm/toolchain/process.mjs";

const types = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };

/** What `work` gives in an empty page, on a server of the checkout. */
export async function inPage(work) {
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    return await page.evaluate(work);
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}

async function answer(request, response) {
  const { pathname } = new URL(request.url, "http://localhost");
  response.setHeader("content-type", types[extname(pathname)] ?? "text/html");
  if (pathname === "/") return response.end("<!doctype html><title>posenc</title>");
  try {
    response.end(await readFile(join(root, pathname)));
  } catch {
    response.writeHead(404).end();
  }
}
