// `npm start -- --port 5173 --host localhost`: set-up, the WebAssembly build, then the explorer.
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { Failure, main, root } from "./process.mjs";
import { setUp } from "./setup.mjs";

const options = {
  port: { type: "string", default: "5173" },
  host: { type: "string", default: "localhost" },
};

await main(async () => {
  const { port, host } = readOptions();
  await checkIsFree(port, host);
  setUp();
  await build(["wasm", "package"]);
  const url = await serve(port, host);
  console.log(`\nThe explorer is at ${url}`);
});

function readOptions() {
  try {
    const { values } = parseArgs({ options });
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 1 || port > 65535) {
      throw new Error(`--port must be a number from 1 to 65535, got ${values.port}`);
    }
    return { port, host: values.host };
  } catch (error) {
    throw new Failure(error.message, "Usage: npm start -- [--port 5173] [--host localhost]");
  }
}

/** Says at once what would otherwise be noticed only after the build. */
async function checkIsFree(port, host) {
  const server = createServer().listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new Failure(error.message, `Another port: npm start -- --port ${port + 1}`);
  }
  await new Promise((resolve) => server.close(resolve));
}

/** Starts Vite and returns the page's URL once the page and its scripts have answered. */
async function serve(port, host) {
  const vite = await import("vite");
  const server = await vite.createServer({
    root: join(root, "web"),
    server: { port, host, strictPort: true },
  });
  await server.listen();
  const url = server.resolvedUrls.local[0] ?? server.resolvedUrls.network[0];
  const page = await load(url);
  for (const [, script] of page.matchAll(/<script[^>]+src="([^"]+)"/g)) {
    await load(new URL(script, url));
  }
  return url;
}

async function load(url) {
  const response = await fetch(url, { headers: { accept: "text/html,*/*" } });
  if (!response.ok) throw new Failure(`${url} answers with status ${response.status}.`);
  return response.text();
}
