import type { AllModule } from "./all_module.js";
import { type AttentionMoreArgs, attentionMore, MORE_OPTIONS } from "./attention_more.js";
import { count, options } from "./check.js";
import type { Floats } from "./float_buffer.js";
import { newFloats } from "./floats.js";
import type { Memory } from "./memory.js";

/** Shapes and options of the scores of one attention call. */
export interface AttentionScoresArgs<Out extends Floats = Floats>
  extends Omit<AttentionMoreArgs, "valueDim" | "probabilities" | "out"> {
  /**
   * Where the scores go, [heads, queryCount, keyCount].
   * @defaultValue a new array
   */
  readonly out?: Out;
}

const NAME = "attention";
const NAMES = MORE_OPTIONS.filter((name) => name !== "valueDim" && name !== "probabilities");
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
  const { module } = memory;
  return attentionMore(
    memory,
    q,
    k,
    NO_VALUES,
    { ...args, out },
    (more) => ({
      attention: (call) => module.attention_scores(call, more),
      attention_workspace_size: (call) => module.attention_more_workspace_size(call, more),
    }),
    NAMES,
  );
}
