import type { AllModule } from "./all_module.js";
import { attention, type Verbs } from "./attention.js";
import { type AttentionMoreArgs, MORE_OPTIONS, MORE_TERMS, moreOf } from "./attention_more.js";
import { options } from "./check.js";
import type { Floats, Floats32 } from "./float_buffer.js";
import { apart, sizeOf } from "./floats.js";
import type { Memory } from "./memory.js";
import type { Pointer, Values } from "./module.js";

/**
 * Where the gradients of one call of attention go. Each has the shape of what it is the gradient of;
 * those that are left out are not wanted.
 */
export interface AttentionGradients {
  readonly q?: Floats;
  readonly k?: Floats;
  readonly v?: Floats;
  /**
   * By distance: what `slopeGradient` of alibi and `tableGradient` of t5 take, with one query at 0
   * and keys at the distances.
   */
  readonly distances?: Floats32;
  /** [heads, queryCount, keyCount]: the gradient of every score. */
  readonly bias?: Floats32;
  readonly keyBias?: Floats32;
  readonly relativeKeys?: Floats32;
  readonly relativeQueries?: Floats32;
  readonly relativeValues?: Floats32;
  readonly positionBias?: Floats32;
  readonly contentBias?: Floats32;
}

/** The call of attention that a gradient is of, and where the gradients go. */
export interface AttentionBackwardArgs extends Omit<AttentionMoreArgs, "probabilities" | "out"> {
  readonly gradients: AttentionGradients;
}

const NAME = "attention";
const NAMES = [
  ...MORE_OPTIONS.filter((name) => name !== "probabilities" && name !== "out"),
  "gradients",
];
const ANY_TYPE = ["q", "k", "v"] as const;
const SUMS = [
  ...["distances", "bias", "keyBias", "relativeKeys", "relativeQueries", "relativeValues"],
  ...["positionBias", "contentBias"],
] as (keyof AttentionGradients)[];

/** Attention's own output, which its gradient does not write. */
const NO_OUT = new Float32Array(0);
const NOTHING: Values = { address: 0 as Pointer, count: 0 };

/** `PosencAll.attentionBackward`. @internal */
export function attentionBackward(
  memory: Memory<AllModule>,
  q: Floats,
  k: Floats,
  v: Floats,
  outGradient: Floats,
  args: AttentionBackwardArgs,
): void {
  options(NAME, "args", args, NAMES);
  const { gradients, ...rest } = args;
  options(NAME, "gradients", gradients, [...ANY_TYPE, ...SUMS]);
  const verbs = (given: Floats[]): Verbs => {
    const more = moreOf(memory, rest, given);
    const out = memory.input(NAME, "outGradient", outGradient);
    const targets = targetsOf(memory, gradients, [...given, outGradient]);
    const { module } = memory;
    return {
      attention_workspace_size: (call) => module.attention_backward_workspace_size(call, more),
      attention: (call) => {
        const buffers = { ...call, out, outValues: sizeOf(outGradient) };
        const status = module.attention_backward(buffers, more, targets.values);
        if (status === 0) targets.give();
        return status;
      },
    };
  };
  attention(memory, q, k, v, { ...rest, out: NO_OUT }, verbs, MORE_OPTIONS, MORE_TERMS);
}

/** Memory for the gradients that are wanted, and the way from it to the caller. */
function targetsOf(memory: Memory<AllModule>, gradients: AttentionGradients, read: Floats[]) {
  const written: [Floats, Pointer][] = [];
  const target = (name: keyof AttentionGradients, output: "output" | "output32"): Values => {
    const x = gradients[name];
    if (x === undefined) return NOTHING;
    const field = `${name}Gradient`;
    const address = memory[output](NAME, field, x as Floats32);
    apart(NAME, field, x, [...read, ...written.map(([other]) => other)]);
    written.push([x, address]);
    return { address, count: sizeOf(x) };
  };
  const values = Object.fromEntries([
    ...ANY_TYPE.map((name) => [name, target(name, "output")]),
    ...SUMS.map((name) => [name, target(name, "output32")]),
  ]) as Record<keyof AttentionGradients, Values>;
  const give = () => {
    for (const [x, address] of written) memory.give(x, address);
  };
  return { values, give };
}
