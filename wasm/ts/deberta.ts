import type { AllModule } from "./all_module.js";
import type { ScorePositions } from "./bias.js";
import { Call } from "./calls.js";
import { boolean, filled, integer, number, options, position } from "./check.js";
import type { Floats, Floats32, NewFloats } from "./float_buffer.js";
import type { Memory } from "./memory.js";
import type { FloatScalars } from "./module.js";
import { Relative, type ScoreArgs } from "./relative.js";

/** A projection y = weight x + bias of the rows of a table. Copied. */
export interface DebertaProjection {
  /**
   * [heads * headDim, heads * headDim] as [out, in].
   * @defaultValue the identity
   */
  readonly weight?: Floats;
  /**
   * [heads * headDim].
   * @defaultValue none
   */
  readonly bias?: Floats;
}

/** Parameters of DeBERTa's disentangled attention. */
export interface DebertaConfig {
  /** 1 to 4096. */
  readonly heads: number;
  /** 1 to 4096. */
  readonly headDim: number;
  /**
   * The term of content to position of pos_att_type; this or p2c must be true.
   * @defaultValue true
   */
  readonly c2p?: boolean;
  /**
   * The term of position to content.
   * @defaultValue true
   */
  readonly p2c?: boolean;
  /**
   * v2 and v3: distances share buckets of logarithmic width beyond positionBuckets / 2; even, at
   * least 4. 0: every distance has a row (v1).
   * @defaultValue 0
   */
  readonly positionBuckets?: number;
  /** The largest distance; with buckets above positionBuckets / 2 + 1; at most 2^24. */
  readonly maxRelativePositions: number;
  /**
   * Rows of the table on each side, at most 2048; 0 stands for positionBuckets when there are
   * buckets, else maxRelativePositions.
   * @defaultValue 0
   */
  readonly attSpan?: number;
  /**
   * The trained table [2 attSpan, heads * headDim], shared by all layers. Copied. Not needed when
   * only buckets are wanted.
   */
  readonly relEmbeddings?: Floats;
  /** Layer norm of the table's rows before they are projected (v2, v3), [heads * headDim]. */
  readonly normWeight?: Floats;
  /** As `normWeight`. */
  readonly normBias?: Floats;
  /** @defaultValue 1e-7 */
  readonly normEps?: number;
  /** Of the table for keys (c2p). With share_att_key this is the layer's own key projection. */
  readonly posKey?: DebertaProjection;
  /** Of the table for queries (p2c), likewise. */
  readonly posQuery?: DebertaProjection;
}

/** What an option of {@link DebertaConfig} is when it is not given. */
export const DEBERTA_DEFAULTS = {
  c2p: true,
  p2c: true,
  positionBuckets: 0,
  attSpan: 0,
  normEps: 1e-7,
} as const;

type Table = "relEmbeddings" | "normWeight" | "normBias" | "posKey" | "posQuery";

const NAME = "deberta";
const REQUIRED = ["heads", "headDim", "maxRelativePositions"] as const;
const TABLES = ["relEmbeddings", "normWeight", "normBias", "posKey", "posQuery"] as const;

/** Weight and bias of a projection. */
function projection(
  call: Call,
  field: string,
  given: DebertaProjection = {},
): [...weight: FloatScalars, ...bias: FloatScalars] {
  options(NAME, field, given, ["weight", "bias"]);
  const weight = call.optional(`${field}.weight`, given.weight);
  return [...weight, ...call.optional(`${field}.bias`, given.bias)];
}

/**
 * DeBERTa's relative positions: scores get q . K[d] (c2p) and k . Q[d] (p2c), K and Q projections of
 * one table, d = clip(bucket(query - key) + attSpan, 0, 2 attSpan - 1) in both, as the published code
 * does (the paper's p2c writes the distance the other way round). Positions are whole numbers.
 * Source: He et al. 2020, arXiv 2006.03654; buckets are exact integers.
 *
 * @example
 * ```ts
 * const deberta = posenc.deberta({
 *   heads: 12, headDim: 64, positionBuckets: 256, maxRelativePositions: 512,
 *   relEmbeddings, posKey: { weight: wk, bias: bk }, posQuery: { weight: wq, bias: bq },
 * });
 * const bias = deberta.scores(q, k, { queries: { length }, keys: { length } });
 * const args = { heads: 12, queryCount: length, keyCount: length, headDim: 64 };
 * const out = posenc.attention(q, k, v, { ...args, scale: deberta.scale, terms: { bias } });
 * deberta.dispose();
 * ```
 */
