import {
  type AttentionArgs,
  attention,
  OPTIONS,
  type ScoreTerms,
  TERM_OPTIONS,
  type Verbs,
} from "./attention.js";
import type { AttentionModule, AttentionMore } from "./attention_module.js";
import { choice, integer, number, options, position } from "./check.js";
import type { Floats, Floats32 } from "./float_buffer.js";
import { sizeOf } from "./floats.js";
import type { Memory } from "./memory.js";
import type { CoreModule, Pointer, Values } from "./module.js";
import { ROPE_LAYOUTS, type RopeLayout } from "./rope_layout.js";
import { wholes32 } from "./wholes.js";

/** Tables with which attention rotates q and k as it reads them: what `rope.angles` gives. */
export interface RotaryTables {
  /** [queryCount, rotaryDim / 2] each. */
  readonly queryCos: Floats32;
  readonly querySin: Floats32;
  /** [keyCount, rotaryDim / 2] each. */
  readonly keyCos: Floats32;
  readonly keySin: Floats32;
  /**
   * How many dims rotate, even.
   * @defaultValue headDim - rotaryStart
   */
  readonly rotaryDim?: number;
  /**
   * The first dim that rotates.
   * @defaultValue 0
   */
  readonly rotaryStart?: number;
  /** @defaultValue "half" */
  readonly layout?: RopeLayout;
}

/**
 * Terms that depend on content and on the distance key - query: Shaw's, DeBERTa's, Transformer-XL's.
 * A distance has a row of trained tables, which `index` names; scale is attention's.
 */
export interface RelativeTerms {
  /**
   * The row of distance d at d - firstDistance, below rowCount; negative for no row. It must cover
   * every distance of the call. What `shaw.index(...)` gives for one query at 0 and keys at the
   * distances.
   */
  readonly index: Int32Array;
  /** @defaultValue 0 */
  readonly firstDistance?: number | bigint;
  readonly rowCount: number;
  /**
   * Adds scale * (query + positionBias) . keys[row]: [rowCount, headDim], shared by the heads, or
   * [heads, rowCount, headDim].
   */
  readonly keys?: Floats;
  /** Adds scale * key . queries[row]: likewise. */
  readonly queries?: Floats;
  /**
   * Adds probability * values[row] to the output: [rowCount, valueDim], shared, or [heads, rowCount,
   * valueDim].
   */
  readonly values?: Floats;
  /** [heads, headDim]: what `keys` are multiplied with beside the query (Transformer-XL's v). */
  readonly positionBias?: Floats;
  /** [heads, headDim]: added to the query before q . k (Transformer-XL's u). */
  readonly contentBias?: Floats;
}

/** The terms of `posenc/all`. */
export interface ScoreTermsMore extends ScoreTerms {
  readonly relative?: RelativeTerms;
}

/** Options of one attention call in `posenc/all`. */
export interface AttentionMoreArgs<Out extends Floats = Floats>
  extends Omit<AttentionArgs<Out>, "terms"> {
  /**
   * A query at position p sees keys at |p - position| < window alone; 0: at any distance.
   * @defaultValue 0
   */
  readonly window?: number;
  /**
   * softcap * tanh(x / softcap) of the scaled products, before the terms (Gemma 2); 0: none.
   * @defaultValue 0
   */
  readonly softcap?: number;
  /** [keyCount], 0 for keys that no query sees, such as padding. */
  readonly keyMask?: Uint8Array;
  readonly rotary?: RotaryTables;
  readonly terms?: ScoreTermsMore;
}

const NAME = "attention";
/** @internal */
export const MORE_OPTIONS = [...OPTIONS, "window", "softcap", "keyMask", "rotary"];
/** @internal */
export const MORE_TERMS = [...TERM_OPTIONS, "relative"];
const TABLES = ["queryCos", "querySin", "keyCos", "keySin"] as const;
const ROTARY = [...TABLES, "rotaryDim", "rotaryStart", "layout"];
const RELATIVE = [
  ...["index", "firstDistance", "rowCount", "keys", "queries", "values"],
  ...["positionBias", "contentBias"],
];
const NOTHING: Values = { address: 0 as Pointer, count: 0 };

