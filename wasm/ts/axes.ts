import { boolean, choice, fail, filled, integer, number } from "./check.js";
import type { AxesNumbers } from "./rotary_module.js";

/** The ways in which {@link RopeAxes} reads positions. */
export const ROPE_AXES = ["one_axis", "mrope", "axial"] as const;
/** One of {@link ROPE_AXES}. */
export type RopeAxesType = (typeof ROPE_AXES)[number];

/**
 * The frequencies of one axis of an image, i = 0 .. n - 1 with n = rotaryDim/4 pairs per axis.
 *
 * - `geometric`: base^(-i / n); Qwen2-VL's vision tower, timm's language mode, EVA-02.
 * - `dealt`: base^(-(2i + a) / 2n) for axis a, 0 or 1: one ladder whose rungs are dealt to the axes
 *   in turn (Pixtral).
 * - `turns`: 2 pi base^(-i / n); DINOv3, whose positions are patch centres in [-1, 1].
 * - `pixel_linear`: pi times n values spaced evenly from 1 to maxResolution / 2; timm's pixel mode
 *   with linear bands. Positions are in [-1, 1].
 * - `pixel_log`: pi times 2^e, e spaced evenly from 0 to log2(maxResolution) - 1; timm's pixel mode.
 */
export const AXIAL_BANDS = ["geometric", "dealt", "turns", "pixel_linear", "pixel_log"] as const;
/** One of {@link AXIAL_BANDS}. */
export type AxialBands = (typeof AXIAL_BANDS)[number];

/**
 * Which pairs belong to the first axis.
 *
 * - `blocks`: the first half of the pairs; the second axis has the second half.
 * - `alternating`: even pairs; the second axis has the odd ones (MoonViT).
 */
export const AXIAL_ORDERS = ["blocks", "alternating"] as const;
/** One of {@link AXIAL_ORDERS}. */
export type AxialOrder = (typeof AXIAL_ORDERS)[number];

/**
 * How a rope reads positions of several axes. Positions are then explicit, axis after axis,
 * [axes, rows], and each pair turns by the position of its own axis.
 */
export type RopeAxes = OneAxis | Mrope | Axial;

/** One position per token. */
export interface OneAxis {
  readonly type: "one_axis";
}

/** Multimodal rope: three axes, time, height, width (Qwen2-VL, arXiv 2409.12191). */
export interface Mrope {
  readonly type: "mrope";
  /**
   * Pairs of time, height, width; their sum must be rotaryDim/2 when chunked, at most that when
   * interleaved.
   */
  readonly sections: readonly [number, number, number];
  /**
   * false: one block of pairs after the other (Qwen2-VL); true: taking turns (Qwen3-VL).
   * @defaultValue false
   */
  readonly interleaved?: boolean;
}

/**
 * Two axes of an image, the first usually the row: `gridPositions` writes their positions. Needs
 * rotaryDim divisible by 4, and scaling none or linear.
 */
export interface Axial {
  readonly type: "axial";
  /** @defaultValue "geometric" */
  readonly bands?: AxialBands;
  /** @defaultValue "blocks" */
  readonly order?: AxialOrder;
  /**
   * Of the pixel bands alone: 4 to 1e6.
   * @defaultValue 224
   */
  readonly maxResolution?: number;
}

const NAME = "rope";
const DEFAULTS = {
  one_axis: {},
  mrope: { interleaved: false },
  axial: { bands: "geometric", order: "blocks", maxResolution: 224 },
};

/** The axes with their defaults filled in. @internal */
export function filledAxes(axes: RopeAxes): RopeAxes {
  choice(NAME, "axes.type", (axes as RopeAxes | undefined)?.type, ROPE_AXES);
  const names = (axes.type === "mrope" ? ["type", "sections"] : ["type"]) as "type"[];
  return Object.freeze(filled(NAME, "axes", axes, names, DEFAULTS[axes.type])) as RopeAxes;
}

/** What wasm/bindings takes for filled axes. @internal */
export function axesNumbers(axes: RopeAxes): AxesNumbers {
  const { interleaved = false, sections = [0, 0, 0] } = axes as Partial<Mrope>;
  const { bands = "geometric", order = "blocks", maxResolution = 224 } = axes as Partial<Axial>;
  if (axes.type === "mrope" && (!Array.isArray(axes.sections) || axes.sections.length !== 3)) {
    fail("TYPE", NAME, "axes.sections", "an array of three numbers", axes.sections);
  }
  const [timePairs, heightPairs, widthPairs] = sections;
  return {
    type: ROPE_AXES.indexOf(axes.type),
    timePairs: integer(NAME, "axes.sections", timePairs),
    heightPairs: integer(NAME, "axes.sections", heightPairs),
    widthPairs: integer(NAME, "axes.sections", widthPairs),
    interleaved: boolean(NAME, "axes.interleaved", interleaved),
    bands: choice(NAME, "axes.bands", bands, AXIAL_BANDS),
    order: choice(NAME, "axes.order", order, AXIAL_ORDERS),
    maxResolution: number(NAME, "axes.maxResolution", maxResolution),
  };
}
