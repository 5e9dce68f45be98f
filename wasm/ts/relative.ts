import type { AllModule } from "./all_module.js";
import type { ScorePositions } from "./bias.js";
import { Call, closing } from "./calls.js";
import { number, options } from "./check.js";
import type { Floats, Floats32 } from "./float_buffer.js";
import type { Memory } from "./memory.js";
import type { Pointer } from "./module.js";
import { type Held, Owned } from "./owned.js";
import type { Rows } from "./relative_module.js";

/** Positions of queries and keys, and where what is written for them goes. */
export interface ScoreArgs<Out extends Floats = Floats32> extends ScorePositions {
  /**
   * [heads, queries, keys]; must not overlap an input.
   * @defaultValue a new array
   */
  readonly out?: Out;
}

/** The same for scores that are scaled as attention scales its own. */
export interface ScaledScoreArgs<Out extends Floats = Floats32> extends ScoreArgs<Out> {
  /**
   * What scores are multiplied with: the scale that attention is given.
   * @defaultValue 1 / sqrt(headDim)
   */
  readonly scale?: number;
}

const ARGS = ["queries", "keys", "out"];

/** What a relative encoding is made of. @internal */
export interface RelativeParts {
  readonly name: string;
  readonly make: () => Pointer;
  readonly dispose: (address: Pointer) => void;
  /** Tables that it reads as long as it lives. */
  readonly held?: Held | undefined;
}

/** An encoding that is added to the scores and depends on content and positions. */
export abstract class Relative extends Owned {
  /** @internal */
  protected readonly memory: Memory<AllModule>;
  readonly #name: string;

  /** @internal */
  constructor(memory: Memory<AllModule>, { name, make, dispose, held }: RelativeParts) {
    super(memory.made(name, make, held), dispose, held);
    this.memory = memory;
    this.#name = name;
  }

  /** Calls a verb. @internal */
  protected call<Result>(use: (self: Pointer, call: Call) => Result): Result {
    const self = this.address(this.#name, "");
    return closing(this.memory, () => use(self, new Call(this.memory, this.#name)));
  }

  /** Refuses options that do not exist. @internal */
  protected args(args: ScoreArgs<Floats>, ...more: string[]): void {
    options(this.#name, "args", args, [...ARGS, ...more]);
  }

  /** The scale of scores. @internal */
  protected scaleOf(scale: number | undefined, headDim: number): number {
    return scale === undefined ? 1 / Math.sqrt(headDim) : number(this.#name, "scale", scale);
  }

  /** A whole number for every query and key. @internal */
  protected rowsOf(verb: Rows, positions: ScorePositions): Int32Array<ArrayBuffer> {
    return this.call((self, call) => {
      options(this.#name, "positions", positions, ["queries", "keys"]);
      const places = call.positions(positions);
      return call.rows(places[2] * places[5], (...out) => verb(self, ...places, ...out));
    });
  }
}
