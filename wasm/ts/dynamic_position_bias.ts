import type { AllModule } from "./all_module.js";
import { Bias } from "./bias.js";
import { boolean, filled, integer } from "./check.js";
import type { Memory } from "./memory.js";
import { HeldLayers, type MlpLayer } from "./mlp.js";

/** Parameters of the dynamic position bias. */
export interface DynamicPositionBiasConfig {
  /** 1 to 1024. */
  readonly heads: number;
  /**
   * The network sees sign(d) ln(1 + |d|) instead of d.
   * @defaultValue false
   */
  readonly logDistance?: boolean;
  /** The network from one number to a number per head, SiLU between layers. */
  readonly layers: readonly MlpLayer[];
}

/** What an option of {@link DynamicPositionBiasConfig} is when it is not given. */
export const DYNAMIC_POSITION_BIAS_DEFAULTS = { logDistance: false } as const;

const NAME = "dynamic_position_bias";

/**
 * A bias that a network computes from the signed distance query - key, in one dimension as in
 * x-transformers. Computed in double and rounded once. Source: CrossFormer, Wang et al. 2021,
 * arXiv 2108.00154.
 *
 * @example
 * ```ts
 * const layers = [{ weight: w1, bias: b1 }, { weight: w2, bias: b2 }]; // [64, 1], [heads, 64]
 * const dynamic = posenc.dynamicPositionBias({ heads: 8, layers });
 * const distances = dynamic.distances(-127, 255); // [8, 255], for attention
 * dynamic.dispose();
 * ```
 */
export class DynamicPositionBias extends Bias {
  /** The config without its layers, with what was not given filled in. */
  readonly config: Required<Omit<DynamicPositionBiasConfig, "layers">>;

  /** @internal */
  constructor(memory: Memory<AllModule>, config: DynamicPositionBiasConfig) {
    const { module } = memory;
    const names = ["heads", "layers"] as const;
    const full = filled(NAME, "config", config, names, DYNAMIC_POSITION_BIAS_DEFAULTS);
    const heads = integer(NAME, "heads", full.heads);
    const logDistance = boolean(NAME, "logDistance", full.logDistance);
    const held = new HeldLayers(memory, NAME, full.layers);
    const make = () => module.dynamic_position_bias_make(heads, logDistance, ...held.layers());
    super(memory, {
      name: NAME,
      heads,
      address: memory.made(NAME, make, held),
      dispose: module.dynamic_position_bias_dispose,
      held,
      distances: module.dynamic_position_bias_distances,
      bias: module.dynamic_position_bias_bias,
    });
    this.config = Object.freeze({ heads, logDistance });
  }
}
