import { Bias, type ScorePositions } from "./bias.js";
import { boolean, fail, filled, integer } from "./check.js";
import type { Floats, Floats32, NewFloats } from "./float_buffer.js";
import type { Memory } from "./memory.js";
import type { Pointer } from "./module.js";
import type { PositionArray } from "./positions.js";

/** Parameters of T5's relative position bias. */
export interface T5Config {
  /** 1 to 2^24. */
  readonly heads: number;
  /**
   * True for encoders (keys after the query have buckets of their own), false for decoders (they
   * all share bucket 0; masking them is attention's part).
   */
  readonly bidirectional: boolean;
  /**
   * At least 4 when bidirectional, else 2; at most 2^16.
   * @defaultValue 32
   */
  readonly numBuckets?: number;
  /**
   * Distances from here on share the last bucket. Larger than the number of exact buckets
   * (numBuckets/4 when bidirectional, else numBuckets/2), below 2^31.
   * @defaultValue 128
   */
  readonly maxDistance?: number;
  /**
   * The trained table [numBuckets, heads]. A Float32Array is copied; a buffer is used where it lies.
   * Not needed when only buckets are wanted.
   */
  readonly table?: Floats;
}

/** What an option of {@link T5Config} is when it is not given. */
export const T5_DEFAULTS = { numBuckets: 32, maxDistance: 128 } as const;

const NAME = "t5";

/**
 * T5's bias: a trained value per head and bucket of the distance key - query; near distances have a
 * bucket each, far ones share buckets of logarithmic width. T5 itself does not scale its scores by
 * 1/sqrt(headDim): give attention scale 1. Positions are whole numbers.
 * Source: Raffel et al. 2020, arXiv 1910.10683; thresholds are exact integers.
 *
 * @example
 * ```ts
 * const t5 = posenc.t5({ heads: 8, bidirectional: true, table: relativeAttentionBias }); // [32, 8]
 * const bias = t5.bias({ queries: { length: 64 }, keys: { length: 64 } }); // [8, 64, 64]
 * t5.bucket(-9); // 8
 * t5.dispose();
 * ```
 */
export class T5 extends Bias {
  /** The config without its table, with what was not given filled in. */
  readonly config: Required<Omit<T5Config, "table">>;

  /** @internal */
  constructor(memory: Memory, config: T5Config) {
    const { module } = memory;
    const full = filled(NAME, "config", config, ["heads", "bidirectional", "table"], T5_DEFAULTS);
    const plain = {
      heads: integer(NAME, "heads", full.heads),
      bidirectional: boolean(NAME, "bidirectional", full.bidirectional),
      numBuckets: integer(NAME, "numBuckets", full.numBuckets),
      maxDistance: integer(NAME, "maxDistance", full.maxDistance),
    };
    const table = full.table && memory.hold(NAME, "table", full.table);
    const make = {
      ...plain,
      table: table?.address() ?? (0 as Pointer),
      tableValues: table?.size ?? 0,
    };
    super(memory, {
      name: NAME,
      heads: full.heads,
      address: memory.made(NAME, () => module.t5_make(make), table),
      dispose: module.t5_dispose,
      held: table,
      distances: module.t5_distances,
      bias: module.t5_bias,
    });
    this.config = Object.freeze(plain);
  }

  /**
   * The bucket of a distance key - query. Exact.
   * @throws {@link PosencError} `VALUE_RANGE` (not a whole number), `TYPE` or `DISPOSED`.
   */
  bucket(distance: number | bigint): number {
    const list = typeof distance === "bigint" ? BigInt64Array.of(clamped(distance)) : [distance];
    return this.buckets(list)[0] ?? 0;
  }

  /**
   * The buckets of many distances.
   *
   * @param distances - Distances key - query, whole numbers.
   * @returns [distances].
   * @throws {@link PosencError} `VALUE_RANGE`, `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`.
   */
  buckets(distances: PositionArray): Int32Array<ArrayBuffer> {
    const memory = this.memory;
    const self = this.address(NAME, "");
    try {
      const [kind, first, count] = memory.positionList(NAME, "distances", distances);
      if (kind === 3) expectWhole(distances as readonly number[]);
      const out = memory.scratch(4 * count, NAME, "distances");
      memory.module.t5_buckets(self, kind, first, count, out);
      return memory.int32s(out, count);
    } finally {
      memory.close();
    }
  }

  /**
   * The smallest |distance| of each bucket of one direction.
   *
   * @returns Whole numbers, ascending; [0] is 0.
   * @throws {@link PosencError} `DISPOSED`.
   */
  thresholds(): number[] {
    const memory = this.memory;
    const self = this.address(NAME, "");
    const address = memory.module.t5_thresholds(self);
    return memory.int64s(address, memory.module.t5_threshold_count(self));
  }

  /**
   * The gradient of the table from that of the bias. Sums in double, rounded once.
   *
   * @param positions - Those of the queries and those of the keys.
   * @param gradient - [heads, queries, keys].
   * @param out - [numBuckets, heads]; a new array when not given.
   * @returns `out`.
   * @throws {@link PosencError} as `distances`.
   */
  tableGradient<Out extends Floats32 = NewFloats>(
    positions: ScorePositions,
    gradient: Floats,
    out?: Out,
  ): Out {
    const { numBuckets, heads } = this.config;
    const verb = this.memory.module.t5_table_gradient;
    return this.gradientOf(verb, positions, gradient, numBuckets * heads, out) as Out;
  }
}

/** Every distance beyond 2^62 has the bucket of 2^62. */
function clamped(distance: bigint): bigint {
  const limit = 1n << 62n;
  if (distance > limit) return limit;
  return distance < -limit ? -limit : distance;
}

function expectWhole(distances: ArrayLike<number>): void {
  for (let index = 0; index < distances.length; ++index) {
    const distance = distances[index];
    if (!Number.isInteger(distance)) {
      fail("VALUE_RANGE", NAME, "distances", "whole numbers", distance);
    }
  }
}
