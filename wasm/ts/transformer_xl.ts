import type { AllModule } from "./all_module.js";
import { Call, closing } from "./calls.js";
import { count, filled, integer, number, options, position } from "./check.js";
import { PosencError } from "./errors.js";
import type { Floats, Floats32, NewFloats } from "./float_buffer.js";
import { lengthOf } from "./floats.js";
import { HeldTables } from "./held_tables.js";
import type { Memory } from "./memory.js";
import { Relative, type ScaledScoreArgs } from "./relative.js";

/**
 * Parameters of Transformer-XL's relative attention, and XLNet's. Tables given as arrays are copied;
 * buffers are used where they lie.
 */
export interface TransformerXlConfig {
  /** 1 to 4096. */
  readonly heads: number;
  /** 1 to 4096. */
  readonly headDim: number;
  /**
   * Width of the sinusoid rows, even, 2 to 4096; 0 when projected rows are given.
   * @defaultValue 0
   */
  readonly dModel?: number;
  /**
   * Of the sinusoid rows: 1 to 1e30.
   * @defaultValue 10000
   */
  readonly base?: number;
  /**
   * Sinusoid positions are clipped to this magnitude; negative: not at all.
   * @defaultValue -1
   */
  readonly clampLen?: number;
  /** Trained r_w_bias (u), [heads, headDim]. */
  readonly contentBias: Floats;
  /** Trained r_r_bias (v), [heads, headDim]. */
  readonly positionBias: Floats;
  /** XLNet's r_s_bias, [heads, headDim]; left out without segments. */
  readonly segmentBias?: Floats;
  /** XLNet's seg_embed, [2, heads, headDim]; left out without segments. */
  readonly segmentEmbedding?: Floats;
}

/** What an option of {@link TransformerXlConfig} is when it is not given. */
export const TRANSFORMER_XL_DEFAULTS = { dModel: 0, base: 10000, clampLen: -1 } as const;

/** Positions, scale and the distances that rows belong to. */
export interface TransformerXlScoreArgs<Out extends Floats32 = Floats32>
  extends ScaledScoreArgs<Out> {
  /** Row x of r belongs to the distance firstDistance - x. */
  readonly firstDistance: number | bigint;
}

/** The segments of queries and keys. */
export interface SegmentArgs {
  /** [queries]: whole numbers. */
  readonly querySegments: Int32Array;
  /** [keys]. */
  readonly keySegments: Int32Array;
  /**
   * What the term is multiplied with: the scale that attention is given.
   * @defaultValue 1 / sqrt(headDim)
   */
  readonly scale?: number;
}

/** The shape of a matrix that is shifted. */
export interface RelativeShiftArgs<Out extends Floats = Floats> {
  readonly queries: number;
  readonly keys: number;
  /**
   * [queries, keys]; must not overlap x.
   * @defaultValue a new array
   */
  readonly out?: Out;
}

type Table = "contentBias" | "positionBias" | "segmentBias" | "segmentEmbedding";

const NAME = "transformer_xl";
const REQUIRED = ["heads", "headDim"] as const;
const TABLES = ["contentBias", "positionBias", "segmentBias", "segmentEmbedding"] as const;

/**
 * Relative attention by a row per distance: score = ((q + u) . k + (q + v) . r[query - key] +
 * segment term) * scale. Attention computes q . k * scale; `scores` writes all the rest. Distances
 * are looked up where they belong, so no relative shift is needed and none can leak rows. Positions
 * are whole numbers.
 * Source: Dai et al. 2019, arXiv 1901.02860; XLNet, Yang et al. 2019, arXiv 1906.08237.
 *
 * @example
 * ```ts
 * const xl = posenc.transformerXl({ heads, headDim, dModel, contentBias, positionBias });
 * const r = xl.project(xl.rows(keys - 1, keys), weight); // [heads, keys, headDim]
 * const places = { queries: { offset: memory, length: queries }, keys: { length: keys } };
 * const bias = xl.scores(q, k, r, { ...places, firstDistance: keys - 1 });
 * const args = { heads, queryCount: queries, keyCount: keys, headDim, causal: true };
 * const out = posenc.attention(q, k, v, { ...args, terms: { bias } });
 * xl.dispose();
 * ```
 */
export class TransformerXl extends Relative {
  /** The config without its tables, with what was not given filled in. */
  readonly config: Required<Omit<TransformerXlConfig, Table>>;

  /** @internal */
  constructor(memory: Memory<AllModule>, config: TransformerXlConfig) {
    const { module } = memory;
    const names = [...REQUIRED, ...TABLES];
    const full = filled(NAME, "config", config, names, TRANSFORMER_XL_DEFAULTS);
    const plain = {
      heads: integer(NAME, "heads", full.heads),
      headDim: integer(NAME, "headDim", full.headDim),
      dModel: integer(NAME, "dModel", full.dModel),
      base: number(NAME, "base", full.base),
      clampLen: position(NAME, "clampLen", full.clampLen),
    };
    const { heads, headDim, dModel, base, clampLen } = plain;
    const { contentBias, positionBias, segmentBias, segmentEmbedding } = full;
    const optional = { segmentBias, segmentEmbedding };
    const held = new HeldTables(memory, NAME, { contentBias, positionBias }, optional);
    const make = () =>
      module.transformer_xl_make(
        heads,
        headDim,
        dModel,
        base,
        clampLen,
        ...held.scalars("contentBias"),
        ...held.scalars("positionBias"),
        ...held.scalars("segmentBias"),
        ...held.scalars("segmentEmbedding"),
      );
    super(memory, { name: NAME, make, dispose: module.transformer_xl_dispose, held });
    this.config = Object.freeze(plain);
  }

