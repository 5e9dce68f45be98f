import type { AllModule } from "./all_module.js";
import { Call, headsOf } from "./calls.js";
import { boolean, filled, integer } from "./check.js";
import type { Floats, Floats32, NewFloats } from "./float_buffer.js";
import type { Memory } from "./memory.js";
import { Relative, type ScoreArgs } from "./relative.js";

/** Parameters of contextual position encoding. */
export interface CopeConfig {
  /** 1 to 4096. */
  readonly headDim: number;
  /** Rows of the table; positions stop at maxPos - 1: 1 to 4096. */
  readonly maxPos: number;
  /** The trained table [maxPos, headDim], shared by the heads. Copied. */
  readonly table: Floats;
  /**
   * Keys after the query are masked: their gate is 0 and their bias -Infinity.
   * @defaultValue true
   */
  readonly causal?: boolean;
}

/** What an option of {@link CopeConfig} is when it is not given. */
export const COPE_DEFAULTS = { causal: true } as const;

const NAME = "cope";

/**
 * CoPE: positions that count what the model chooses to count. The gate of a key is sigmoid(its
 * logit); its position is the sum of the gates from it to the last key, at most maxPos - 1; its bias
 * interpolates q . table between the two whole positions around it. Keys stand in the order of time.
 * Source: Golovneva et al. 2024, arXiv 2405.18719.
 *
 * @example
 * ```ts
 * const cope = posenc.cope({ headDim: 64, maxPos: 64, table }); // [64, 64]
 * const args = { heads, queryCount: length, keyCount: length, headDim: 64 };
 * const logits = posenc.attentionScores(q, k, args); // [heads, length, length]
 * const bias = cope.scores(q, logits, { queries: { length }, keys: { length } });
 * const out = posenc.attention(q, k, v, { ...args, terms: { bias } });
 * cope.dispose();
 * ```
 */
export class Cope extends Relative {
  /** The config without its table, with what was not given filled in. */
  readonly config: Required<Omit<CopeConfig, "table">>;

  /** @internal */
  constructor(memory: Memory<AllModule>, config: CopeConfig) {
    const { module } = memory;
    const names = ["headDim", "maxPos", "table"] as const;
    const full = filled(NAME, "config", config, names, COPE_DEFAULTS);
    const headDim = integer(NAME, "headDim", full.headDim);
    const maxPos = integer(NAME, "maxPos", full.maxPos);
    const causal = boolean(NAME, "causal", full.causal);
    const make = () => {
      const table = new Call(memory, NAME).input("table", full.table);
      return module.cope_make(headDim, maxPos, causal, ...table);
    };
    super(memory, { name: NAME, make, dispose: module.cope_dispose });
    this.config = Object.freeze({ headDim, maxPos, causal });
  }

  /**
   * Writes the position of each key for each query. Gates are summed in double from the last key on,
   * and rounded once; 0 at masked keys. From a NaN on, all keys before it have NaN, here and in
   * `scores`.
   *
   * @param logits - [heads, queries, keys]: q . k * scale, what `attentionScores` writes.
   * @returns `args.out`, or a new array: [heads, queries, keys].
   * @throws {@link PosencError} `SHAPE`, `POSITION_RANGE`, `OVERLAP`, `SIZE_LIMIT`, `OUT_OF_MEMORY`,
   * `TYPE` or `DISPOSED`; nothing is written then.
   */
  positions<Out extends Floats = NewFloats>(logits: Floats, args: ScoreArgs<Out>): Out {
    return this.call((self, call) => {
      this.args(args);
      const input = call.input("logits", logits);
      const places = call.positions(args);
      const plane = places[2] * places[5];
      return call.write(args.out, headsOf(logits, plane) * plane, (...out) =>
        this.memory.module.cope_positions(self, ...input, ...places, ...out),
      );
    }) as Out;
  }

  /**
   * Writes the bias, which `attention` takes as `terms.bias`: float32 whatever the type of q and
   * logits. Error: at most (headDim + 4) * 2^-24 * sum |q_i table_i|.
   *
   * @param q - [heads, queries, headDim].
   * @param logits - As of `positions`.
   * @returns `args.out`, or a new array: [heads, queries, keys].
   * @throws {@link PosencError} as `positions`.
   */
  scores<Out extends Floats32 = NewFloats>(q: Floats, logits: Floats, args: ScoreArgs<Out>): Out {
    return this.call((self, call) => {
      this.args(args);
      const inputs = [...call.input("q", q), ...call.input("logits", logits)] as const;
      const places = call.positions(args);
      const plane = places[2] * places[5];
      return call.write32(args.out, headsOf(logits, plane) * plane, (...out) =>
        this.memory.module.cope_scores(self, ...inputs, ...places, ...out),
      );
    }) as Out;
  }
}
