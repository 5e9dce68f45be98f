import { count, fail, options } from "./check.js";
import type { Floats, Floats32 } from "./float_buffer.js";
import { apart, isSameMemory, lengthOf, sizeOf } from "./floats.js";
import type { Pointer } from "./module.js";
import { RopeTables } from "./rope_tables.js";
import {
  ARGS_OPTIONS,
  POSITION_OPTIONS,
  positionList,
  positionRange,
  type RerotateArgs,
  type RotaryArgs,
  type RotaryPairArgs,
  type RotaryShape,
  SHAPE_OPTIONS,
  shapeScalars,
} from "./rotary_args.js";
import type { ShapeScalars, Turn } from "./rotary_module.js";
import { isInPieces, rotatePieces } from "./rotary_pieces.js";

const NAME = "rope";
const PAIR_OPTIONS = ["batch", "heads", "kvHeads", "order", ...POSITION_OPTIONS];
const REROTATE_OPTIONS = [...ARGS_OPTIONS, "from", "to"];

/**
 * Rotary position embedding: pair i of a row at position p turns by p * invFreq[i],
 * (a, b) -> (a cos - b sin, b cos + a sin). Source: Su et al. 2021, arXiv 2104.09864.
 *
 * @example
 * ```ts
 * const rope = posenc.rope({ headDim: 128, base: 500000, layout: "half" });
 * rope.apply(q, { heads: 32, offset: 0 }); // q [32, length, 128], in place
 * rope.apply(k, { heads: 8, positions: new Int32Array([7, 8, 9]) });
 * const { cos, sin } = rope.angles({ length: 4096 }); // each [4096, 64]
 * rope.dispose();
 * ```
 */