  /**
   * Writes the sinusoid rows [sin | cos] of distances first, first - 1, ..., clipped to clampLen:
   * first is keys - 1 for Transformer-XL and keys for XLNet, whose last is 0 (uni) or 1 - queries
   * (bi). Within 1 ulp of float32.
   *
   * @param first - The first distance.
   * @param length - How many.
   * @param out - [length, dModel]; a new array when not given.
   * @returns `out`.
   * @throws {@link PosencError} `SHAPE`, `POSITION_RANGE`, `VALUE_RANGE` (dModel is 0), `SIZE_LIMIT`,
   * `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`; nothing is written then.
   */
  rows<Out extends Floats = NewFloats>(first: number | bigint, length: number, out?: Out): Out {
    const { dModel } = this.config;
    return this.call((self, call) => {
      const distance = position(NAME, "first", first);
      const size = count(NAME, "length", length) * dModel;
      return call.write(out, size, (address, target) => {
        if (dModel !== 0 && out !== undefined && lengthOf(out) !== size) {
          const shape = `length * d_model = ${length} * ${dModel} = ${size}`;
          const what = `${NAME}: out must have ${shape} elements, got ${lengthOf(out)}`;
          throw new PosencError("SHAPE", "out", what);
        }
        return this.memory.module.transformer_xl_rows(self, distance, address, target);
      });
    }) as Out;
  }

  /**
   * Projects rows with the trained weight. Summed in double in order, rounded once.
   *
   * @param rows - [rows, dModel].
   * @param weight - [dModel, heads, headDim].
   * @param out - [heads, rows, headDim]; a new array when not given.
   * @returns `out`.
   * @throws {@link PosencError} `SHAPE`, `OVERLAP`, `SIZE_LIMIT`, `OUT_OF_MEMORY`, `TYPE` or
   * `DISPOSED`; nothing is written then.
   */
  project<Out extends Floats = NewFloats>(rows: Floats, weight: Floats, out?: Out): Out {
    const { heads, headDim, dModel } = this.config;
    return this.call((self, call) => {
      const inputs = [...call.input("rows", rows), ...call.input("weight", weight)] as const;
      const size = heads * headDim * Math.floor(lengthOf(rows) / (dModel || Infinity));
      return call.write(out, size, (...target) =>
        this.memory.module.transformer_xl_project(self, ...inputs, ...target),
      );
    }) as Out;
  }

  /**
   * Writes scale * (u . k + (q + v) . r[distance]), which `attention` takes as `terms.bias`: float32
   * whatever the type of q, k and r; distance = query - key, positions of memory come first. Where
   * the distance has no row (after the query when causal) the value is u . k * scale alone: mask it.
   * The workspace is the library's own.
   *
   * @param q - [heads, queries, headDim].
   * @param k - [heads, keys, headDim].
   * @param r - [heads, rows, headDim].
   * @returns `args.out`, or a new array: [heads, queries, keys].
   * @throws {@link PosencError} `SHAPE`, `POSITION_RANGE`, `VALUE_RANGE`, `OVERLAP`, `SIZE_LIMIT`,
   * `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`; nothing is written then.
   */
  scores<Out extends Floats32 = NewFloats>(
    q: Floats,
    k: Floats,
    r: Floats,
    args: TransformerXlScoreArgs<Out>,
  ): Out {
    const { heads, headDim } = this.config;
    const { module } = this.memory;
    return this.call((self, call) => {
      this.args(args, "scale", "firstDistance");
      const scale = this.scaleOf(args.scale, headDim);
      const first = position(NAME, "firstDistance", args.firstDistance);
      const inputs = [
        ...call.input("q", q),
        ...call.input("k", k),
        ...call.input("r", r),
        first,
      ] as const;
      const places = call.positions(args);
      const rows = Math.floor(lengthOf(r) / (heads * headDim));
      const workspace = call.workspace(module.transformer_xl_workspace_size(self, rows));
      return call.write32(args.out, heads * places[2] * places[5], (...out) =>
        module.transformer_xl_scores(self, ...inputs, ...places, scale, ...workspace, ...out),
      );
    }) as Out;
  }

  /**
   * Adds scale * (q + r_s_bias) . seg_embed[0 or 1] to the scores, 1 where the segments differ.
   *
   * @param q - [heads, queries, headDim].
   * @param args - The segments and the scale.
   * @param out - [heads, queries, keys]; changed.
   * @returns `out`.
   * @throws {@link PosencError} as `scores`; `SHAPE` when there is no `segmentEmbedding`.
   */
  addSegments<Out extends Floats32>(q: Floats, args: SegmentArgs, out: Out): Out {
    return this.call((self, call) => {
      options(NAME, "args", args, ["querySegments", "keySegments", "scale"]);
      const scale = this.scaleOf(args.scale, this.config.headDim);
      const query = call.input("q", q);
      const segments = [
        ...call.integers("querySegments", args.querySegments),
        ...call.integers("keySegments", args.keySegments),
      ] as const;
      return call.change32(out, (...target) =>
        this.memory.module.transformer_xl_add_segments(
          self,
          ...query,
          ...segments,
          scale,
          ...target,
        ),
      );
    }) as Out;
  }
}

/** `PosencAll.relativeShift`. @internal */
export function relativeShift(
  memory: Memory<AllModule>,
  x: Floats,
  args: RelativeShiftArgs,
): Floats {
  return closing(memory, () => {
    const call = new Call(memory, NAME);
    options(NAME, "args", args, ["queries", "keys", "out"]);
    const queries = count(NAME, "queries", args.queries);
    const keys = count(NAME, "keys", args.keys);
    const source = call.input("x", x);
    return call.write(args.out, queries * keys, (...out) =>
      memory.module.relative_shift(...source, queries, keys, ...out),
    );
  });
}
