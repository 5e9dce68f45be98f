// The explorer as a visitor gets it: built, served under its strict policy, opened in Chromium.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";
import { build } from "vite";

const root = fileURLToPath(new URL("../..", import.meta.url));
const outDir = join(root, "build/browser-test");

const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
].join("; ");

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

export const viteConfig = { configFile: join(root, "web/vite.config.ts"), logLevel: "error" };

/** What the page must offer, in its order. */
export const ENCODINGS = [
  "sinusoidal",
  "sincos_grid",
  "detr_sine",
  "learned",
  "hierarchical",
  "multiscale",
  "layout_boxes",
  "rope",
  "pope",
  "alibi",
  "kerple",
  "fire",
  "t5",
  "dynamic_position_bias",
  "swin",
  "swin_cpb",
  "shaw",
  "deberta",
  "transformer_xl",
  "decomposed",
  "cope",
  "gated_position_bias",
  "forgetting_bias",
  "interpolate",
  "nope",
];

/** Builds the page, serves it, starts Chromium. */
export async function startSite() {
  await build({ ...viteConfig, build: { outDir, emptyOutDir: true } });
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  return { browser, address: `http://127.0.0.1:${server.address().port}/`, server };
}

export async function stopSite({ browser, server }) {
  await browser.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

async function answer(request, response) {
  const { pathname } = new URL(request.url, "http://localhost");
  try {
    const file = join(outDir, pathname === "/" ? "index.html" : decodeURIComponent(pathname));
    const body = await readFile(file);
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, "content-security-policy": POLICY });
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
}

/**
 * Opens the page at a hash and waits for its picture. `problems` collects what must not happen:
 * errors in the console or of the page, requests that fail or go elsewhere.
 */
export async function openPage({ browser, address }, hash = "", options = {}) {
  const {
    width = 1440,
    height = 1000,
    theme = "light",
    ratio = 1,
    features = [],
    wait = true,
  } = options;
  const page = await browser.newPage();
  const problems = [];
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("requestfailed", (request) => problems.push(`failed: ${request.url()}`));
  page.on("response", (response) => {
    const url = response.url();
    if (response.status() >= 400) problems.push(`${response.status()}: ${url}`);
    if (!/^(blob|data):/.test(url) && !url.startsWith(address)) problems.push(`elsewhere: ${url}`);
  });
  await page.setViewport({ width, height, deviceScaleFactor: ratio });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }, ...features]);
  await page.evaluateOnNewDocument(keepShifts);
  await page.goto(address + hash);
  if (wait) await settled(page);
  return { page, problems };
}

/** Keeps a sum of the layout shifts of the page's whole life. */
function keepShifts() {
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifts += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
}

/** Waits until what is on the page belongs to its settings. */
export async function settled(page) {
  await page.waitForSelector('figure[aria-busy="false"]');
}

/** Chooses an encoding in the rail, as a visitor does: the family first where it is closed. */
export async function choose(page, id) {
  const family = await page.$(`nav details:has(a[href="#1/${id}"])`);
  if (!(await family.evaluate((one) => one.open))) await (await family.$("summary")).click();
  await (await family.$(`a[href="#1/${id}"]`)).click();
}

/** The text of the first element that fits. */
export function textOf(page, selector) {
  return page.$eval(selector, (element) => element.textContent.trim());
}
