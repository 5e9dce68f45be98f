import type { AllModule } from "./all_module.js";
import { filled, integer, options } from "./check.js";
import type { Floats, NewFloats } from "./float_buffer.js";
import { lengthOf } from "./floats.js";
import { HeldTables } from "./held_tables.js";
import type { Memory } from "./memory.js";
import type { FloatScalars } from "./module.js";
import { Owned } from "./owned.js";
import { write } from "./verb.js";

/**
 * Parameters of WavLM's gate, all trained. Typed arrays are copied; buffers are used where they lie.
 */
export interface GatedPositionBiasConfig {
  /** 1 to 2^24. */
  readonly heads: number;
  /** 1 to 4096. */
  readonly headDim: number;
  /** [8, headDim], shared by the heads. */
  readonly gateWeight: Floats;
  /** [8], shared by the heads. */
  readonly gateBias: Floats;
  /** [heads]. */
  readonly gateConst: Floats;
}

/** The shape of a position bias. */
export interface GatedPositionBiasArgs {
  readonly queryCount: number;
  readonly keyCount: number;
}

const NAME = "gated_position_bias";
const OPTIONS = ["heads", "headDim", "gateWeight", "gateBias", "gateConst"] as const;

/**
 * WavLM's gated relative position bias: a position bias (T5's, bidirectional) times a gate that each
 * query's hidden state opens, a (b * const - 1) + 2 with a and b the sigmoids of the sums of four
 * projections each. In double, rounded once. Source: Chen et al. 2021, arXiv 2110.13900.
 *
 * @example
 * ```ts
 * const gated = posenc.gatedPositionBias({ heads, headDim, gateWeight, gateBias, gateConst });
 * const gate = gated.gate(hidden, length); // [batch, heads, length]
 * const shape = { queryCount: length, keyCount: length };
 * const bias = gated.bias(gate, positionBias, shape); // [batch, heads, length, length]
 * gated.dispose();
 * ```
 */
export class GatedPositionBias extends Owned {
  /** The config without its tables. */
  readonly config: Pick<GatedPositionBiasConfig, "heads" | "headDim">;
  readonly #memory: Memory<AllModule>;

  /** @internal */
  constructor(memory: Memory<AllModule>, config: GatedPositionBiasConfig) {
    const { module } = memory;
    const full = filled(NAME, "config", config, OPTIONS, {});
    const heads = integer(NAME, "heads", full.heads);
    const headDim = integer(NAME, "headDim", full.headDim);
    const { gateWeight, gateBias, gateConst } = full;
    const held = new HeldTables(memory, NAME, { gateWeight, gateBias, gateConst });
    const make = () =>
      module.gated_position_bias_make(
        heads,
        headDim,
        ...held.scalars("gateWeight"),
        ...held.scalars("gateBias"),
        ...held.scalars("gateConst"),
      );
    super(memory.made(NAME, make, held), module.gated_position_bias_dispose, held);
    this.#memory = memory;
    this.config = Object.freeze({ heads, headDim });
  }

  /**
   * Writes the gates.
   *
   * @param hidden - [batch, length, heads * headDim].
   * @param length - Positions of a sequence.
   * @param out - [batch, heads, length]; a new array when not given.
   * @returns `out`.
   * @throws {@link PosencError} `SHAPE`, `OVERLAP`, `SIZE_LIMIT`, `OUT_OF_MEMORY`, `TYPE` or
   * `DISPOSED`; nothing is written then.
   */
  gate<Out extends Floats = NewFloats>(hidden: Floats, length: number, out?: Out): Out {
    const { module } = this.#memory;
    const { heads, headDim } = this.config;
    const self = this.address(NAME, "");
    const rows = heads * integer(NAME, "length", length);
    const verb = (source: FloatScalars, target: FloatScalars) =>
      module.gated_position_bias_gate(self, ...source, length, ...target);
    const size = rows * batchOf(hidden, rows * headDim);
    return write(this.#memory, NAME, { inputs: { hidden }, out, size }, verb) as Out;
  }

  /**
   * Writes gate * positionBias, one float32 product each.
   *
   * @param gate - [batch, heads, queryCount].
   * @param positionBias - [heads, queryCount, keyCount].
   * @param args - How many queries and keys.
   * @param out - [batch, heads, queryCount, keyCount]; a new array when not given.
   * @returns `out`.
   * @throws {@link PosencError} as `gate`.
   */
  bias<Out extends Floats = NewFloats>(
    gate: Floats,
    positionBias: Floats,
    args: GatedPositionBiasArgs,
    out?: Out,
  ): Out {
    const { module } = this.#memory;
    const self = this.address(NAME, "");
    options(NAME, "args", args, ["queryCount", "keyCount"]);
    const queries = integer(NAME, "queryCount", args.queryCount);
    const keys = integer(NAME, "keyCount", args.keyCount);
    const rows = this.config.heads * queries;
    const verb = (gates: FloatScalars, biases: FloatScalars, target: FloatScalars) =>
      module.gated_position_bias_bias(self, ...gates, ...biases, queries, keys, ...target);
    const buffers = {
      inputs: { gate, positionBias },
      out,
      size: batchOf(gate, rows) * rows * keys,
    };
    return write(this.#memory, NAME, buffers, verb) as Out;
  }
}

/** Rounded up, so that the library refuses what is not a whole number of sequences. */
function batchOf(x: Floats, sequence: number): number {
  return Math.ceil(lengthOf(x) / (sequence || 1));
}
