import type { AllModule } from "./all_module.js";
import { ScoreBias } from "./bias.js";
import { boolean, filled, integer, number } from "./check.js";
import type { Memory } from "./memory.js";
import { HeldLayers, type MlpLayer } from "./mlp.js";

/** Parameters of FIRE, all trained. */
export interface FireConfig {
  /** 1 to 1024. */
  readonly heads: number;
  /**
   * -Infinity where key > query.
   * @defaultValue true
   */
  readonly causal?: boolean;
  /**
   * psi(x) = ln(|c x| + 1): at most 1e30 in magnitude.
   * @defaultValue 0.1
   */
  readonly c?: number;
  /**
   * Queries nearer to the start than this are normalised by it: 0 to 1e30.
   * @defaultValue 0
   */
  readonly threshold?: number;
  /**
   * Added to the denominator: 0 in the paper, 1e-6 in its code; 0 to 1.
   * @defaultValue 1e-6
   */
  readonly eps?: number;
  /** The network from one number to a number per head, ReLU between layers. */
  readonly layers: readonly MlpLayer[];
}

/** What an option of {@link FireConfig} is when it is not given. */
export const FIRE_DEFAULTS = { causal: true, c: 0.1, threshold: 0, eps: 1e-6 } as const;

const NAME = "fire";

/**
 * FIRE: functional interpolation, bias = network(psi(query - key) / (psi(max(threshold, query)) +
 * eps)). The normaliser depends on the query's position, so this is no function of the distance
 * alone: there are no `distances`. Computed in double and rounded once; where the denominator is 0
 * the ratio counts as 0. Source: Li et al. 2023, arXiv 2310.04418.
 *
 * @example
 * ```ts
 * const layers = [{ weight: w1, bias: b1 }, { weight: w2, bias: b2 }]; // [32, 1], [heads, 32]
 * const fire = posenc.fire({ heads: 12, c: 0.1, threshold: 64, layers });
 * const bias = fire.bias({ queries: { length: 128 }, keys: { length: 128 } }); // [12, 128, 128]
 * fire.dispose();
 * ```
 */
export class Fire extends ScoreBias {
  /** The config without its layers, with what was not given filled in. */
  readonly config: Required<Omit<FireConfig, "layers">>;

  /** @internal */
  constructor(memory: Memory<AllModule>, config: FireConfig) {
    const { module } = memory;
    const full = filled(NAME, "config", config, ["heads", "layers"], FIRE_DEFAULTS);
    const plain = {
      heads: integer(NAME, "heads", full.heads),
      causal: boolean(NAME, "causal", full.causal),
      c: number(NAME, "c", full.c),
      threshold: number(NAME, "threshold", full.threshold),
      eps: number(NAME, "eps", full.eps),
    };
    const { heads, causal, c, threshold, eps } = plain;
    const held = new HeldLayers(memory, NAME, full.layers);
    const make = () => module.fire_make(heads, causal, c, threshold, eps, ...held.layers());
    super(memory, {
      name: NAME,
      heads,
      address: memory.made(NAME, make, held),
      dispose: module.fire_dispose,
      held,
      bias: module.fire_bias,
    });
    this.config = Object.freeze(plain);
  }
}
