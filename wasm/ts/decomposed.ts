import type { AllModule } from "./all_module.js";
import { Call } from "./calls.js";
import { filled, integer } from "./check.js";
import type { Floats, Floats32, NewFloats } from "./float_buffer.js";
import { lengthOf } from "./floats.js";
import type { Memory } from "./memory.js";
import { Relative } from "./relative.js";

/** Parameters of decomposed 2-D relative positions. */
export interface DecomposedConfig {
  /** Cells of the query's grid, row-major; each side 1 to 2048. */
  readonly queryHeight: number;
  /** As `queryHeight`. */
  readonly queryWidth: number;
  /** The same of the key's grid. */
  readonly keyHeight: number;
  /** As `keyHeight`. */
  readonly keyWidth: number;
  /** Width of a head, 1 to 4096. */
  readonly headDim: number;
  /**
   * The trained table rel_pos_h, [rows, headDim]. Copied. A table with other than 2 max(query side,
   * key side) - 1 rows is resized to that, linearly with half-pixel centres, as the published code
   * does; at most 4096 rows.
   */
  readonly tableH: Floats;
  /** As `tableH`: rel_pos_w. */
  readonly tableW: Floats;
}

const NAME = "decomposed";
const SIZES = ["queryHeight", "queryWidth", "keyHeight", "keyWidth", "headDim"] as const;

/**
 * SAM's and MViTv2's relative positions: the score of a query cell (y, x) and a key cell (ky, kx)
 * gets q . Rh[y, ky] + q . Rw[x, kx]. The row of a pair is
 * trunc(y max(K/Q, 1) - ky max(Q/K, 1) + (K - 1) max(Q/K, 1)). q is not scaled.
 * Source: Li et al. 2021, arXiv 2112.01526; segment-anything.
 *
 * @example
 * ```ts
 * const sizes = { queryHeight: 14, queryWidth: 14, keyHeight: 14, keyWidth: 14, headDim: 64 };
 * const decomposed = posenc.decomposed({ ...sizes, tableH: relPosH, tableW: relPosW }); // [27, 64]
 * const bias = decomposed.scores(q); // [heads, 196, 196]
 * decomposed.dispose();
 * ```
 */
export class Decomposed extends Relative {
  /** The config without its tables. */
  readonly config: Required<Omit<DecomposedConfig, "tableH" | "tableW">>;

  /** @internal */
  constructor(memory: Memory<AllModule>, config: DecomposedConfig) {
    const { module } = memory;
    const full = filled(NAME, "config", config, [...SIZES, "tableH", "tableW"], {});
    const plain = {
      queryHeight: integer(NAME, "queryHeight", full.queryHeight),
      queryWidth: integer(NAME, "queryWidth", full.queryWidth),
      keyHeight: integer(NAME, "keyHeight", full.keyHeight),
      keyWidth: integer(NAME, "keyWidth", full.keyWidth),
      headDim: integer(NAME, "headDim", full.headDim),
    };
    const make = () => {
      const call = new Call(memory, NAME);
      return module.decomposed_make(
        plain.queryHeight,
        plain.queryWidth,
        plain.keyHeight,
        plain.keyWidth,
        plain.headDim,
        ...call.input("tableH", full.tableH),
        ...call.input("tableW", full.tableW),
      );
    };
    super(memory, { name: NAME, make, dispose: module.decomposed_dispose });
    this.config = Object.freeze(plain);
  }

  /**
   * Writes the terms, which `attention` takes as `terms.bias`: float32 whatever the type of q.
   * Error: at most (headDim + 3) * 2^-24 * sum of |products|.
   *
   * @param q - [heads, queries, headDim], heads including the batch.
   * @param out - [heads, queries, keys]; a new array when not given.
   * @returns `out`.
   * @throws {@link PosencError} `SHAPE`, `OVERLAP`, `SIZE_LIMIT`, `OUT_OF_MEMORY`, `TYPE` or
   * `DISPOSED`; nothing is written then.
   */
  scores<Out extends Floats32 = NewFloats>(q: Floats, out?: Out): Out {
    const { queryHeight, queryWidth, keyHeight, keyWidth, headDim } = this.config;
    return this.call((self, call) => {
      const query = call.input("q", q);
      const queries = queryHeight * queryWidth;
      const heads = Math.floor(lengthOf(q) / (queries * headDim));
      return call.write32(out, heads * queries * keyHeight * keyWidth, (...target) =>
        this.memory.module.decomposed_scores(self, ...query, ...target),
      );
    }) as Out;
  }
}