export class Deberta extends Relative {
  /** The config without its tables, with what was not given filled in. */
  readonly config: Required<Omit<DebertaConfig, Table>>;
  /**
   * 1 / sqrt(headDim * (1 + the number of terms)): the scale that attention must be given, and what
   * `scores` multiplies by.
   */
  readonly scale: number;

  /** @internal */
  constructor(memory: Memory<AllModule>, config: DebertaConfig) {
    const { module } = memory;
    const full = filled(NAME, "config", config, [...REQUIRED, ...TABLES], DEBERTA_DEFAULTS);
    const plain = {
      heads: integer(NAME, "heads", full.heads),
      headDim: integer(NAME, "headDim", full.headDim),
      c2p: boolean(NAME, "c2p", full.c2p),
      p2c: boolean(NAME, "p2c", full.p2c),
      positionBuckets: integer(NAME, "positionBuckets", full.positionBuckets),
      maxRelativePositions: integer(NAME, "maxRelativePositions", full.maxRelativePositions),
      attSpan: integer(NAME, "attSpan", full.attSpan),
      normEps: number(NAME, "normEps", full.normEps),
    };
    const make = () => {
      const call = new Call(memory, NAME);
      return module.deberta_make(
        plain.heads,
        plain.headDim,
        plain.c2p,
        plain.p2c,
        plain.positionBuckets,
        plain.maxRelativePositions,
        plain.attSpan,
        plain.normEps,
        ...call.optional("relEmbeddings", full.relEmbeddings),
        ...call.optional("normWeight", full.normWeight),
        ...call.optional("normBias", full.normBias),
        ...projection(call, "posKey", full.posKey),
        ...projection(call, "posQuery", full.posQuery),
      );
    };
    super(memory, { name: NAME, make, dispose: module.deberta_dispose });
    const self = this.address(NAME, "");
    this.config = Object.freeze({ ...plain, attSpan: module.deberta_att_span(self) });
    this.scale = module.deberta_scale(self);
  }

  /**
   * The bucket of a distance query - key; the distance itself without buckets. Exact.
   * @throws {@link PosencError} `VALUE_RANGE`, `POSITION_RANGE`, `TYPE` or `DISPOSED`.
   */
  bucket(distance: number | bigint): number {
    const self = this.address(NAME, "");
    return this.memory.module.deberta_bucket(self, position(NAME, "distance", distance));
  }

  /**
   * The bucket of each query and key. Exact.
   *
   * @param positions - Those of the queries and those of the keys.
   * @returns [queries, keys].
   * @throws {@link PosencError} `POSITION_RANGE`, `SIZE_LIMIT`, `OUT_OF_MEMORY`, `TYPE` or
   * `DISPOSED`.
   */
  relativePositions(positions: ScorePositions): Int32Array<ArrayBuffer> {
    return this.rowsOf(this.memory.module.deberta_relative_positions, positions);
  }

  /**
   * Writes scale * (the terms), which `attention` takes as `terms.bias`: float32 whatever the type of
   * q and k. Error: at most (headDim + 4) * 2^-24 * sum of |products| * scale, and 2^-24 relative of
   * each projected row.
   *
   * @param q - [heads, queries, headDim].
   * @param k - [heads, keys, headDim].
   * @returns `args.out`, or a new array: [heads, queries, keys].
   * @throws {@link PosencError} `SHAPE`, `POSITION_RANGE`, `OVERLAP`, `SIZE_LIMIT`, `OUT_OF_MEMORY`,
   * `TYPE` or `DISPOSED`; nothing is written then.
   */
  scores<Out extends Floats32 = NewFloats>(q: Floats, k: Floats, args: ScoreArgs<Out>): Out {
    return this.call((self, call) => {
      this.args(args);
      const inputs = [...call.input("q", q), ...call.input("k", k)] as const;
      const places = call.positions(args);
      return call.write32(args.out, this.config.heads * places[2] * places[5], (...out) =>
        this.memory.module.deberta_scores(self, ...inputs, ...places, ...out),
      );
    }) as Out;
  }
}
