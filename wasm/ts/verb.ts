import type { AllModule } from "./all_module.js";
import { Call, closing } from "./calls.js";
import type { Floats } from "./float_buffer.js";
import type { Memory } from "./memory.js";
import type { FloatScalars, Status } from "./module.js";

/** What a verb reads, by name, and where it writes. @internal */
export interface Buffers {
  readonly inputs?: Readonly<Record<string, Floats>>;
  readonly out: Floats | undefined;
  /** Elements of an `out` that is not given. */
  readonly size: number;
}

/** Calls a verb of wasm/bindings with its inputs, in order, and its output; gives `out`. @internal */
export function write(
  memory: Memory<AllModule>,
  owner: string,
  { inputs = {}, out, size }: Buffers,
  verb: (...buffers: FloatScalars[]) => Status,
): Floats {
  return closing(memory, () => {
    const call = new Call(memory, owner);
    const sources = Object.entries(inputs).map(([field, x]) => call.input(field, x));
    return call.write(out, size, (...target) => verb(...sources, target));
  });
}
