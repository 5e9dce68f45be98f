import { Bias, type ScorePositions } from "./bias.js";
import { choice, filled, integer, number } from "./check.js";
import type { Floats, Floats32, NewFloats } from "./float_buffer.js";
import { newFloats, sizeOf } from "./floats.js";
import type { Memory } from "./memory.js";
import type { WasmModule } from "./module.js";
import type { PositionsInput } from "./positions.js";
import type { Doubles } from "./scaling.js";

/**
 * Which slopes a number of heads gets; both agree when it is a power of two.
 *
 * - `checkpoint`: every published checkpoint (BLOOM, MPT, Baichuan): with c the largest power of two
 *   that is at most n heads and m = alibiBiasMax, 2^(-m (h+1) / c) for the first c heads, then
 *   2^(-m (2t+1) / (2c)), t = 0, 1, ...
 * - `paper`: the paper's text, 2^(-m (h+1) / n) for every head.
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
  /**
   * The exponent of the smallest slope, 2^-alibiBiasMax: above 0, at most 1000. MPT's field.
   * @defaultValue 8
   */
  readonly alibiBiasMax?: number;
  /**
   * How many heads, the first ones, have a bias; the slopes are those of that many heads. 0 stands
   * for `heads`.
   * @defaultValue heads
   */
  readonly alibiHeads?: number;
  /** Slopes of the caller's own, [heads], instead of a rule. */
  readonly customSlopes?: Doubles;
}

/** What an option of {@link AlibiConfig} is when it is not given. */
export const ALIBI_DEFAULTS = {
  slopes: "checkpoint",
  form: "causal",
  alibiBiasMax: 8,
  alibiHeads: 0,
} as const;

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
  readonly config: Required<Omit<AlibiConfig, "customSlopes">> & Pick<AlibiConfig, "customSlopes">;

  /** @internal */
  constructor(memory: Memory, config: AlibiConfig) {
    const { module } = memory;
    const full = filled(NAME, "config", config, ["heads", "customSlopes"], ALIBI_DEFAULTS);
    const numbers = {
      heads: integer(NAME, "heads", full.heads),
      slopes: choice(NAME, "slopes", full.slopes, ALIBI_SLOPES),
      form: choice(NAME, "form", full.form, ALIBI_FORMS),
      alibiBiasMax: number(NAME, "alibiBiasMax", full.alibiBiasMax),
      alibiHeads: integer(NAME, "alibiHeads", full.alibiHeads),
    };
    const make = () => {
      const customSlopes = memory.values(NAME, "customSlopes", full.customSlopes);
      return module.alibi_make({ ...numbers, customSlopes });
    };
    super(memory, {
      name: NAME,
      heads: full.heads,
      address: memory.made(NAME, make),
      dispose: module.alibi_dispose,
      distances: module.alibi_distances,
      bias: module.alibi_bias,
    });
    this.config = Object.freeze({ ...full, alibiHeads: full.alibiHeads || full.heads });
  }

  /**
   * The slope of each head.
   *
   * @returns [heads], nearest double.
   * @throws {@link PosencError} `DISPOSED`.
   */
  slopes(): Float64Array<ArrayBuffer> {
    const memory = this.memory;
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
    return this.#keyBias(this.memory.module.alibi_key_bias, keys, out) as Out;
  }

  /**
   * `keyBias` as Falcon's published code computes it, in bfloat16 throughout. (Falcon then adds it
   * to the scores before they are scaled.) Arguments and errors as `keyBias`.
   */
  falconKeyBias<Out extends Floats = NewFloats>(keys: PositionsInput, out?: Out): Out {
    return this.#keyBias(this.memory.module.alibi_falcon_key_bias, keys, out) as Out;
  }

  /**
   * The gradient of the slopes from that of the bias. Sums in double, rounded once.
   *
   * @param positions - Those of the queries and those of the keys.
   * @param gradient - [heads, queries, keys].
   * @param out - [heads]; a new array when not given.
   * @returns `out`.
   * @throws {@link PosencError} as `distances`.
   */
  slopeGradient<Out extends Floats32 = NewFloats>(
    positions: ScorePositions,
    gradient: Floats,
    out?: Out,
  ): Out {
    const verb = this.memory.module.alibi_slope_gradient;
    return this.gradientOf(verb, positions, gradient, this.config.heads, out) as Out;
  }

  #keyBias(verb: WasmModule["alibi_key_bias"], keys: PositionsInput, out?: Floats): Floats {
    const memory = this.memory;
    const self = this.address(NAME, "");
    try {
      const [kind, first, count] = memory.positions(NAME, "keys", keys);
      const target = out ?? newFloats(NAME, "out", this.config.heads * count);
      const address = memory.output(NAME, "out", target);
      memory.check(verb(self, kind, first, count, address, sizeOf(target)));
      memory.give(target, address);
      return target;
    } finally {
      memory.close();
    }
  }
}