/** What has attention with all options. @internal */
export type AttentionMoreModule = CoreModule &
  Pick<AttentionModule, "attention_more" | "attention_more_workspace_size">;

/** `PosencAll.attention`, or another verb of the same call. @internal */
export function attentionMore(
  memory: Memory<AttentionMoreModule>,
  q: Floats,
  k: Floats,
  v: Floats,
  args: AttentionMoreArgs,
  verbs = (more: AttentionMore): Verbs => ({
    attention: (call) => memory.module.attention_more(call, more),
    attention_workspace_size: (call) => memory.module.attention_more_workspace_size(call, more),
  }),
  names = MORE_OPTIONS,
): Floats {
  const read = (given: Floats[]) => verbs(moreOf(memory, args, given));
  return attention(memory, q, k, v, args, read, names, MORE_TERMS);
}

/** What attention takes beside the options of `posenc`; adds to `given` what it reads. @internal */
export function moreOf(
  memory: Memory<CoreModule>,
  args: AttentionMoreArgs,
  given: Floats[],
): AttentionMore {
  const floats = (field: string, x: Floats | undefined): Values => {
    if (x === undefined) return NOTHING;
    given.push(x);
    return { address: memory.input(NAME, field, x), count: sizeOf(x) };
  };
  const { keyMask } = args;
  return {
    window: integer(NAME, "window", args.window ?? 0),
    softcap: number(NAME, "softcap", args.softcap ?? 0),
    keyMask: keyMask
      ? { address: memory.bytes(NAME, "keyMask", keyMask), count: keyMask.length }
      : NOTHING,
    ...rotaryOf(memory, args, given),
    ...relativeOf(memory, args.terms?.relative, floats),
  };
}

function rotaryOf(memory: Memory<CoreModule>, args: AttentionMoreArgs, given: Floats[]) {
  const rotary: Partial<RotaryTables> = args.rotary ?? {};
  options(NAME, "rotary", rotary, ROTARY);
  const table = (field: (typeof TABLES)[number]): Values => {
    if (!args.rotary) return NOTHING;
    const x = rotary[field] as Floats32;
    const address = memory.input32(NAME, field, x);
    given.push(x);
    return { address, count: x.length };
  };
  const rotaryStart = integer(NAME, "rotaryStart", rotary.rotaryStart ?? 0);
  const rest = args.rotary ? Math.max(0, args.headDim - rotaryStart) : 0;
  return {
    queryCos: table("queryCos"),
    querySin: table("querySin"),
    keyCos: table("keyCos"),
    keySin: table("keySin"),
    rotaryDim: integer(NAME, "rotaryDim", rotary.rotaryDim ?? rest),
    rotaryStart,
    rotaryLayout: choice(NAME, "layout", rotary.layout ?? "half", ROPE_LAYOUTS),
  };
}

function relativeOf(
  memory: Memory<CoreModule>,
  given: RelativeTerms | undefined,
  floats: (field: string, x: Floats | undefined) => Values,
) {
  const relative: Partial<RelativeTerms> = given ?? {};
  options(NAME, "relative", relative, RELATIVE);
  const [address, count] = given
    ? wholes32(memory, NAME, "relativeIndex", given.index)
    : [0 as Pointer, 0];
  return {
    relativeIndex: { address, count },
    relativeFirstDistance: position(NAME, "firstDistance", relative.firstDistance ?? 0),
    rowCount: integer(NAME, "rowCount", relative.rowCount ?? 0),
    relativeKeys: floats("relativeKeys", relative.keys),
    relativeQueries: floats("relativeQueries", relative.queries),
    relativeValues: floats("relativeValues", relative.values),
    positionBias: floats("positionBias", relative.positionBias),
    contentBias: floats("contentBias", relative.contentBias),
  };
}
