import { Bias } from "./bias.js";
import { choice, filled, integer } from "./check.js";
import { type Floats, type Memory, type NewFloats, newFloats } from "./memory.js";
import type { PositionsInput } from "./positions.js";

/**
 * Which slopes a number of heads gets; both agree when it is a power of two.
 *
 * - `checkpoint`: every published checkpoint (BLOOM, MPT, Baichuan): with c the largest power of two
 *   that is at most `heads`, 2^(-8(h+1)/c) for the first c heads, then 2^(-4(2t+1)/c), t = 0, 1, ...
 * - `paper`: the paper's text, 2^(-8(h+1)/heads) for every head.
 */
export const ALIBI_SLOPES = ["checkpoint", "paper"] as const;
/** One of {@link ALIBI_SLOPES}. */
export type AlibiSlopes = (typeof ALIBI_SLOPES)[number];

/**
 * What is written for a key after its query.
 *
 * - `causal`: -slope * (query - key); -Infinity where key > query.
 * - `symmetric`: -slope * |query - key|, also for keys after the query.
 */
export const ALIBI_FORMS = ["causal", "symmetric"] as const;
/** One of {@link ALIBI_FORMS}. */
export type AlibiForm = (typeof ALIBI_FORMS)[number];

/** Parameters of attention with linear biases. */
export interface AlibiConfig {
  /** 1 to 2^24. */
  readonly heads: number;
  /** @defaultValue "checkpoint" */
  readonly slopes?: AlibiSlopes;
  /** @defaultValue "causal" */
  readonly form?: AlibiForm;
}

/** What an option of {@link AlibiConfig} is when it is not given. */
export const ALIBI_DEFAULTS = { slopes: "checkpoint", form: "causal" } as const;

const NAME = "alibi";

/**
 * ALiBi: a penalty on the score that grows linearly with the distance, one slope per head. Values
 * are within 1 ulp of float32 of the exact ones. Source: Press et al. 2021, arXiv 2108.12409.
 *
 * @example
 * ```ts
 * const alibi = posenc.alibi({ heads: 32 });
 * const bias = alibi.bias({ queries: { length: 128 }, keys: { length: 128 } }); // [32, 128, 128]
 * const distances = alibi.distances(-127, 255); // the same in 32 * 255 values, for attention
 * alibi.dispose();
 * ```
 */
export class Alibi extends Bias {
  /** The config, with what was not given filled in. */
  readonly config: Required<AlibiConfig>;
  readonly #memory: Memory;

  /** @internal */
  constructor(memory: Memory, config: AlibiConfig) {
    const { module } = memory;
    const full = filled(NAME, config, ["heads"], ALIBI_DEFAULTS);
    const make = {
      heads: integer(NAME, "heads", full.heads),
      slopes: choice(NAME, "slopes", full.slopes, ALIBI_SLOPES),
      form: choice(NAME, "form", full.form, ALIBI_FORMS),
    };
    super(memory, {
      name: NAME,
      heads: full.heads,
      address: memory.made(NAME, () => module.alibi_make(make)),
      dispose: module.alibi_dispose,
      distances: module.alibi_distances,
      bias: module.alibi_bias,
    });
    this.#memory = memory;
    this.config = Object.freeze(full);
  }

  /**
   * The slope of each head.
   *
   * @returns [heads], nearest double.
   * @throws {@link PosencError} `DISPOSED`.
   */
  slopes(): Float64Array<ArrayBuffer> {
    const memory = this.#memory;
    const address = memory.module.alibi_slopes(this.address(NAME, ""));
    return memory.doubles(address, this.config.heads);
  }

  /**
   * Writes slope * key position: BLOOM's form, equal to `bias` after a causal softmax, since it
   * differs by a constant per row. MPT's form is the same with positions from 1 - keys to 0.
   * `attention` takes it as `terms.keyBias`.
   *
   * @param keys - Positions of the keys.
   * @param out - [heads, keys]; a new array when not given.
   * @returns `out`.
   * @throws {@link PosencError} as `distances`.
   */
  keyBias<Out extends Floats = NewFloats>(keys: PositionsInput, out?: Out): Out {
    const memory = this.#memory;
    const self = this.address(NAME, "");
    try {
      const [kind, first, count] = memory.positions(NAME, "keys", keys);
      const target = out ?? newFloats(NAME, "out", this.config.heads * count);
      const address = memory.output(NAME, "out", target);
      const { length } = target;
      memory.check(memory.module.alibi_key_bias(self, kind, first, count, address, length));
      memory.give(target, address);
      return target as Out;
    } finally {
      memory.close();
    }
  }
}
