import { Additive } from "./additive.js";
import { choice, filled, integer, number } from "./check.js";
import type { Memory } from "./memory.js";

/**
 * Where the sine and cosine of pair i stand in a row.
 *
 * - `interleaved`: sin at column 2i, cos at column 2i + 1; the paper.
 * - `half`: all sines, then all cosines; tensor2tensor, fairseq, Marian, Whisper.
 */
export const SINUSOIDAL_LAYOUTS = ["interleaved", "half"] as const;
/** One of {@link SINUSOIDAL_LAYOUTS}. */
export type SinusoidalLayout = (typeof SINUSOIDAL_LAYOUTS)[number];

/**
 * What fills the column left over when dim is odd.
 *
 * - `sine`: one more sine than cosines; keras-hub, Marian, multidim-positional-encoding.
 * - `zero`: zero, in the last column; tensor2tensor, fairseq.
 */
export const ODD_WIDTHS = ["sine", "zero"] as const;
/** One of {@link ODD_WIDTHS}. */
export type OddWidth = (typeof ODD_WIDTHS)[number];

/** Parameters of the sinusoidal encoding. */
export interface SinusoidalConfig {
  /** Columns of a row, 1 to 2^24. */
  readonly dim: number;
  /**
   * Frequencies are base^(-2i / frequencyDenominator), i = 0, 1, ...; finite, above 0.
   * @defaultValue 10000
   */
  readonly base?: number;
  /** @defaultValue "interleaved" */
  readonly layout?: SinusoidalLayout;
  /** @defaultValue "sine" */
  readonly oddWidth?: OddWidth;
  /**
   * `dim` in the paper. tensor2tensor, fairseq and Whisper use dim - 2, multidim-positional-encoding
   * dim + 1 when dim is odd. 0 stands for `dim`.
   * @defaultValue dim
   */
  readonly frequencyDenominator?: number;
}

/** What an option of {@link SinusoidalConfig} is when it is not given. */
export const SINUSOIDAL_DEFAULTS = {
  base: 10000,
  layout: "interleaved",
  oddWidth: "sine",
  frequencyDenominator: 0,
} as const;

const NAME = "sinusoidal";

/**
 * Sinusoidal position encoding: sines and cosines of the position at geometrically spaced
 * frequencies. Values are within 1 ulp of float32 of the exact ones for positions up to 2^24,
 * fractional and negative ones too. Source: Vaswani et al. 2017, section 3.5.
 *
 * @example
 * ```ts
 * const sinusoidal = posenc.sinusoidal({ dim: 512 });
 * const table = sinusoidal.table({ length: 1024 }); // Float32Array [1024, 512]
 * sinusoidal.add(embeddings, { offset: 0, length: 1024 }); // in place
 * sinusoidal.dispose();
 * ```
 */
export class Sinusoidal extends Additive {
  /** The config, with what was not given filled in. */
  readonly config: Required<SinusoidalConfig>;

  /** @internal */
  constructor(memory: Memory, config: SinusoidalConfig) {
    const { module } = memory;
    const full = filled(NAME, config, ["dim"], SINUSOIDAL_DEFAULTS);
    const make = {
      dim: integer(NAME, "dim", full.dim),
      base: number(NAME, "base", full.base),
      layout: choice(NAME, "layout", full.layout, SINUSOIDAL_LAYOUTS),
      oddWidth: choice(NAME, "oddWidth", full.oddWidth, ODD_WIDTHS),
      frequencyDenominator: number(NAME, "frequencyDenominator", full.frequencyDenominator),
    };
    super(memory, {
      name: NAME,
      dim: full.dim,
      address: memory.made(NAME, () => module.sinusoidal_make(make)),
      dispose: module.sinusoidal_dispose,
      table: module.sinusoidal_table,
      add: module.sinusoidal_add,
    });
    const frequencyDenominator = full.frequencyDenominator || full.dim;
    this.config = Object.freeze({ ...full, frequencyDenominator });
  }
}
