import type { AllModule } from "./all_module.js";
import { boolean, filled, integer, number } from "./check.js";
import type { Floats, NewFloats } from "./float_buffer.js";
import { lengthOf } from "./floats.js";
import type { Memory } from "./memory.js";
import type { FloatScalars } from "./module.js";
import { Owned } from "./owned.js";
import { write } from "./verb.js";

/** Parameters of the forgetting attention's bias. */
export interface ForgettingBiasConfig {
  /** 1 to 2^24. */
  readonly heads: number;
  /**
   * -Infinity where key > query; else keys after the query decay by gates of their own.
   * @defaultValue true
   */
  readonly causal?: boolean;
  /**
   * What the logarithms of the gates are multiplied by: 1e-30 to 1e30.
   * @defaultValue 1
   */
  readonly logScale?: number;
}

/** What an option of {@link ForgettingBiasConfig} is when it is not given. */
export const FORGETTING_BIAS_DEFAULTS = { causal: true, logScale: 1 } as const;

const NAME = "forgetting_bias";

/**
 * The data-dependent decay of the forgetting transformer: bias = c[query] - c[key], c the running
 * sum of logScale * ln sigmoid(gate logit). Summed in double, rounded once. Source: FoX, Lin et al.
 * 2025, arXiv 2503.02130; x-transformers' data-dependent ALiBi.
 *
 * @example
 * ```ts
 * const forgetting = posenc.forgettingBias({ heads: 8 });
 * const bias = forgetting.bias(gateLogits); // [8, length] to [8, length, length], for attention
 * forgetting.dispose();
 * ```
 */
export class ForgettingBias extends Owned {
  /** The config, with what was not given filled in. */
  readonly config: Required<ForgettingBiasConfig>;
  readonly #memory: Memory<AllModule>;

  /** @internal */
  constructor(memory: Memory<AllModule>, config: ForgettingBiasConfig) {
    const { module } = memory;
    const full = filled(NAME, "config", config, ["heads"], FORGETTING_BIAS_DEFAULTS);
    const heads = integer(NAME, "heads", full.heads);
    const causal = boolean(NAME, "causal", full.causal);
    const logScale = number(NAME, "logScale", full.logScale);
    const make = () => module.forgetting_bias_make(heads, causal, logScale);
    super(memory.made(NAME, make), module.forgetting_bias_dispose);
    this.#memory = memory;
    this.config = Object.freeze({ heads, causal, logScale });
  }

  /**
   * Writes the bias of every query and key. The workspace is the library's own.
   *
   * @param gateLogits - [heads, length], or [2 heads, length] when not causal: rows heads + h are
   * the gates of the keys after the query.
   * @param out - [heads, length, length]; a new array when not given.
   * @returns `out`.
   * @throws {@link PosencError} `SHAPE`, `OVERLAP`, `SIZE_LIMIT`, `OUT_OF_MEMORY`, `TYPE` or
   * `DISPOSED`; nothing is written then.
   */
  bias<Out extends Floats = NewFloats>(gateLogits: Floats, out?: Out): Out {
    const memory = this.#memory;
    const { heads, causal } = this.config;
    const self = this.address(NAME, "");
    // Rounded up, so that the library refuses logits that are not a whole number of columns.
    const length = Math.ceil(lengthOf(gateLogits) / (causal ? heads : 2 * heads));
    const verb = (source: FloatScalars, target: FloatScalars) => {
      const workspace = memory.scratch(8 * length, NAME, "workspace");
      return memory.module.forgetting_bias_bias(self, ...source, workspace, length, ...target);
    };
    const buffers = { inputs: { gateLogits }, out, size: heads * length ** 2 };
    return write(memory, NAME, buffers, verb) as Out;
  }
}
