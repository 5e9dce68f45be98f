import type { AllModule } from "./all_module.js";
import { type AttentionArgs, attention, OPTIONS } from "./attention.js";
import { count, options } from "./check.js";
import type { Floats } from "./float_buffer.js";
import { newFloats } from "./floats.js";
import type { Memory } from "./memory.js";

/** Shapes and options of the scores of one attention call. */
export interface AttentionScoresArgs<Out extends Floats = Floats>
  extends Omit<AttentionArgs, "valueDim" | "probabilities" | "out"> {
  /**
   * Where the scores go, [heads, queryCount, keyCount].
   * @defaultValue a new array
   */
  readonly out?: Out;
}

const NAME = "attention";
const NAMES = OPTIONS.filter((name) => name !== "valueDim" && name !== "probabilities");
/** What stands for the values, which scores do not read. */
const NO_VALUES = new Float32Array(0);

/** `PosencAll.attentionScores`. @internal */
export function attentionScores(
  memory: Memory<AllModule>,
  q: Floats,
  k: Floats,
  args: AttentionScoresArgs,
): Floats {
  options(NAME, "args", args, NAMES);
  const rows = count(NAME, "heads", args.heads ?? 1) * count(NAME, "queryCount", args.queryCount);
  const size = rows * count(NAME, "keyCount", args.keyCount);
  const out = args.out ?? newFloats(NAME, "out", size);
  return attention(memory, q, k, NO_VALUES, { ...args, out }, memory.module.attention_scores);
}
