import type { AllModule } from "./all_module.js";
import { Call } from "./calls.js";
import { filled, integer, number } from "./check.js";
import type { Floats, NewFloats } from "./float_buffer.js";
import type { Memory } from "./memory.js";
import type { PositionsInput } from "./positions.js";
import { Relative } from "./relative.js";
import type { Embed } from "./relative_module.js";

/** Parameters of polar position embedding. */
export interface PopeConfig {
  /** 1 to 2^24. */
  readonly heads: number;
  /** 1 to 2^24. */
  readonly headDim: number;
  /**
   * Frequencies are base^(-c / headDim), one for each dim c: 1 to 1e30.
   * @defaultValue 10000
   */
  readonly base?: number;
  /**
   * Trained phases of the keys, radians, [heads, headDim]; clamped to [-2 pi, 0]. Copied.
   * @defaultValue all 0
   */
  readonly delta?: Floats;
}

/** What an option of {@link PopeConfig} is when it is not given. */
export const POPE_DEFAULTS = { base: 10000 } as const;

const NAME = "pope";

/**
 * PoPE: what and where apart. Each dim becomes a magnitude softplus(x) = ln(1 + e^x) at the angle
 * position * frequency, keys plus delta; the embedded vector is [all magnitude * cos | all magnitude
 * * sin], twice as wide, and the scores are plain products of embedded queries and keys: give
 * attention twice the headDim, and the scale of the unembedded width.
 * Source: Gopalakrishnan et al. 2025, arXiv 2509.10534.
 *
 * @example
 * ```ts
 * const pope = posenc.pope({ heads: 8, headDim: 64, delta }); // [8, 64]
 * const query = pope.embedQueries(q, { length }); // [8, length, 128]
 * const key = pope.embedKeys(k, { length });
 * const args = { heads: 8, queryCount: length, keyCount: length, headDim: 128, valueDim: 64 };
 * const out = posenc.attention(query, key, v, { ...args, scale: 1 / 8, causal: true });
 * pope.dispose();
 * ```
 */
export class Pope extends Relative {
  /** The config without its phases, with what was not given filled in. */
  readonly config: Required<Omit<PopeConfig, "delta">>;

  /** @internal */
  constructor(memory: Memory<AllModule>, config: PopeConfig) {
    const { module } = memory;
    const names = ["heads", "headDim", "delta"] as const;
    const full = filled(NAME, "config", config, names, POPE_DEFAULTS);
    const heads = integer(NAME, "heads", full.heads);
    const headDim = integer(NAME, "headDim", full.headDim);
    const base = number(NAME, "base", full.base);
    const make = () => {
      const delta = new Call(memory, NAME).optional("delta", full.delta);
      return module.pope_make(heads, headDim, base, ...delta);
    };
    super(memory, { name: NAME, make, dispose: module.pope_dispose });
    this.config = Object.freeze({ heads, headDim, base });
  }

  /**
   * Writes embedded queries: within 1 ulp of float32 for |position| <= 2^24, 16-bit elements rounded
   * once. For tensors with fewer heads (or a batch in front) call it per part.
   *
   * @param x - [heads, positions, headDim].
   * @param positions - Positions of the rows; fractional ones too.
   * @param out - [heads, positions, 2 headDim]; a new array when not given.
   * @returns `out`.
   * @throws {@link PosencError} `SHAPE`, `OVERLAP`, `POSITION_RANGE`, `SIZE_LIMIT`, `OUT_OF_MEMORY`,
   * `TYPE` or `DISPOSED`; nothing is written then.
   */
  embedQueries<Out extends Floats = NewFloats>(
    x: Floats,
    positions: PositionsInput,
    out?: Out,
  ): Out {
    return this.#embed(this.memory.module.pope_embed_queries, x, positions, out) as Out;
  }

  /** The same for keys, whose angles have the phases added. */
  embedKeys<Out extends Floats = NewFloats>(x: Floats, positions: PositionsInput, out?: Out): Out {
    return this.#embed(this.memory.module.pope_embed_keys, x, positions, out) as Out;
  }

  #embed(verb: Embed, x: Floats, positions: PositionsInput, out: Floats | undefined): Floats {
    const { heads, headDim } = this.config;
    return this.call((self, call) => {
      const source = call.input("x", x);
      const places = this.memory.positions(NAME, "positions", positions);
      return call.write(out, 2 * heads * headDim * places[2], (...target) =>
        verb(self, ...source, ...places, ...target),
      );
    });
  }
}
