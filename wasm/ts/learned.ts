import { Additive } from "./additive.js";
import { filled, integer, position } from "./check.js";
import type { Floats } from "./float_buffer.js";
import type { Memory } from "./memory.js";

/** Parameters of the learned absolute encoding. */
export interface LearnedConfig {
  /** The trained table [rows, dim]. A Float32Array is copied; a buffer is used where it lies. */
  readonly rows: Floats;
  /** Columns of a row, 1 to 2^24; must divide rows.length. */
  readonly dim: number;
  /**
   * Position p reads row p + rowOffset: 2 for OPT and BART, padding_idx + 1 for RoBERTa.
   * @defaultValue 0
   */
  readonly rowOffset?: number;
}

/** What an option of {@link LearnedConfig} is when it is not given. */
export const LEARNED_DEFAULTS = { rowOffset: 0 } as const;

const NAME = "learned";

/**
 * Learned absolute positions (BERT, GPT-2, OPT, ViT): row p of a trained table, bit for bit. A
 * position without a row is an error, never a clamp or a wrap.
 *
 * @example
 * ```ts
 * const learned = posenc.learned({ rows: checkpointRows, dim: 768 }); // [512, 768]
 * learned.add(embeddings, { offset: 0, length: 128 }); // [128, 768], in place
 * learned.maxPositions; // 512
 * learned.dispose();
 * ```
 */
export class Learned extends Additive {
  /** The config without its rows. */
  readonly config: Required<Omit<LearnedConfig, "rows">>;
  /** Positions 0 to maxPositions - 1 have a row. */
  readonly maxPositions: number;

  /** With more options a subclass has a `learnedMake` of its own. @internal */
  constructor(memory: Memory, config: LearnedConfig, learnedMake = memory.module.learned_make) {
    const { module } = memory;
    const full = filled(NAME, "config", config, ["rows", "dim"], LEARNED_DEFAULTS);
    const dim = integer(NAME, "dim", full.dim);
    const rowOffset = position(NAME, "rowOffset", full.rowOffset);
    const rows = memory.hold(NAME, "rows", full.rows);
    const make = { rows: rows.address(), rowValues: rows.size, dim, rowOffset };
    super(memory, {
      name: NAME,
      dim,
      address: memory.made(NAME, () => learnedMake(make), rows),
      dispose: module.learned_dispose,
      held: rows,
      table: module.learned_table,
      add: module.learned_add,
    });
    this.maxPositions = module.learned_max_positions(this.address(NAME, ""));
    this.config = Object.freeze({ dim, rowOffset });
  }
}
