import { Additive } from "./additive.js";
import type { AllModule } from "./all_module.js";
import { filled, integer, number } from "./check.js";
import type { Floats } from "./float_buffer.js";
import type { Memory } from "./memory.js";

/** Parameters of the hierarchical encoding. */
export interface HierarchicalConfig {
  /** The trained table [n, dim]. A Float32Array is copied; a buffer is used where it lies. */
  readonly rows: Floats;
  /** Columns of a row, 1 to 2^24; must divide the number of values. */
  readonly dim: number;
  /**
   * Weight of the coarse position, not 1.
   * @defaultValue 0.4
   */
  readonly alpha?: number;
}

/** What an option of {@link HierarchicalConfig} is when it is not given. */
export const HIERARCHICAL_DEFAULTS = { alpha: 0.4 } as const;

const NAME = "hierarchical";

/**
 * Hierarchical decomposition of a trained table of n rows, which then reaches n^2 positions without
 * training: row p is rows[p % n] + alpha / (1 - alpha) * (rows[p / n] - rows[0]). Source: Su 2020
 * (bert4keras).
 *
 * @example
 * ```ts
 * const hierarchical = posenc.hierarchical({ rows: bertRows, dim: 768 }); // [512, 768]
 * hierarchical.maxPositions; // 262144
 * hierarchical.dispose();
 * ```
 */
export class Hierarchical extends Additive {
  /** The config without its rows. */
  readonly config: Required<Omit<HierarchicalConfig, "rows">>;
  /** Positions 0 to maxPositions - 1 have a row. */
  readonly maxPositions: number;

  /** @internal */
  constructor(memory: Memory<AllModule>, config: HierarchicalConfig) {
    const { module } = memory;
    const full = filled(NAME, "config", config, ["rows", "dim"], HIERARCHICAL_DEFAULTS);
    const dim = integer(NAME, "dim", full.dim);
    const alpha = number(NAME, "alpha", full.alpha);
    const rows = memory.hold(NAME, "rows", full.rows);
    const table = [rows.address(), rows.size] as const;
    super(memory, {
      name: NAME,
      dim,
      address: memory.made(NAME, () => module.hierarchical_make(...table, dim, alpha), rows),
      dispose: module.hierarchical_dispose,
      held: rows,
      table: module.hierarchical_table,
      add: module.hierarchical_add,
    });
    this.maxPositions = module.hierarchical_max_positions(this.address(NAME, ""));
    this.config = Object.freeze({ dim, alpha });
  }
}