export class Rope extends RopeTables {
  /**
   * Rotates with ready tables, in place or to `args.out`.
   *
   * @param x - [batch, heads, length, headDim], or as `args` says.
   * @param cos - [length, rotaryDim/2] or [batch, length, rotaryDim/2].
   * @param sin - As cos.
   * @returns `args.out`, or x.
   * @throws {@link PosencError} `SHAPE`, `OVERLAP`, `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`; nothing
   * is written then.
   */
  rotate<X extends Floats, Out extends Floats = X>(
    x: X,
    cos: Floats32,
    sin: Floats32,
    args: RotaryShape<Out> = {},
  ): Out {
    const memory = this.memory;
    const self = this.address(NAME, "");
    options(NAME, "args", args, SHAPE_OPTIONS);
    const out: Floats = args.out ?? x;
    try {
      if (this.#rotatedInPieces(self, x, cos, sin, args, out)) return out as Out;
      const source = memory.input(NAME, "x", x);
      const target = this.#target(x, source, out);
      const cosAddress = memory.input32(NAME, "cos", cos);
      const sinAddress = memory.input32(NAME, "sin", sin);
      apart(NAME, "out", out, [cos, sin]);
      memory.check(
        memory.module.rope_rotate(
          self,
          source,
          sizeOf(x),
          target,
          sizeOf(out),
          cosAddress,
          cos.length,
          sinAddress,
          sin.length,
          ...shapeScalars(args, lengthOf(x), this.config.headDim, undefined),
        ),
      );
      memory.give(out, target);
      return out as Out;
    } finally {
      memory.close();
    }
  }

  /**
   * Rotates each row by its position, in place or to `args.out`: `angles` and `rotate` in one,
   * with the bits of the two calls.
   *
   * @param x - [batch, heads, length, headDim], or as `args` says.
   * @returns `args.out`, or x.
   * @throws {@link PosencError} `SHAPE`, `OVERLAP`, `POSITION_RANGE`, `OUT_OF_MEMORY`, `TYPE` or
   * `DISPOSED`; nothing is written then.
   */
  apply<X extends Floats, Out extends Floats = X>(x: X, args: RotaryArgs<Out> = {}): Out {
    return this.#turn(this.memory.module.rope_apply, x, args) as Out;
  }

  /**
   * Queries and keys in one call, in place, with one table for both; else as `apply`.
   *
   * @param q - [batch, heads, length, headDim], or as `args.order` says.
   * @param k - The same with kvHeads heads.
   */
  applyBoth(q: Floats, k: Floats, args: RotaryPairArgs = {}): void {
    const memory = this.memory;
    const self = this.address(NAME, "");
    options(NAME, "args", args, PAIR_OPTIONS);
    const { kvHeads, ...shape } = args;
    try {
      const qAddress = memory.input(NAME, "q", q);
      const kAddress = memory.input(NAME, "k", k);
      apart(NAME, "k", k, [q]);
      const list = positionList(memory, args);
      const [batch, heads, length, order] = shapeScalars(
        shape,
        lengthOf(q),
        this.config.headDim,
        0,
      );
      const [kind, first, rows] = list ?? positionRange(args, length, this.axisCount);
      memory.check(
        memory.module.rope_apply_both(
          self,
          qAddress,
          sizeOf(q),
          kAddress,
          sizeOf(k),
          kvHeads === undefined ? heads : count(NAME, "kvHeads", kvHeads),
          kind,
          first,
          rows,
          batch,
          heads,
          length,
          order,
        ),
      );
      memory.give(q, qAddress);
      memory.give(k, kAddress);
    } finally {
      memory.close();
    }
  }

  /**
   * The inverse of `apply`: by minus the angle, divided by the attention factor. Arguments and
   * errors as there.
   */
  unapply<X extends Floats, Out extends Floats = X>(x: X, args: RotaryArgs<Out> = {}): Out {
    return this.#turn(this.memory.module.rope_unapply, x, args) as Out;
  }

  /**
   * The gradient of `apply`, its transpose: by minus the angle, times the attention factor. From the
   * gradient of the output to that of the input; arguments and errors as `apply`.
   */
  backward<X extends Floats, Out extends Floats = X>(gradient: X, args: RotaryArgs<Out> = {}): Out {
    return this.#turn(this.memory.module.rope_backward, gradient, args) as Out;
  }

  /**
   * Turns cached keys that `args.from` rotated at `args.offset` or `args.positions` into what this
   * rope gives at `args.to`: a shift of positions, a change of scaling or length, or both, in one
   * rotation. Both ropes must rotate the same dims in the same layout and axes.
   *
   * @param x - The keys, as `apply` takes them.
   * @returns `args.out`, or x.
   * @throws {@link PosencError} as `apply`, and `VALUE_RANGE` when the ropes do not fit together.
   *
   * @example
   * ```ts
   * // 100 tokens were dropped from the front of a cache of keys: the others move to their places.
   * rope.rerotate(keys, { heads: 8, offset: 100, to: { offset: 0 } });
   * ```
   */
  rerotate<X extends Floats, Out extends Floats = X>(x: X, args: RerotateArgs<Rope, Out>): Out {
    const memory = this.memory;
    const self = this.address(NAME, "");
    options(NAME, "args", args, REROTATE_OPTIONS);
    options(NAME, "to", args.to, POSITION_OPTIONS);
    const from = args.from ?? this;
    if (!(from instanceof Rope) || from.memory !== memory) {
      fail("TYPE", NAME, "from", "a rope of the same load()", from);
    }
    const out: Floats = args.out ?? x;
    try {
      const source = memory.input(NAME, "x", x);
      const target = this.#target(x, source, out);
      const list = positionList(memory, args);
      const newList = positionList(memory, args.to);
      const rows = list ?? newList;
      const shape = this.#shape(args, lengthOf(x), rows?.[2]);
      const old = list ?? positionRange(args, shape[2], this.axisCount);
      const next = newList ?? positionRange(args.to, old[2], this.axisCount);
      const origin = from.address(NAME, "from");
      memory.check(
        memory.module.rope_rerotate(
          self,
          origin,
          source,
          sizeOf(x),
          target,
          sizeOf(out),
          ...old,
          ...next,
          ...shape,
        ),
      );
      memory.give(out, target);
      return out as Out;
    } finally {
      memory.close();
    }
  }

  /** Whether it was a call for `rotatePieces`, which then has been made. */
  #rotatedInPieces(
    self: Pointer,
    x: Floats,
    cos: Floats32,
    sin: Floats32,
    args: RotaryShape,
    out: Floats,
  ): boolean {
    const memory = this.memory;
    if (!memory.isOutside(x) || !memory.isOutside(out)) return false;
    const { headDim, rotaryDim } = this.config;
    const shape = shapeScalars(args, x.length, headDim, undefined);
    const pairs = rotaryDim / 2;
    const size = shape[2] * pairs;
    if (!isInPieces(shape, headDim, x.length, out.length)) return false;
    if (cos?.length !== size || sin?.length !== size) return false;
    const cosAddress = memory.input32(NAME, "cos", cos);
    const sinAddress = memory.input32(NAME, "sin", sin);
    apart(NAME, "out", out, isSameMemory(x, out) ? [cos, sin] : [x, cos, sin]);
    rotatePieces(memory, shape, headDim, x, out, (address, count, row, piece) => {
      const at = row * pairs;
      const values = piece[2] * pairs;
      return memory.module.rope_rotate(
        self,
        address,
        count,
        address,
        count,
        (cosAddress + 4 * at) as Pointer,
        values,
        (sinAddress + 4 * at) as Pointer,
        values,
        ...piece,
      );
    });
    return true;
  }

  #turn(verb: Turn, x: Floats, args: RotaryArgs): Floats {
    const memory = this.memory;
    const self = this.address(NAME, "");
    options(NAME, "args", args, ARGS_OPTIONS);
    const out = args.out ?? x;
    try {
      const source = memory.input(NAME, "x", x);
      const target = this.#target(x, source, out);
      const list = positionList(memory, args);
      const shape = this.#shape(args, lengthOf(x), list?.[2]);
      const [kind, first, rows] = list ?? positionRange(args, shape[2], this.axisCount);
      const tensors = [source, sizeOf(x), target, sizeOf(out)] as const;
      memory.check(verb(self, ...tensors, kind, first, rows, ...shape));
      memory.give(out, target);
      return out;
    } finally {
      memory.close();
    }
  }

  /** `values` is the number of explicit positions of all axes. */
  #shape(args: RotaryShape, size: number, values: number | undefined): ShapeScalars {
    const rows = values === undefined ? undefined : Math.floor(values / this.axisCount);
    return shapeScalars(args, size, this.config.headDim, rows);
  }

  /** The address of `out`, which may be x. */
  #target(x: Floats, source: Pointer, out: Floats): Pointer {
    if (out === x) return source;
    const target = this.memory.output(NAME, "out", out);
    if (isSameMemory(x, out)) return source;
    apart(NAME, "out", out, [x]);
    return target;
  }
}
