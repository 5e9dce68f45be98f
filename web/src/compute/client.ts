import { proxy, wrap } from "comlink";
import type { Outcome, Request } from "../types";
import type { ExplorerWorker } from "./worker";

const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
const remote = wrap<ExplorerWorker>(worker);

/** Loads the library in the worker. `listen` hears the part of a running request done, 0 to 1. */
export function connect(
  listen: (fraction: number) => void,
): Promise<{ version: string; kernel: string }> {
  return new Promise((resolve, reject) => {
    worker.addEventListener("error", ({ message }) => {
      reject(new Error(message || "page: the worker that computes could not start"));
    });
    remote.connect(proxy(listen)).then(resolve, reject);
  });
}

/** Computes in the worker; a newer request ends this one with status "cancelled". */
export function compute(request: Request): Promise<Outcome> {
  return remote.compute(request);
}

export function cancel(): void {
  void remote.cancel();
}
