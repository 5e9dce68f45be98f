import { AdditiveAt, type VerbsAt } from "./additive_at.js";
import type { AllModule } from "./all_module.js";
import { boolean, choice, fail, filled, integer, number } from "./check.js";
import type { Memory } from "./memory.js";
import type { Pointer } from "./module.js";
import type { PositionsInput } from "./positions.js";

/**
 * How levels come together in a row.
 *
 * - `concatenate`: side by side.
 * - `sum`: added; every level has the width of the row.
 */
export const MULTISCALE_COMBINES = ["concatenate", "sum"] as const;
/** One of {@link MULTISCALE_COMBINES}. */
export type MultiscaleCombine = (typeof MULTISCALE_COMBINES)[number];

/** One level of position: document, section, sentence, token. */
export interface MultiscaleLevel {
  /** Columns of the level's part, even. */
  readonly dim: number;
  /**
   * Frequencies are base^(-2i / dim).
   * @defaultValue 10000
   */
  readonly base?: number;
  /**
   * What the level's values are multiplied with.
   * @defaultValue 1
   */
  readonly scale?: number;
}

/** Parameters of the multiscale encoding. */
export interface MultiscaleConfig {
  /** 1 to 16 levels, the coarsest first by custom. */
  readonly levels: readonly MultiscaleLevel[];
  /** @defaultValue "concatenate" */
  readonly combine?: MultiscaleCombine;
  /**
   * Whether sine and cosine of a pair stand beside each other, within each level.
   * @defaultValue true
   */
  readonly interleaved?: boolean;
}

/** What an option of {@link MultiscaleConfig} is when it is not given. */
export const MULTISCALE_DEFAULTS = { combine: "concatenate", interleaved: true } as const;

const NAME = "multiscale";
const LEVEL_DEFAULTS = { base: 10000, scale: 1 } as const;

/**
 * Sinusoidal encoding of several positions at once: where a token lies in its sentence, its section
 * and its document, each level with its own width and base. Of each level it takes one position per
 * token; `table` writes [tokens, dim]. A generalisation, not the rule of one paper.
 *
 * @example
 * ```ts
 * const levels = [{ dim: 128, base: 100 }, { dim: 640 }];
 * const multiscale = posenc.multiscale({ levels });
 * const table = multiscale.table([{ positions: [0, 0, 1] }, { length: 3 }]); // [3, 768]
 * multiscale.dispose();
 * ```
 */
export class Multiscale extends AdditiveAt<readonly PositionsInput[]> {
  /** The config, with what was not given filled in. */
  readonly config: Required<MultiscaleConfig>;
  /** Columns of a row. */
  readonly dim: number;

  /** @internal */
  constructor(memory: Memory<AllModule>, config: MultiscaleConfig) {
    const { module } = memory;
    const full = filled(NAME, "config", config, ["levels"], MULTISCALE_DEFAULTS);
    const levels = listOf("levels", full.levels).map((level) =>
      Object.freeze(filled(NAME, "levels", level, ["dim"], LEVEL_DEFAULTS)),
    );
    const combine = choice(NAME, "combine", full.combine, MULTISCALE_COMBINES);
    const interleaved = boolean(NAME, "interleaved", full.interleaved);
    const numbers = levels.flatMap(({ dim, base, scale }) => [
      integer(NAME, "dim", dim),
      number(NAME, "base", base),
      number(NAME, "scale", scale),
    ]);
    const { address, count } = memory.values(NAME, "levels", numbers);
    const make = () => module.multiscale_make(address, count, combine, interleaved);
    super(memory, NAME, memory.made(NAME, make), module.multiscale_dispose);
    this.config = Object.freeze({ ...full, levels: Object.freeze(levels) });
    const widths = levels.map((level) => level.dim);
    const isSum = this.config.combine === "sum";
    this.dim = isSum ? (widths[0] ?? 0) : widths.reduce((sum, dim) => sum + dim);
  }

  /** @internal */
  protected override at(
    self: Pointer,
    memory: Memory<AllModule>,
    positions: readonly PositionsInput[],
  ): VerbsAt {
    const { module } = memory;
    const levels = listOf("positions", positions).map((level) =>
      memory.positions(NAME, "positions", level),
    );
    const { address, count } = memory.values(NAME, "positions", levels.flat());
    return {
      size: (levels[0]?.[2] ?? 0) * this.dim,
      table: (...out) => module.multiscale_table(self, address, count, ...out),
      add: (...x) => module.multiscale_add(self, address, count, ...x),
    };
  }
}

function listOf<Item>(field: string, list: readonly Item[]): readonly Item[] {
  return Array.isArray(list) ? list : fail("TYPE", NAME, field, "an array", list);
}
