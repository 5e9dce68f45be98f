import { boolean, count, optional, optionalPosition, options, position } from "./check.js";
import type { Floats, Floats32 } from "./float_buffer.js";
import { apart, newFloats, sizeOf } from "./floats.js";
import type { Memory } from "./memory.js";
import type { AttentionCall, CoreModule, Pointer, WasmModule } from "./module.js";

/** What is added to the scaled scores before softmax; nothing at all is NoPE. */
export interface ScoreTerms {
  /**
   * A bias of the distance key - query alone: [heads, distances], distance d at index
   * d - firstDistance. It must cover every distance of the call. What `distances(...)` of alibi and
   * t5 writes.
   */
  readonly distances?: Floats32;
  /**
   * The distance at index 0 of `distances`.
   * @defaultValue 0
   */
  readonly firstDistance?: number | bigint;
  /** A bias of any form: [heads, queryCount, keyCount]. */
  readonly bias?: Floats32;
  /** A bias of the key alone: [heads, keyCount]. What `keyBias(...)` of alibi writes. */
  readonly keyBias?: Floats32;
}

/** Shapes and options of one attention call. */
export interface AttentionArgs<Out extends Floats = Floats> {
  /**
   * Query heads.
   * @defaultValue 1
   */
  readonly heads?: number;
  /**
   * Key-value heads; must divide `heads`. Query head h reads key-value head h / (heads / kvHeads).
   * @defaultValue heads
   */
  readonly kvHeads?: number;
  readonly queryCount: number;
  readonly keyCount: number;
  /** Width of q and k, at least 1. */
  readonly headDim: number;
  /**
   * Width of v and out.
   * @defaultValue headDim
   */
  readonly valueDim?: number;
  /**
   * What q.k is multiplied with; T5 uses 1.
   * @defaultValue 1 / sqrt(headDim)
   */
  readonly scale?: number;
  /**
   * Whether keys after the query are not seen.
   * @defaultValue false
   */
  readonly causal?: boolean;
  /**
   * Position of query 0 when key 0 has position 0.
   * @defaultValue keyCount - queryCount: the queries are the last of the keys, as in decoding
   */
  readonly queryOffset?: number | bigint;
  readonly terms?: ScoreTerms;
  /** Where the probabilities go, [heads, queryCount, keyCount], when they are wanted. */
  readonly probabilities?: Floats;
  /**
   * Where the result goes, [heads, queryCount, valueDim].
   * @defaultValue a new array
   */
  readonly out?: Out;
}

const NAME = "attention";
/** @internal */
export const OPTIONS = [
  "heads",
  "kvHeads",
  "queryCount",
  "keyCount",
  "headDim",
  "valueDim",
  "scale",
  "causal",
  "queryOffset",
  "terms",
  "probabilities",
  "out",
];
/** @internal */
export const TERM_OPTIONS = ["distances", "firstDistance", "bias", "keyBias"];
const NOWHERE = 0 as Pointer;

/** What runs a call. @internal */
export type Verbs = Pick<WasmModule, "attention" | "attention_workspace_size">;

/**
 * `Posenc.attention`, or another verb of the same call: `verbs` may read more options, and adds to
 * `given` what it reads.
 * @internal
 */
export function attention(
  memory: Memory<CoreModule>,
  q: Floats,
  k: Floats,
  v: Floats,
  args: AttentionArgs,
  verbs: (given: Floats[]) => Verbs,
  names = OPTIONS,
  termNames = TERM_OPTIONS,
): Floats {
  options(NAME, "args", args, names);
  const terms = args.terms ?? {};
  options(NAME, "terms", terms, termNames);
  const numbers = attentionNumbers(args, terms);
  const { heads, queryCount, headDim, valueDim } = numbers;
  const out = args.out ?? newFloats(NAME, "out", heads * queryCount * (valueDim || headDim));
  const { probabilities } = args;
  try {
    const { distances, bias, keyBias } = terms;
    const given = [q, k, v, distances, bias, keyBias].filter((x) => x !== undefined);
    const term = (field: "distances" | "bias" | "keyBias"): Pointer =>
      terms[field] === undefined ? NOWHERE : memory.input32(NAME, field, terms[field]);
    const call: AttentionCall = {
      ...numbers,
      q: memory.input(NAME, "q", q),
      qValues: sizeOf(q),
      k: memory.input(NAME, "k", k),
      kValues: sizeOf(k),
      v: memory.input(NAME, "v", v),
      vValues: sizeOf(v),
      distances: term("distances"),
      distanceValues: distances?.length ?? 0,
      bias: term("bias"),
      biasValues: bias?.length ?? 0,
      keyBias: term("keyBias"),
      keyBiasValues: keyBias?.length ?? 0,
      out: memory.output(NAME, "out", out),
      outValues: sizeOf(out),
      probabilities: probabilities ? memory.output(NAME, "probabilities", probabilities) : NOWHERE,
      probabilityValues: probabilities ? sizeOf(probabilities) : 0,
      workspace: NOWHERE,
      workspaceValues: 0,
    };
    const module = verbs(given);
    apart(NAME, "out", out, given);
    if (probabilities) apart(NAME, "probabilities", probabilities, [...given, out]);
    memory.ensure(NAME);
    call.workspaceValues = module.attention_workspace_size(call);
    call.workspace = memory.scratch(4 * call.workspaceValues, NAME, "workspace");
    memory.ensure(NAME);
    memory.check(module.attention(call));
    memory.give(out, call.out);
    if (probabilities) memory.give(probabilities, call.probabilities);
    return out;
  } finally {
    memory.close();
  }
}

/** The call's numbers, checked. */
function attentionNumbers(args: AttentionArgs, terms: ScoreTerms) {
  return {
    heads: count(NAME, "heads", args.heads ?? 1),
    kvHeads: count(NAME, "kvHeads", args.kvHeads ?? 0),
    queryCount: count(NAME, "queryCount", args.queryCount),
    keyCount: count(NAME, "keyCount", args.keyCount),
    headDim: count(NAME, "headDim", args.headDim),
    valueDim: count(NAME, "valueDim", args.valueDim ?? 0),
    scale: optional(NAME, "scale", args.scale),
    causal: boolean(NAME, "causal", args.causal ?? false),
    queryOffset: optionalPosition(NAME, "queryOffset", args.queryOffset),
    firstDistance: position(NAME, "firstDistance", terms.firstDistance ?? 0),
  };
}
