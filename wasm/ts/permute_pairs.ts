import type { AllModule } from "./all_module.js";
import { choice, filled, integer } from "./check.js";
import type { Floats, NewFloats } from "./float_buffer.js";
import { apart, lengthOf, newFloats, sizeOf } from "./floats.js";
import type { Memory } from "./memory.js";
import { ROPE_LAYOUTS, type RopeLayout } from "./rope_layout.js";

/** The weight of a query or key projection whose rotated rows change their pairing. */
export interface PermutePairsArgs<Out extends Floats = Floats> {
  /**
   * Heads of this weight.
   * @defaultValue 1
   */
  readonly heads?: number;
  /** Rows of a head. */
  readonly headDim: number;
  /**
   * Leading rows of a head that rotate: even; the others stay.
   * @defaultValue headDim
   */
  readonly rotaryDim?: number;
  /**
   * The layout that the model had.
   * @defaultValue "interleaved"
   */
  readonly from?: RopeLayout;
  /**
   * The layout that it will be run with.
   * @defaultValue "half"
   */
  readonly to?: RopeLayout;
  /**
   * Where the result goes; must not overlap the weight.
   * @defaultValue a new array
   */
  readonly out?: Out;
}

const NAME = "permute_pairs";
const DEFAULTS = { heads: 1, rotaryDim: 0, from: "interleaved", to: "half" } as const;

function scalars(full: Required<Omit<PermutePairsArgs, "out">>, columns: number) {
  return [
    integer(NAME, "heads", full.heads),
    integer(NAME, "headDim", full.headDim),
    integer(NAME, "rotaryDim", full.rotaryDim),
    columns,
    choice(NAME, "from", full.from, ROPE_LAYOUTS),
    choice(NAME, "to", full.to, ROPE_LAYOUTS),
  ] as const;
}

/** @internal */
export function permutePairs(
  memory: Memory<AllModule>,
  weight: Floats,
  args: PermutePairsArgs,
): Floats {
  const full = filled(NAME, "args", args, ["headDim", "out"], DEFAULTS);
  try {
    const source = memory.input(NAME, "weight", weight);
    const rows = integer(NAME, "heads", full.heads) * integer(NAME, "headDim", full.headDim);
    // Rounded up, so that the library refuses a weight that is not a whole number of rows.
    const columns = Math.max(1, Math.ceil(lengthOf(weight) / (rows || 1)));
    const out: Floats = full.out ?? newFloats(NAME, "out", lengthOf(weight));
    const target = memory.output(NAME, "out", out);
    apart(NAME, "out", out, [weight]);
    const numbers = scalars(full, columns);
    memory.check(
      memory.module.permute_pairs(source, sizeOf(weight), target, sizeOf(out), ...numbers),
    );
    memory.give(out, target);
    return out;
  } finally {
    memory.close();
  }
}

/** @internal */
export function permutePairsRows(
  memory: Memory<AllModule>,
  args: PermutePairsArgs,
): Int32Array<ArrayBuffer> {
  const full = filled(NAME, "args", args, ["headDim"], DEFAULTS);
  try {
    const [heads, headDim, rotaryDim, , from, to] = scalars(full, 1);
    const size = integer(NAME, "rows", heads * headDim);
    const out = memory.scratch(4 * size, NAME, "rows");
    memory.check(memory.module.permute_pairs_rows(out, size, heads, headDim, rotaryDim, from, to));
    return memory.int32s(out, size);
  } finally {
    memory.close();
  }
}

/** Conversion of query and key weights between pair layouts. */
export interface PermutePairs {
  /**
   * Reorders the rows of a weight so that a rope of layout `to` does what one of layout `from` did:
   * applied to the weights of q and of k alike, scores do not change. What the conversion of Llama
   * to transformers does.
   *
   * @param weight - [heads * headDim, columns], or activations, columns being tokens.
   * @returns `args.out`, or a new array.
   * @throws {@link PosencError} `VALUE_RANGE`, `SHAPE`, `OVERLAP`, `OUT_OF_MEMORY` or `TYPE`.
   */
  <Out extends Floats = NewFloats>(weight: Floats, args: PermutePairsArgs<Out>): Out;
  /**
   * The source row of each row.
   * @returns [heads * headDim].
   * @throws {@link PosencError} `VALUE_RANGE` or `TYPE`.
   */
  rows(args: PermutePairsArgs): Int32Array<ArrayBuffer>;
}

/** @internal */
export function permutePairsOf(memory: Memory<AllModule>): PermutePairs {
  const call = (weight: Floats, args: PermutePairsArgs) => permutePairs(memory, weight, args);
  const rows = (args: PermutePairsArgs) => permutePairsRows(memory, args);
  return Object.freeze(Object.assign(call, { rows })) as PermutePairs;
}
