import type { AllModule } from "./all_module.js";
import { closing } from "./calls.js";
import { number, optionalPosition, options } from "./check.js";
import type { Floats, Floats32 } from "./float_buffer.js";
import { apart, lengthOf, sizeOf } from "./floats.js";
import { LEARNED_DEFAULTS, Learned, type LearnedConfig } from "./learned.js";
import type { Memory } from "./memory.js";
import type { PositionsInput } from "./positions.js";

/** Parameters of the learned absolute encoding, and of its gradient. */
export interface TrainableLearnedConfig extends LearnedConfig {
  /**
   * What every value is multiplied with, -1e30 to 1e30; x-transformers uses dim ** -0.5.
   * @defaultValue 1
   */
  readonly scale?: number;
  /**
   * The row of the table that padding tokens read, counted from 0 without the offset: it gets no
   * gradient.
   */
  readonly paddingRow?: number;
}

/** What an option of {@link TrainableLearnedConfig} is when it is not given. */
export const TRAINABLE_LEARNED_DEFAULTS = { ...LEARNED_DEFAULTS, scale: 1 } as const;

const NAME = "learned";

/**
 * Learned absolute positions with a scale and the gradient of their rows. With a scale other than 1
 * values are rounded once.
 *
 * @example
 * ```ts
 * const learned = posenc.learned({ rows, dim: 512, scale: 512 ** -0.5 });
 * learned.add(x, { length: 128 });
 * learned.scatter(xGradient, { length: 128 }, rowsGradient);
 * learned.dispose();
 * ```
 */
export class TrainableLearned extends Learned {
  /** The config without its rows. */
  declare readonly config: Required<Omit<TrainableLearnedConfig, "rows" | "paddingRow">> &
    Pick<TrainableLearnedConfig, "paddingRow">;
  readonly #memory: Memory<AllModule>;

  /** @internal */
  constructor(memory: Memory<AllModule>, config: TrainableLearnedConfig) {
    const names = ["rows", "dim", "rowOffset", "scale", "paddingRow"];
    options(NAME, "config", config, names);
    const { scale = TRAINABLE_LEARNED_DEFAULTS.scale, paddingRow, ...learned } = config;
    const more = [
      number(NAME, "scale", scale),
      optionalPosition(NAME, "paddingRow", paddingRow),
    ] as const;
    super(memory, learned, ({ rows, rowValues, dim, rowOffset }) =>
      memory.module.trainable_learned_make(rows, rowValues, dim, rowOffset, ...more),
    );
    const padding = paddingRow === undefined ? {} : { paddingRow };
    this.config = Object.freeze({ ...this.config, scale, ...padding });
    this.#memory = memory;
  }

  /**
   * The gradient of `table` and `add`: for each position in order, adds scale * `gradient` to that
   * position's row of `rowsGradient`, one float32 addition for each value. Positions that read
   * `paddingRow` add nothing.
   *
   * @param gradient - [positions, dim], of the rows.
   * @param positions - One for each row.
   * @param rowsGradient - [rows, dim], a sum that starts at zero or goes on.
   * @returns `rowsGradient`.
   * @throws {@link PosencError} as `table`.
   */
  scatter<Sums extends Floats32>(
    gradient: Floats,
    positions: PositionsInput,
    rowsGradient: Sums,
  ): Sums {
    const memory = this.#memory;
    const self = this.address(NAME, "");
    return closing(memory, () => {
      const rows = memory.positions(NAME, "positions", positions);
      const source = memory.input(NAME, "gradient", gradient);
      const sums = memory.input32(NAME, "rowsGradient", rowsGradient);
      apart(NAME, "rowsGradient", rowsGradient, [gradient]);
      const buffers = [source, sizeOf(gradient), sums, lengthOf(rowsGradient)] as const;
      memory.check(memory.module.learned_scatter(self, ...rows, ...buffers));
      memory.give(rowsGradient, sums);
      return rowsGradient;
    });
  }
}
