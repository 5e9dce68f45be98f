#!/usr/bin/env node
// `npx posenc`: runs the command's WebAssembly build. Shipped as dist/cli.mjs, beside posenc-cli.mjs
// and posenc-cli.wasm.
//
// The command computes without ever returning to the event loop, so it runs in a worker: this thread
// stays free to notice an interruption and to remove the file that was being written, as the native
// command does.
import { rmSync } from "node:fs";
import { isatty } from "node:tty";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import createCommand from "./posenc-cli.mjs";

if (isMainThread) start();
else await run();

function start() {
  let temporary = "";
  const worker = new Worker(new URL(import.meta.url), {
    workerData: process.argv.slice(2),
    // Left alone, the worker would put standard output into non-blocking mode for its own streams;
    // the command writes to the file descriptors directly.
    stdout: true,
    stderr: true,
  });
  worker.on("message", (message) => {
    if (message.temporary !== undefined) temporary = message.temporary;
    if (message.status !== undefined) process.exitCode = message.status;
  });
  worker.on("error", (error) => {
    if (temporary) rmSync(temporary, { force: true });
    process.exitCode = 1;
    console.error(`posenc: ${error.message}`);
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, async () => {
      await worker.terminate();
      if (temporary) rmSync(temporary, { force: true });
      process.kill(process.pid, signal);
    });
  }
}

async function run() {
  const command = await createCommand({
    preRun: [(module) => Object.assign(module.ENV, process.env)],
    host: {
      removeWhenInterrupted: (path) => parentPort.postMessage({ temporary: path }),
      isTerminal: (descriptor) => isatty(descriptor),
    },
  });
  parentPort.postMessage({ status: command.callMain(workerData) });
}
