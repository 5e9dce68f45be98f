import { expose, transfer } from "comlink";
import { load, type PosencAll, PosencError } from "posenc";
import type {
  AlibiSettings,
  HierarchicalSettings,
  KerpleSettings,
  LearnedSettings,
  NopeSettings,
  RopeSettings,
  SincosGridSettings,
  SinusoidalSettings,
  T5Settings,
} from "../settings";
import type { Failure, Outcome, Request, Result } from "../types";
import { alibi } from "./alibi";
import { hierarchical } from "./hierarchical";
import { Cancelled, Job } from "./job";
import { kerple } from "./kerple";
import { learned } from "./learned";
import { PageError } from "./limits";
import { nope } from "./nope";
import { rope } from "./rope";
import { sincosGrid } from "./sincos_grid";
import { sinusoidal } from "./sinusoidal";
import { t5 } from "./t5";

/** Stages of slices in a request: the picture and the curve. */
const STAGES = 2;

const library: Promise<PosencAll> = load();
let report: (fraction: number) => void = () => {};
let current: Job | undefined;

function evaluate(posenc: PosencAll, job: Job, request: Request): Promise<Result> {
  const { encoding, view, settings } = request;
  switch (encoding) {
    case "sinusoidal":
      return sinusoidal(posenc, job, view, settings as SinusoidalSettings);
    case "sincos_grid":
      return sincosGrid(posenc, job, view, settings as SincosGridSettings);
    case "learned":
      return learned(posenc, job, view, settings as LearnedSettings);
    case "hierarchical":
      return hierarchical(posenc, job, view, settings as HierarchicalSettings);
    case "rope":
      return rope(posenc, job, view, settings as RopeSettings);
    case "alibi":
      return alibi(posenc, job, view, settings as AlibiSettings);
    case "kerple":
      return kerple(posenc, job, view, settings as KerpleSettings);
    case "t5":
      return t5(posenc, job, view, settings as T5Settings);
    case "nope":
      return nope(posenc, job, view, settings as NopeSettings);
  }
}

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
