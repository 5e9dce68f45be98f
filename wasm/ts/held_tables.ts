import type { AllModule } from "./all_module.js";
import type { Floats, HeldTable } from "./float_buffer.js";
import type { Memory } from "./memory.js";
import type { FloatScalars, Pointer } from "./module.js";
import type { Held } from "./owned.js";

type Tables<Name extends string, Table> = Readonly<Record<Name, Table>>;

/** Several trained tables that an encoding reads, by the names of their options. @internal */
export class HeldTables<Name extends string, Optional extends string = never> implements Held {
  readonly #tables = new Map<string, HeldTable>();

  /** Of `optional` tables those that are undefined were not given. */
  constructor(
    memory: Memory<AllModule>,
    owner: string,
    tables: Tables<Name, Floats>,
    optional = {} as Tables<Optional, Floats | undefined>,
  ) {
    const given = Object.entries<Floats | undefined>(optional).filter(
      ([, table]) => table !== undefined,
    );
    try {
      for (const [name, table] of [...Object.entries(tables), ...given]) {
        this.#tables.set(name, memory.hold(owner, name, table as Floats));
      }
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Address and size of one of them; 0 and 0 when it was not given. */
  scalars(name: Name | Optional): FloatScalars {
    const table = this.#tables.get(name);
    return table ? [table.address(), table.size] : [0 as Pointer, 0];
  }

  /** Throws DISPOSED when the caller disposed one of its buffers. */
  address(): void {
    for (const table of this.#tables.values()) table.address();
  }

  dispose(): void {
    for (const table of this.#tables.values()) table.dispose();
  }
}
