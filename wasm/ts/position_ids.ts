import type { AllModule } from "./all_module.js";
import { closing } from "./calls.js";
import { count, filled, integer, position } from "./check.js";
import type { Memory } from "./memory.js";
import { wholes32 } from "./wholes.js";

/** Ids of a padded batch, for RoBERTa's rule. */
export interface RobertaPositions {
  /** [batch, tokens]. */
  readonly ids: Int32Array;
  /** @defaultValue 1 */
  readonly batch?: number;
  readonly paddingId: number;
  /** @defaultValue 0 */
  readonly pastLength?: number;
}

/** An attention mask of past and present tokens, for OPT's rule. */
export interface OptPositions {
  /** [batch, pastLength + tokens]: not 0 where a token is real. */
  readonly mask: Uint8Array;
  /** @defaultValue 1 */
  readonly batch?: number;
  /** @defaultValue 0 */
  readonly pastLength?: number;
  /** @defaultValue 2 */
  readonly offset?: number;
}

/** An attention mask of a batch that is padded on the left, or anywhere. */
export interface LeftPaddingPositions {
  /** [batch, tokens]: not 0 where a token is real. */
  readonly mask: Uint8Array;
  /** @defaultValue 1 */
  readonly batch?: number;
  /**
   * What masked tokens get: 1 in transformers' generation, 0 in BLOOM.
   * @defaultValue 1
   */
  readonly maskedValue?: number;
}

/** Positions of tokens in padded batches, by the rules of published models. */
export interface PositionIds {
  /**
   * RoBERTa's and fairseq's: paddingId at padding tokens, else paddingId + pastLength + the number
   * of real tokens so far.
   * @returns [batch, tokens].
   * @throws {@link PosencError} `VALUE_RANGE`, `SHAPE`, `OUT_OF_MEMORY` or `TYPE`.
   */
  roberta(input: RobertaPositions): Int32Array;
  /**
   * OPT's rows: offset - 1 at masked tokens, else offset - 1 + the number of real tokens so far.
   * @returns [batch, tokens], without the past.
   * @throws {@link PosencError} `VALUE_RANGE`, `SHAPE`, `OUT_OF_MEMORY` or `TYPE`.
   */
  opt(input: OptPositions): Int32Array;
  /**
   * The number of real tokens before each, which padding does not move.
   * @returns [batch, tokens].
   * @throws {@link PosencError} `VALUE_RANGE`, `SHAPE`, `OUT_OF_MEMORY` or `TYPE`.
   */
  leftPadding(input: LeftPaddingPositions): Int32Array;
  /**
   * The position that each sequence decodes next: its number of real tokens.
   * @returns [batch].
   * @throws {@link PosencError} `VALUE_RANGE`, `SHAPE`, `OUT_OF_MEMORY` or `TYPE`.
   */
  next(mask: Uint8Array, batch?: number): Int32Array;
}

function roberta(memory: Memory<AllModule>, input: RobertaPositions): Int32Array {
  const name = "roberta_positions";
  const full = filled(name, "input", input, ["ids", "paddingId"], { batch: 1, pastLength: 0 });
  const ids = wholes32(memory, name, "ids", full.ids);
  const tokens = ids[1];
  const out = memory.scratch(4 * tokens, name, "out");
  const batch = count(name, "batch", full.batch);
  const padding = integer(name, "paddingId", full.paddingId);
  const past = position(name, "pastLength", full.pastLength);
  memory.check(memory.module.roberta_positions(...ids, batch, padding, past, out));
  return memory.int32s(out, tokens);
}

function opt(memory: Memory<AllModule>, input: OptPositions): Int32Array {
  const name = "opt_positions";
  const full = filled(name, "input", input, ["mask"], { batch: 1, pastLength: 0, offset: 2 });
  const mask = memory.bytes(name, "mask", full.mask);
  const { length } = full.mask;
  const batch = count(name, "batch", full.batch);
  const past = count(name, "pastLength", full.pastLength);
  const offset = position(name, "offset", full.offset);
  const size = Math.max(0, length - batch * past);
  const out = memory.scratch(4 * size, name, "out");
  memory.check(memory.module.opt_positions(mask, length, batch, past, offset, out, size));
  return memory.int32s(out, size);
}

function leftPadding(memory: Memory<AllModule>, input: LeftPaddingPositions): Int32Array {
  const name = "left_padding_positions";
  const full = filled(name, "input", input, ["mask"], { batch: 1, maskedValue: 1 });
  const mask = memory.bytes(name, "mask", full.mask);
  const { length } = full.mask;
  const out = memory.scratch(4 * length, name, "out");
  const batch = count(name, "batch", full.batch);
  const masked = position(name, "maskedValue", full.maskedValue);
  memory.check(memory.module.left_padding_positions(mask, length, batch, masked, out));
  return memory.int32s(out, length);
}

function next(memory: Memory<AllModule>, values: Uint8Array, batch: number): Int32Array {
  const name = "next_positions";
  const mask = memory.bytes(name, "mask", values);
  const size = count(name, "batch", batch);
  const out = memory.scratch(4 * size, name, "out");
  memory.check(memory.module.next_positions(mask, values.length, out, size));
  return memory.int32s(out, size);
}

/** The rules over a module. @internal */
export function positionIdsOf(memory: Memory<AllModule>): PositionIds {
  return Object.freeze<PositionIds>({
    roberta: (input) => closing(memory, () => roberta(memory, input)),
    opt: (input) => closing(memory, () => opt(memory, input)),
    leftPadding: (input) => closing(memory, () => leftPadding(memory, input)),
    next: (mask, batch = 1) => closing(memory, () => next(memory, mask, batch)),
  });
}
