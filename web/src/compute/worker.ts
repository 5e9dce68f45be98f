import { expose, transfer } from "comlink";
import { load, type PosencAll, PosencError } from "posenc";
import type { Failure, Outcome, Request, Result } from "../types";
import { evaluate } from "./encodings";
import { Cancelled, Job } from "./job";
import { PageError } from "./limits";

/** Stages of slices in a request: the picture and the curve. */
const STAGES = 2;

const library: Promise<PosencAll> = load();
let report: (fraction: number) => void = () => {};
let current: Job | undefined;

function failureOf(error: unknown): Failure {
  if (error instanceof PosencError || error instanceof PageError) {
    return { field: error.field, message: error.message };
  }
  return { field: "", message: error instanceof Error ? error.message : String(error) };
}

function buffersOf({ picture, curve }: Result): ArrayBufferLike[] {
  return [picture.values.buffer, ...curve.lines.map((line) => line.values.buffer)];
}

const explorer = {
  /** Loads the library; says its version and kernel. `listen` hears the part of a request done. */
  async connect(listen: (fraction: number) => void): Promise<{ version: string; kernel: string }> {
    report = listen;
    const { version, kernel } = await library;
    return { version, kernel };
  },

  /** Computes a request; a newer one ends it. */
  async compute(request: Request): Promise<Outcome> {
    current?.cancel();
    const job = new Job(STAGES, (fraction) => report(fraction));
    current = job;
    try {
      const result = await evaluate(await library, job, request);
      return transfer({ status: "ready", result }, buffersOf(result) as ArrayBuffer[]);
    } catch (error) {
      if (error instanceof Cancelled) return { status: "cancelled" };
      return { status: "failed", failure: failureOf(error) };
    }
  },

  cancel(): void {
    current?.cancel();
  },
};

export type ExplorerWorker = typeof explorer;

expose(explorer);
