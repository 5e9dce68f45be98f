import type { Floats } from "./float_buffer.js";
import { apart, newFloats, sizeOf } from "./floats.js";
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
  memory: Memory,
  owner: string,
  { inputs = {}, out, size }: Buffers,
  verb: (...buffers: FloatScalars[]) => Status,
): Floats {
  try {
    const sources = Object.entries(inputs).map(
      ([field, x]): FloatScalars => [memory.input(owner, field, x), sizeOf(x)],
    );
    const target = out ?? newFloats(owner, "out", size);
    const address = memory.output(owner, "out", target);
    apart(owner, "out", target, Object.values(inputs));
    memory.check(verb(...sources, [address, sizeOf(target)]));
    memory.give(target, address);
    return target;
  } finally {
    memory.close();
  }
}
