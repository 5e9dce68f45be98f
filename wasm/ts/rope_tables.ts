import { options, position } from "./check.js";
import type { Floats32, NewFloats } from "./float_buffer.js";
import { apart, newFloats } from "./floats.js";
import type { Memory } from "./memory.js";
import { Owned } from "./owned.js";
import type { PositionsInput } from "./positions.js";
import { type FullRopeConfig, filledRope, type RopeConfig, ropeNumbers } from "./rope_config.js";

/** A table of cosines and one of sines. */
export interface Angles<Out extends Floats32 = Floats32> {
  readonly cos: Out;
  readonly sin: Out;
}

const NAME = "rope";

/** What a rope knows before it rotates anything: its config, frequencies and tables of angles. */
export abstract class RopeTables extends Owned {
  /** The config, with what was not given filled in. */
  readonly config: FullRopeConfig;
  /** Position axes: 1, 2 (axial), 3 (mrope) or the caller's. */
  readonly axisCount: number;
  /** Heads with frequencies of their own: 1 but for custom frequencies. */
  readonly frequencyHeads: number;
  /** @internal */
  protected readonly memory: Memory;

  /** @internal */
  constructor(memory: Memory, config: RopeConfig) {
    const { module } = memory;
    const full = filledRope(config);
    const make = () => module.rope_make(ropeNumbers(memory, full));
    super(memory.made(NAME, make), module.rope_dispose);
    this.memory = memory;
    const rotaryDim = full.rotaryDim || full.headDim - full.rotaryStart;
    this.config = Object.freeze({ ...full, rotaryDim });
    const self = this.address(NAME, "");
    this.axisCount = module.rope_axis_count(self);
    const custom = full.scaling.type === "custom_frequencies" ? full.scaling : undefined;
    this.frequencyHeads = custom?.frequencyHeads ?? 1;
  }

  /**
   * What cosines and sines are multiplied by: 1 but for yarn, long_rope and custom frequencies. It
   * applies to q and to k, so scores get its square.
   */
  get attentionFactor(): number {
    return this.memory.module.rope_attention_factor(this.address(NAME, ""));
  }

  /** What DeepSeek's YaRN multiplies the softmax scale by, beside the attention factor; else 1. */
  get softmaxScaleFactor(): number {
    return this.memory.module.rope_softmax_scale_factor(this.address(NAME, ""));
  }

  /** The base that static_ntk and dynamic_ntk raise the config's to; with others the config's. */
  get scaledBase(): number {
    return this.memory.module.rope_scaled_base(this.address(NAME, ""));
  }

  /** Where YaRN's ramp starts and ends, in indices of pairs; undefined with other scalings. */
  get yarnRamp(): { readonly low: number; readonly high: number } | undefined {
    if (this.config.scaling.type !== "yarn") return undefined;
    const { module } = this.memory;
    const self = this.address(NAME, "");
    return { low: module.rope_yarn_ramp(self, false), high: module.rope_yarn_ramp(self, true) };
  }

  /** The scale for `attention`: headDim^-0.5 * softmaxScaleFactor. */
  get softmaxScale(): number {
    return this.memory.module.rope_softmax_scale(this.address(NAME, ""));
  }

  /**
   * Adapts dynamic_ntk and long_rope to another sequence length while decoding. Keys that were
   * rotated before keep their old angles: see `rerotate`.
   * @throws {@link PosencError} `VALUE_RANGE`, `TYPE` or `DISPOSED`.
   */
  setLength(length: number): void {
    const self = this.address(NAME, "");
    const tokens = position(NAME, "length", length);
    this.memory.check(this.memory.module.rope_set_length(self, tokens));
  }

  /**
   * The angular frequencies, scaling included.
   *
   * @returns Radians per position, nearest double: [rotaryDim/2], or the caller's
   * [axes, frequencyHeads, rotaryDim/2].
   * @throws {@link PosencError} `DISPOSED`.
   */
  invFreq(): Float64Array<ArrayBuffer> {
    const memory = this.memory;
    const self = this.address(NAME, "");
    const address = memory.module.rope_inv_freq(self);
    return memory.doubles(address, memory.module.rope_inv_freq_count(self));
  }

  /**
   * Writes the tables of cosines and sines, within 1 ulp of float32 for positions up to 2^24.
   *
   * @param positions - [rows], or [axes, rows].
   * @param out - Where they go, each [rows, rotaryDim/2] or [frequencyHeads, rows, rotaryDim/2]; new
   * arrays when not given.
   * @returns `out`.
   * @throws {@link PosencError} `SHAPE`, `OVERLAP`, `POSITION_RANGE`, `SIZE_LIMIT`,
   * `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`; nothing is written then.
   */
  angles<Out extends Floats32 = NewFloats>(
    positions: PositionsInput,
    out?: Angles<Out>,
  ): Angles<Out> {
    const memory = this.memory;
    const self = this.address(NAME, "");
    if (out !== undefined) options(NAME, "out", out, ["cos", "sin"]);
    try {
      const [kind, first, rows] = memory.positions(NAME, "positions", positions);
      const size = (rows / this.axisCount) * this.frequencyHeads * (this.config.rotaryDim / 2);
      const cos = out?.cos ?? newFloats(NAME, "cos", size);
      const sin = out?.sin ?? newFloats(NAME, "sin", size);
      const cosAddress = memory.output32(NAME, "cos", cos);
      const sinAddress = memory.output32(NAME, "sin", sin);
      apart(NAME, "sin", sin, [cos]);
      memory.check(
        memory.module.rope_angles(
          self,
          kind,
          first,
          rows,
          cosAddress,
          cos.length,
          sinAddress,
          sin.length,
        ),
      );
      memory.give(cos, cosAddress);
      memory.give(sin, sinAddress);
      return out ?? ({ cos, sin } as Angles<Out>);
    } finally {
      memory.close();
    }
  }
}
