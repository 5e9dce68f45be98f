import { Additive } from "./additive.js";
import { choice, filled, integer, number, optionalPosition } from "./check.js";
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

/**
 * Which function of a pair comes first.
 *
 * - `sine_first`: the paper and most others.
 * - `cosine_first`: ggml's and guided-diffusion's timestep embeddings, [cos | sin].
 */
export const SINUSOIDAL_ORDERS = ["sine_first", "cosine_first"] as const;
/** One of {@link SINUSOIDAL_ORDERS}. */
export type SinusoidalOrder = (typeof SINUSOIDAL_ORDERS)[number];

/**
 * Parameters of the sinusoidal encoding. Its frequencies are
 * positionScale * base^(-2i / frequencyDenominator), i = 0, 1, ...
 */
export interface SinusoidalConfig {
  /** Columns of a row, 1 to 2^24. */
  readonly dim: number;
  /**
   * 1 to 1e30. Diffusion models call it max_period, vision models temperature.
   * @defaultValue 10000
   */
  readonly base?: number;
  /** @defaultValue "interleaved" */
  readonly layout?: SinusoidalLayout;
  /** @defaultValue "sine" */
  readonly oddWidth?: OddWidth;
  /**
   * With half = dim / 2 rounded down: `dim` in the paper; 2 * half in ggml, guided-diffusion and
   * diffusers; 2 * (half - 1) in tensor2tensor, fairseq and Whisper; dim + 1 in
   * multidim-positional-encoding when dim is odd. 0 stands for `dim`.
   * @defaultValue dim
   */
  readonly frequencyDenominator?: number;
  /** @defaultValue "sine_first" */
  readonly order?: SinusoidalOrder;
  /**
   * What every value is multiplied with, -1e30 to 1e30.
   * @defaultValue 1
   */
  readonly scale?: number;
  /**
   * What positions are multiplied with, 1e-30 to 1e30.
   * @defaultValue 1
   */
  readonly positionScale?: number;
  /**
   * With `maxTimescale`, tensor2tensor's two timescales, instead of base and frequencyDenominator.
   * @defaultValue 1
   */
  readonly minTimescale?: number;
  /** @defaultValue 0, which stands for not given */
  readonly maxTimescale?: number;
  /** The position whose row is zero: fairseq's padding_idx. */
  readonly paddingPosition?: number;
}

/** What an option of {@link SinusoidalConfig} is when it is not given. */
export const SINUSOIDAL_DEFAULTS = {
  base: 10000,
  layout: "interleaved",
  oddWidth: "sine",
  frequencyDenominator: 0,
  order: "sine_first",
  scale: 1,
  positionScale: 1,
  minTimescale: 1,
  maxTimescale: 0,
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
  readonly config: Required<Omit<SinusoidalConfig, "paddingPosition">> &
    Pick<SinusoidalConfig, "paddingPosition">;
  readonly #memory: Memory;

  /** @internal */
  constructor(memory: Memory, config: SinusoidalConfig) {
    const { module } = memory;
    const full = filled(NAME, "config", config, ["dim", "paddingPosition"], SINUSOIDAL_DEFAULTS);
    const make = {
      dim: integer(NAME, "dim", full.dim),
      base: number(NAME, "base", full.base),
      layout: choice(NAME, "layout", full.layout, SINUSOIDAL_LAYOUTS),
      oddWidth: choice(NAME, "oddWidth", full.oddWidth, ODD_WIDTHS),
      frequencyDenominator: number(NAME, "frequencyDenominator", full.frequencyDenominator),
      order: choice(NAME, "order", full.order, SINUSOIDAL_ORDERS),
      scale: number(NAME, "scale", full.scale),
      positionScale: number(NAME, "positionScale", full.positionScale),
      minTimescale: number(NAME, "minTimescale", full.minTimescale),
      maxTimescale: number(NAME, "maxTimescale", full.maxTimescale),
      paddingPosition: optionalPosition(NAME, "paddingPosition", full.paddingPosition),
    };
    super(memory, {
      name: NAME,
      dim: full.dim,
      address: memory.made(NAME, () => module.sinusoidal_make(make)),
      dispose: module.sinusoidal_dispose,
      table: module.sinusoidal_table,
      add: module.sinusoidal_add,
    });
    this.#memory = memory;
    const frequencyDenominator = full.frequencyDenominator || full.dim;
    this.config = Object.freeze({ ...full, frequencyDenominator });
  }

  /**
   * The angular frequencies.
   *
   * @returns Radians per position of each pair, nearest double.
   * @throws {@link PosencError} `DISPOSED`.
   */
  frequencies(): Float64Array<ArrayBuffer> {
    const memory = this.#memory;
    const self = this.address(NAME, "");
    const address = memory.module.sinusoidal_frequencies(self);
    return memory.doubles(address, memory.module.sinusoidal_frequency_count(self));
  }
}
