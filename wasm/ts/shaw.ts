import type { AllModule } from "./all_module.js";
import type { ScorePositions } from "./bias.js";
import { Call, headsOf } from "./calls.js";
import { filled, integer } from "./check.js";
import type { Floats, Floats32, NewFloats } from "./float_buffer.js";
import type { Memory } from "./memory.js";
import type { Pointer } from "./module.js";
import { Relative, type ScaledScoreArgs } from "./relative.js";

/** Parameters of Shaw's relative positions. */
export interface ShawConfig {
  /** 1 to 4096. */
  readonly headDim: number;
  /** Distances are clipped to this magnitude: 0 to 2047. */
  readonly maxRelativePosition: number;
  /** Trained rows of the keys, [2 maxRelativePosition + 1, headDim], shared by the heads. Copied. */
  readonly keys: Floats;
  /**
   * Trained rows of the values, [2 maxRelativePosition + 1, valueDim]. An array is copied; a buffer
   * is used where it lies. Left out when the model has none.
   */
  readonly values?: Floats;
  /**
   * Columns of `values`; 0 stands for headDim.
   * @defaultValue headDim
   */
  readonly valueDim?: number;
}

/** What an option of {@link ShawConfig} is when it is not given. */
export const SHAW_DEFAULTS = { valueDim: 0 } as const;

const NAME = "shaw";

/**
 * Relative positions in keys and values, clipped: the score of a query and a key gets q . keys[r],
 * the output probability * values[r], r = clip(key - query, -m, m) + m. Positions are whole numbers.
 * Source: Shaw et al. 2018, arXiv 1803.02155.
 *
 * @example
 * ```ts
 * const shaw = posenc.shaw({ headDim: 64, maxRelativePosition: 16, keys, values }); // [33, 64] each
 * const positions = { queries: { length }, keys: { length } };
 * const bias = shaw.scores(q, positions); // [heads, length, length]
 * const args = { heads, queryCount: length, keyCount: length, headDim: 64, probabilities };
 * const out = posenc.attention(q, k, v, { ...args, terms: { bias } });
 * shaw.addValues(probabilities, positions, out);
 * shaw.dispose();
 * ```
 */
export class Shaw extends Relative {
  /** The config without its tables, with what was not given filled in. */
  readonly config: Required<Omit<ShawConfig, "keys" | "values">>;

  /** @internal */
  constructor(memory: Memory<AllModule>, config: ShawConfig) {
    const { module } = memory;
    const names = ["headDim", "maxRelativePosition", "keys", "values"] as const;
    const full = filled(NAME, "config", config, names, SHAW_DEFAULTS);
    const headDim = integer(NAME, "headDim", full.headDim);
    const reach = integer(NAME, "maxRelativePosition", full.maxRelativePosition);
    const valueDim = integer(NAME, "valueDim", full.valueDim) || headDim;
    const values = full.values === undefined ? undefined : memory.hold(NAME, "values", full.values);
    const make = () => {
      const keys = new Call(memory, NAME).input("keys", full.keys);
      const held = [values?.address() ?? (0 as Pointer), values?.size ?? 0] as const;
      return module.shaw_make(headDim, reach, valueDim, ...keys, ...held);
    };
    super(memory, { name: NAME, make, dispose: module.shaw_dispose, held: values });
    this.config = Object.freeze({ headDim, maxRelativePosition: reach, valueDim });
  }

  /**
   * The row of the tables of each query and key. Exact.
   *
   * @param positions - Those of the queries and those of the keys.
   * @returns [queries, keys].
   * @throws {@link PosencError} `POSITION_RANGE`, `SIZE_LIMIT`, `OUT_OF_MEMORY`, `TYPE` or
   * `DISPOSED`.
   */
  index(positions: ScorePositions): Int32Array<ArrayBuffer> {
    return this.rowsOf(this.memory.module.shaw_index, positions);
  }

  /**
   * Writes scale * (q . keys[r]), which `attention` takes as `terms.bias`: float32 whatever the type
   * of q. Error: at most (headDim + 2) * 2^-24 * sum |q_i keys_i scale|.
   *
   * @param q - [heads, queries, headDim].
   * @returns `args.out`, or a new array: [heads, queries, keys].
   * @throws {@link PosencError} `SHAPE`, `POSITION_RANGE`, `VALUE_RANGE`, `OVERLAP`, `SIZE_LIMIT`,
   * `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`; nothing is written then.
   */
  scores<Out extends Floats32 = NewFloats>(q: Floats, args: ScaledScoreArgs<Out>): Out {
    const { headDim } = this.config;
    return this.call((self, call) => {
      this.args(args, "scale");
      const scale = this.scaleOf(args.scale, headDim);
      const query = call.input("q", q);
      const places = call.positions(args);
      const heads = headsOf(q, places[2] * headDim);
      return call.write32(args.out, heads * places[2] * places[5], (...out) =>
        this.memory.module.shaw_scores(self, ...query, ...places, scale, ...out),
      );
    }) as Out;
  }

  /**
   * Adds the sum over keys of probability * values[r] to attention's output. Summed in float32 in
   * the order of the keys.
   *
   * @param probabilities - [heads, queries, keys].
   * @param positions - Those of the queries and those of the keys.
   * @param out - [heads, queries, valueDim]; changed.
   * @returns `out`.
   * @throws {@link PosencError} as `scores`; `SHAPE` when there are no `values`.
   */
  addValues<Out extends Floats>(probabilities: Floats, positions: ScorePositions, out: Out): Out {
    return this.call((self, call) => {
      const weights = call.input("probabilities", probabilities);
      const places = call.positions(positions);
      return call.change(out, (...target) =>
        this.memory.module.shaw_add_values(self, ...weights, ...places, ...target),
      );
    }) as Out;
  }
}
