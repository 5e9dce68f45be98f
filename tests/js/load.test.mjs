// Loading: every source, every failure, and hosts that are strict or old.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { load, PosencError } from "posenc";

const url = new URL(import.meta.resolve("posenc/posenc.wasm"));
const bytes = await readFile(url);

function isError(code, ...parts) {
  return (error) => {
    assert.ok(error instanceof PosencError, String(error?.stack));
    assert.equal(error.code, code, error.message);
    for (const part of parts) assert.ok(error.message.includes(part), error.message);
    return true;
  };
}

function works(posenc) {
  assert.deepEqual([...posenc.sinusoidal({ dim: 2 }).table({ length: 1 })], [0, 1]);
}

test("load() gives one instance, load({ wasm }) a new one", async () => {
  const posenc = await load();
  assert.equal(await load(), posenc);
  assert.equal(await load({}), posenc);
  assert.notEqual(await load({ wasm: bytes }), posenc);
});

describe("sources", () => {
  const server = createServer((request, response) => {
    if (request.url === "/posenc.wasm") return response.end(bytes);
    if (request.url === "/spa") return response.end("<!doctype html><title>App</title>");
    response.writeHead(404).end("nothing");
  });
  let origin;
  before(async () => {
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${server.address().port}`;
  });
  after(() => server.close());

  test("a module, bytes, a URL, a path, a response or the promise of one", async () => {
    const exact = new Uint8Array(bytes).buffer;
    const sources = [
      new WebAssembly.Module(bytes),
      bytes,
      exact,
      new DataView(exact),
      url,
      url.href,
      fileURLToPath(url),
      `${origin}/posenc.wasm`,
      new URL(`${origin}/posenc.wasm`),
      await fetch(`${origin}/posenc.wasm`),
      fetch(`${origin}/posenc.wasm`),
      new Response(bytes),
    ];
    for (const wasm of sources) works(await load({ wasm }));
  });

  test("a web page in its place says what to do", async () => {
    const error = isError("WASM_LOAD", "a web page", "optimizeDeps", "load({ wasm: url })");
    await assert.rejects(load({ wasm: `${origin}/spa` }), error);
  });

  test("an answer that is not OK", async () => {
    await assert.rejects(load({ wasm: `${origin}/missing` }), isError("WASM_LOAD", "404"));
  });

  test("a server that is not there", async () => {
    await assert.rejects(load({ wasm: "http://127.0.0.1:1/posenc.wasm" }), isError("WASM_LOAD"));
  });
});

test("a file that is missing, cut or something else", async () => {
  await assert.rejects(load({ wasm: "/nowhere/posenc.wasm" }), isError("WASM_LOAD", "ENOENT"));
  const cut = bytes.subarray(0, 5000);
  await assert.rejects(load({ wasm: cut }), isError("WASM_LOAD", "cannot compile"));
  const text = new TextEncoder().encode("version https://git-lfs");
  await assert.rejects(load({ wasm: text }), isError("WASM_LOAD", "not WebAssembly"));
  await assert.rejects(load({ wasm: new Uint8Array(0) }), isError("WASM_LOAD", "not WebAssembly"));
  const empty = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
  await assert.rejects(load({ wasm: empty }), isError("WASM_LOAD", "does not fit"));
});

test("a source of another type", async () => {
  await assert.rejects(load({ wasm: 5 }), isError("TYPE", "wasm must be", "got 5"));
  await assert.rejects(load({ wasm: Promise.resolve(null) }), isError("TYPE", "got null"));
});

test("a host without SIMD gets one clear error, and load() can be tried again", () => {
  const script = `
    import { load } from "posenc";
    const { validate } = WebAssembly;
    WebAssembly.validate = () => false;
    const error = await load().catch((error) => error);
    WebAssembly.validate = validate;
    const posenc = await load();
    console.log(JSON.stringify({ ...error, message: error.message, kernel: posenc.kernel }));
  `;
  const { code, message, kernel } = JSON.parse(run(["--input-type=module", "--eval", script]));
  assert.equal(code, "SIMD_MISSING");
  assert.match(message, /^load: this host has no WebAssembly SIMD/);
  assert.equal(kernel, "wasm");
});

test("the probe is a valid module with SIMD and nothing else new", async () => {
  const script = `
    import { load } from "posenc";
    const { validate } = WebAssembly;
    const judged = [];
    WebAssembly.validate = (bytes) => judged.push(validate(bytes)) > 0;
    await load();
    console.log(judged.join());
  `;
  assert.equal(run(["--input-type=module", "--eval", script]).trim(), "true");
});

test("runs where code from text is forbidden", () => {
  const script = `
    import { load } from "posenc";
    const posenc = await load();
    const rope = posenc.rope({ headDim: 4 });
    let blocked = false;
    try { Function("return 1")(); } catch { blocked = true; }
    console.log(blocked, rope.apply(new Float32Array(4).fill(1), { offset: 0 }).join());
  `;
  const strict = "--disallow-code-generation-from-strings";
  assert.equal(run([strict, "--input-type=module", "--eval", script]).trim(), "true 1,1,1,1");
});

test("the web entry runs where there is neither window nor process", async () => {
  const script = `
    import { readFile } from "node:fs/promises";
    const wasm = await readFile(${JSON.stringify(fileURLToPath(url))});
    globalThis.process = undefined;
    const { load } = await import(${JSON.stringify(new URL("web.js", url).href)});
    const posenc = await load({ wasm });
    console.log(posenc.sinusoidal({ dim: 2 }).table({ length: 1 }).join());
  `;
  assert.equal(run(["--input-type=module", "--eval", script]).trim(), "0,1");
});

function run(args) {
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  return stdout;
}
