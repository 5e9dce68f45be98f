import type { AllModule } from "./all_module.js";
import { Bias, type ScorePositions } from "./bias.js";
import { boolean, choice, filled, integer, number } from "./check.js";
import { PosencError } from "./errors.js";
import type { Floats, Floats32, NewFloats } from "./float_buffer.js";
import { lengthOf } from "./floats.js";
import type { Memory } from "./memory.js";
import type { Doubles } from "./scaling.js";

/**
 * The kernel of the distance.
 *
 * - `log`: -p ln(1 + a |query - key|)
 * - `power`: -a |query - key|^p, 0 at distance 0
 */
export const KERPLE_KINDS = ["log", "power"] as const;
/** One of {@link KERPLE_KINDS}. */
export type KerpleKind = (typeof KERPLE_KINDS)[number];

/** Parameters of KERPLE's kernels. */
export interface KerpleConfig {
  /** 1 to 2^24. */
  readonly heads: number;
  /** @defaultValue "log" */
  readonly kind?: KerpleKind;
  /**
   * -Infinity where key > query.
   * @defaultValue true
   */
  readonly causal?: boolean;
  /** Trained, [heads]: 0 to 1e30; with a minimum above 0 they may be negative as trained. */
  readonly p: Doubles;
  /** As `p`. */
  readonly a: Doubles;
  /**
   * p and a are raised to this first (the published code: 0.01): 0 to 1e30.
   * @defaultValue 0
   */
  readonly minimum?: number;
  /**
   * p is lowered to this first (the published code, power kernel: 2).
   * @defaultValue Infinity
   */
  readonly pMaximum?: number;
}

/** What an option of {@link KerpleConfig} is when it is not given. */
export const KERPLE_DEFAULTS = {
  kind: "log",
  causal: true,
  minimum: 0,
  pMaximum: Infinity,
} as const;

const NAME = "kerple";

/**
 * KERPLE: kernels of the distance with two trained numbers per head. Values are within 1 ulp of
 * float32 of the exact ones. Source: Chi et al. 2022, arXiv 2205.09921.
 *
 * @example
 * ```ts
 * const kerple = posenc.kerple({ heads: 2, p: [1, 2], a: [0.5, 0.25] });
 * const bias = kerple.bias({ queries: { length: 64 }, keys: { length: 64 } }); // [2, 64, 64]
 * kerple.dispose();
 * ```
 */
export class Kerple extends Bias {
  /** The config, with what was not given filled in. */
  readonly config: Required<KerpleConfig>;
  readonly #module: AllModule;

  /** @internal */
  constructor(memory: Memory<AllModule>, config: KerpleConfig) {
    const { module } = memory;
    const full = filled(NAME, "config", config, ["heads", "p", "a"], KERPLE_DEFAULTS);
    const numbers = [
      integer(NAME, "heads", full.heads),
      choice(NAME, "kind", full.kind, KERPLE_KINDS),
      boolean(NAME, "causal", full.causal),
      number(NAME, "minimum", full.minimum),
      number(NAME, "pMaximum", full.pMaximum),
    ] as const;
    const make = () => {
      const p = memory.values(NAME, "p", full.p);
      const a = memory.values(NAME, "a", full.a);
      return module.kerple_make(...numbers, p.address, p.count, a.address, a.count);
    };
    super(memory, {
      name: NAME,
      heads: full.heads,
      address: memory.made(NAME, make),
      dispose: module.kerple_dispose,
      distances: module.kerple_distances,
      bias: module.kerple_bias,
    });
    this.#module = module;
    this.config = Object.freeze(full);
  }

  /**
   * The gradients of p and a from that of the bias; keys after a causal query do not count. Of the
   * formula: clamped values are treated as free. Sums in double, rounded once.
   *
   * @param positions - Those of the queries and those of the keys.
   * @param gradient - [heads, queries, keys].
   * @param out - [2, heads]: that of p, then that of a; a new array when not given.
   * @returns `out`.
   * @throws {@link PosencError} as `bias`.
   */
  gradient<Out extends Floats32 = NewFloats>(
    positions: ScorePositions,
    gradient: Floats,
    out?: Out,
  ): Out {
    const { heads } = this.config;
    const size = 2 * heads;
    if (out !== undefined && lengthOf(out) !== size) {
      const shape = `2 * heads = 2 * ${heads} = ${size}`;
      const what = `${NAME}: out must have ${shape} elements, got ${lengthOf(out)}`;
      throw new PosencError("SHAPE", "out", what);
    }
    return this.gradientOf(this.#module.kerple_gradient, positions, gradient, size, out) as Out;
  }
}
