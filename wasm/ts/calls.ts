import type { AllModule } from "./all_module.js";
import type { ScorePositions } from "./bias.js";
import { count } from "./check.js";
import type { Floats, Floats32 } from "./float_buffer.js";
import { apart, lengthOf, newFloats, sizeOf } from "./floats.js";
import type { Memory } from "./memory.js";
import type { FloatScalars, Pointer, Status } from "./module.js";
import type { IntScalars, ScorePositionScalars } from "./relative_module.js";
import { wholes32 } from "./wholes.js";

/** The result of a call, whose scratch is given back. @internal */
export function closing<Result>(memory: Memory<AllModule>, call: () => Result): Result {
  try {
    return call();
  } finally {
    memory.close();
  }
}

/** Heads of a tensor of `row` elements each; at least 1 so that a wrong length fails. @internal */
export function headsOf(x: Floats, row: number): number {
  return row === 0 ? 1 : Math.max(1, Math.floor(lengthOf(x) / row));
}

/** The arguments of one call on their way to wasm/bindings, and what it writes. @internal */
export class Call {
  readonly #memory: Memory<AllModule>;
  readonly #owner: string;
  readonly #inputs: Floats[] = [];

  constructor(memory: Memory<AllModule>, owner: string) {
    this.#memory = memory;
    this.#owner = owner;
  }

  input(field: string, x: Floats): FloatScalars {
    this.#inputs.push(x);
    return [this.#memory.input(this.#owner, field, x), sizeOf(x)];
  }

  /** As `input`, of what may be left out. */
  optional(field: string, x: Floats | undefined): FloatScalars {
    return x === undefined ? [0 as Pointer, 0] : this.input(field, x);
  }

  positions({ queries, keys }: ScorePositions): ScorePositionScalars {
    const scalars = this.#memory.positions(this.#owner, "queries", queries);
    return [...scalars, ...this.#memory.positions(this.#owner, "keys", keys)];
  }

  integers(field: string, values: Int32Array): IntScalars {
    return wholes32(this.#memory, this.#owner, field, values);
  }

  /** Scratch for `length` floats. */
  workspace(length: number): [address: Pointer, length: number] {
    return [this.#memory.scratch(4 * length, this.#owner, "workspace"), length];
  }

  /** Has a verb write to `out`, or a new array of `size` elements. */
  write(out: Floats | undefined, size: number, verb: (...out: FloatScalars) => Status): Floats {
    const target = out ?? newFloats(this.#owner, "out", size);
    return this.#run(target, this.#memory.output(this.#owner, "out", target), verb);
  }

  /** As `write`, of what is float32 whatever the type of data. */
  write32(out: Floats32 | undefined, size: number, verb: (...out: FloatScalars) => Status): Floats {
    const target = out ?? newFloats(this.#owner, "out", size);
    return this.#run(target, this.#memory.output32(this.#owner, "out", target), verb);
  }

  /** Has a verb change `out`. */
  change(out: Floats, verb: (...out: FloatScalars) => Status): Floats {
    return this.#run(out, this.#memory.input(this.#owner, "out", out), verb);
  }

  /** As `change`, of what is float32 whatever the type of data. */
  change32(out: Floats32, verb: (...out: FloatScalars) => Status): Floats {
    return this.#run(out, this.#memory.input32(this.#owner, "out", out), verb);
  }

  #run(out: Floats, address: Pointer, verb: (...out: FloatScalars) => Status): Floats {
    apart(this.#owner, "out", out, this.#inputs);
    this.#memory.check(verb(address, sizeOf(out)));
    this.#memory.give(out, address);
    return out;
  }

  /** The whole numbers that a verb writes. */
  rows(size: number, verb: (...out: IntScalars) => Status): Int32Array<ArrayBuffer> {
    const length = count(this.#owner, "out", size);
    const address = this.#memory.scratch(4 * length, this.#owner, "out");
    this.#memory.check(verb(address, length));
    return this.#memory.int32s(address, length);
  }
}
