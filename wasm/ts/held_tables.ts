import type { AllModule } from "./all_module.js";
import type { Floats, HeldTable } from "./float_buffer.js";
import type { Memory } from "./memory.js";
import type { FloatScalars } from "./module.js";

/** Several trained tables that an encoding reads, by the names of their options. @internal */
export class HeldTables<Name extends string> {
  readonly #owner: string;
  readonly #tables = new Map<string, HeldTable>();

  constructor(memory: Memory<AllModule>, owner: string, tables: Readonly<Record<Name, Floats>>) {
    this.#owner = owner;
    try {
      for (const [name, values] of Object.entries<Floats>(tables)) {
        this.#tables.set(name, memory.hold(owner, name, values));
      }
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  /** Address and size of one of them. */
  scalars(name: Name): FloatScalars {
    const table = this.#tables.get(name) as HeldTable;
    return [table.address(this.#owner, name), table.size];
  }

  /** Throws DISPOSED when the caller disposed one of its buffers. */
  check(): void {
    for (const [name, table] of this.#tables) table.address(this.#owner, name);
  }

  dispose(): void {
    for (const table of this.#tables.values()) table.dispose();
  }
}
