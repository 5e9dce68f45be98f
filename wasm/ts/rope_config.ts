import { axesNumbers, filledAxes, type RopeAxes } from "./axes.js";
import { choice, filled, integer, number, optional, position } from "./check.js";
import type { Memory } from "./memory.js";
import { ROPE_LAYOUTS, type RopeLayout } from "./rope_layout.js";
import type { RopeNumbers } from "./rotary_module.js";
import { filledScaling, type RopeScaling, scalingNumbers } from "./scaling.js";

/**
 * How angles are made from positions and frequencies.
 *
 * - `exact`: position * frequency to the last place.
 * - `float32_frequencies`: frequencies are rounded to float32 first; the rest is exact.
 * - `float32`: frequencies and positions are float32 and multiplied in float32, as common Python
 *   code does: the angles that most checkpoints were trained with.
 */
export const ROPE_ANGLES = ["exact", "float32_frequencies", "float32"] as const;
/** One of {@link ROPE_ANGLES}. */
export type RopeAngles = (typeof ROPE_ANGLES)[number];

/**
 * xPos's decay (Sun et al. 2022, arXiv 2212.10554): pair i of a query at position p is multiplied by
 * zeta^((p - origin) / scaleBase), of a key by its inverse.
 */
export interface Xpos {
  /**
   * Above 0.
   * @defaultValue 512
   */
  readonly scaleBase?: number;
  /**
   * Queries and keys must share it: with a fixed origin cached keys stay valid. null: half the
   * length of the call, rounded down, as published code does; then nothing may be cached.
   * @defaultValue 0
   */
  readonly origin?: number | null;
}

/** Parameters of rotary position embedding. */
export interface RopeConfig {
  /** Width of a head: even, 2 to 2^24. */
  readonly headDim: number;
  /**
   * How many dims rotate: even, 2 to headDim - rotaryStart; the rest is copied. 0 stands for all.
   * @defaultValue headDim - rotaryStart
   */
  readonly rotaryDim?: number;
  /**
   * The first dim that rotates.
   * @defaultValue 0
   */
  readonly rotaryStart?: number;
  /**
   * Frequencies are base^(-2i / rotaryDim); 1 to 1e30. Often called rope_theta.
   * @defaultValue 10000
   */
  readonly base?: number;
  /** @defaultValue "half" */
  readonly layout?: RopeLayout;
  /** @defaultValue { type: "none" } */
  readonly scaling?: RopeScaling;
  /**
   * The sequence length that dynamic_ntk and long_rope adapt to; not read by the others.
   * @defaultValue 0
   */
  readonly length?: number;
  /** @defaultValue "exact" */
  readonly angles?: RopeAngles;
  /** @defaultValue { type: "one_axis" } */
  readonly axes?: RopeAxes;
  /** @defaultValue none */
  readonly xpos?: Xpos;
}

/** What an option of {@link RopeConfig} is when it is not given. */
export const ROPE_DEFAULTS = {
  rotaryDim: 0,
  rotaryStart: 0,
  base: 10000,
  layout: "half",
  scaling: { type: "none" },
  length: 0,
  angles: "exact",
  axes: { type: "one_axis" },
} as const;

/** A config with what was not given filled in. */
export type FullRopeConfig = Required<Omit<RopeConfig, "xpos">> & Pick<RopeConfig, "xpos">;

const NAME = "rope";
const XPOS_DEFAULTS = { scaleBase: 512, origin: 0 } as const;

/** The config with its defaults and those of its parts filled in. @internal */
export function filledRope(config: RopeConfig): FullRopeConfig {
  const full = filled(NAME, "config", config, ["headDim", "xpos"], ROPE_DEFAULTS);
  const scaling = filledScaling(full.scaling);
  const axes = filledAxes(full.axes);
  if (full.xpos === undefined) return { ...full, scaling, axes };
  const xpos = Object.freeze(filled(NAME, "xpos", full.xpos, [], XPOS_DEFAULTS));
  return { ...full, scaling, axes, xpos };
}

/** What wasm/bindings takes for a filled config. @internal */
export function ropeNumbers(memory: Memory, full: FullRopeConfig): RopeNumbers {
  const { scaleBase, origin } = { ...XPOS_DEFAULTS, ...full.xpos };
  return {
    headDim: integer(NAME, "headDim", full.headDim),
    rotaryDim: integer(NAME, "rotaryDim", full.rotaryDim),
    rotaryStart: integer(NAME, "rotaryStart", full.rotaryStart),
    base: number(NAME, "base", full.base),
    layout: choice(NAME, "layout", full.layout, ROPE_LAYOUTS),
    scaling: scalingNumbers(memory, full.scaling),
    length: position(NAME, "length", full.length),
    angles: choice(NAME, "angles", full.angles, ROPE_ANGLES),
    axes: axesNumbers(full.axes),
    hasXpos: full.xpos !== undefined,
    xposScaleBase: number(NAME, "xpos.scaleBase", scaleBase),
    xposOrigin: optional(NAME, "xpos.origin", origin ?? undefined),
  };
}
