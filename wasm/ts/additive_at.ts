import type { AllModule } from "./all_module.js";
import { closing } from "./calls.js";
import type { Floats, NewFloats } from "./float_buffer.js";
import { newFloats, sizeOf } from "./floats.js";
import type { Memory } from "./memory.js";
import type { FloatScalars, Pointer, Status } from "./module.js";
import { type Held, Owned } from "./owned.js";

/** The verbs of the library for one place, and how many values they write. @internal */
export interface VerbsAt {
  readonly size: number;
  table(...out: FloatScalars): Status;
  add(...x: FloatScalars): Status;
}

/**
 * An encoding that is added to the input, of places that are more than a position: cells of a grid,
 * pixels, boxes on a page, positions on several levels.
 */
export abstract class AdditiveAt<Places> extends Owned {
  readonly #memory: Memory<AllModule>;
  readonly #name: string;

  /** @internal */
  constructor(
    memory: Memory<AllModule>,
    name: string,
    address: Pointer,
    dispose: (address: Pointer) => void,
    held?: Held,
  ) {
    super(address, dispose, held);
    this.#memory = memory;
    this.#name = name;
  }

  /** The verbs for `places`, whose copies last until `close()`. @internal */
  protected abstract at(self: Pointer, memory: Memory<AllModule>, places: Places): VerbsAt;

  /**
   * Writes the rows of `places`.
   *
   * @param out - As many values as the class says; a new array when not given.
   * @returns `out`.
   * @throws {@link PosencError} `SHAPE`, `VALUE_RANGE`, `POSITION_RANGE`, `OVERLAP`, `SIZE_LIMIT`,
   * `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`; nothing is written then.
   */
  table<Out extends Floats = NewFloats>(places: Places, out?: Out): Out {
    const memory = this.#memory;
    const name = this.#name;
    const self = this.address(name, "");
    return closing(memory, () => {
      const verbs = this.at(self, memory, places);
      const target = out ?? newFloats(name, "out", verbs.size);
      const address = memory.output(name, "out", target);
      memory.check(verbs.table(address, sizeOf(target)));
      memory.give(target, address);
      return target as Out;
    });
  }

  /**
   * Adds the rows of `places` to `x` in place, one float32 addition for each value.
   *
   * @param x - As many values as `table` writes.
   * @returns `x`.
   * @throws {@link PosencError} as `table`.
   */
  add<X extends Floats>(x: X, places: Places): X {
    const memory = this.#memory;
    const self = this.address(this.#name, "");
    return closing(memory, () => {
      const verbs = this.at(self, memory, places);
      const address = memory.input(this.#name, "x", x);
      memory.check(verbs.add(address, sizeOf(x)));
      memory.give(x, address);
      return x;
    });
  }
}
