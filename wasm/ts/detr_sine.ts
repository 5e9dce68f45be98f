import { AdditiveAt, type VerbsAt } from "./additive_at.js";
import type { AllModule } from "./all_module.js";
import { boolean, choice, count, filled, integer, number, options } from "./check.js";
import type { Memory } from "./memory.js";
import type { Pointer } from "./module.js";

/**
 * Order of the axes of DETR's encoding.
 *
 * - `channels_first`: [batch, 2 * numPosFeats, height, width], as DETR returns it.
 * - `channels_last`: [batch, height * width, 2 * numPosFeats], as it is added to tokens.
 */
export const DETR_ORDERS = ["channels_first", "channels_last"] as const;
/** One of {@link DETR_ORDERS}. */
export type DetrOrder = (typeof DETR_ORDERS)[number];

/** Parameters of DETR's sinusoidal encoding. */
export interface DetrSineConfig {
  /**
   * Columns of an axis, even; a pixel has twice as many, y's before x's.
   * @defaultValue 64
   */
  readonly numPosFeats?: number;
  /** @defaultValue 10000 */
  readonly temperature?: number;
  /**
   * Whether coordinates are divided by the last one of their row or column, and scaled.
   * @defaultValue false
   */
  readonly normalize?: boolean;
  /** @defaultValue 2 * Math.PI */
  readonly scale?: number;
  /** @defaultValue 1e-6 */
  readonly eps?: number;
  /**
   * Whether coordinates are those of pixel centres, divided by the last count all the same:
   * Deformable DETR.
   * @defaultValue false
   */
  readonly centered?: boolean;
  /** @defaultValue "channels_first" */
  readonly order?: DetrOrder;
}

/** What an option of {@link DetrSineConfig} is when it is not given. */
export const DETR_SINE_DEFAULTS = {
  numPosFeats: 64,
  temperature: 10000,
  normalize: false,
  scale: 2 * Math.PI,
  eps: 1e-6,
  centered: false,
  order: "channels_first",
} as const;

/** A batch of padded images. */
export interface DetrImages {
  /** [batch, height, width]: not 0 where a pixel is real (DETR's own masks are the other way). */
  readonly mask: Uint8Array;
  /** @defaultValue 1 */
  readonly batch?: number;
  readonly height: number;
  readonly width: number;
}

const NAME = "detr_sine";

/**
 * DETR's encoding of pixels of padded images: coordinates count the real pixels of the mask, so
 * that padding does not move them; values are within 1 ulp of float32 of the exact ones. `table`
 * writes them in the order that the config says. Source: Carion et al. 2020, facebookresearch/detr.
 *
 * @example
 * ```ts
 * const detr = posenc.detrSine({ numPosFeats: 128, normalize: true });
 * const table = detr.table({ mask, height: 25, width: 34 }); // Float32Array [1, 256, 25, 34]
 * detr.dispose();
 * ```
 */
export class DetrSine extends AdditiveAt<DetrImages> {
  /** The config, with what was not given filled in. */
  readonly config: Required<DetrSineConfig>;

  /** @internal */
  constructor(memory: Memory<AllModule>, config: DetrSineConfig = {}) {
    const { module } = memory;
    const full = filled(NAME, "config", config, [], DETR_SINE_DEFAULTS);
    const make = [
      integer(NAME, "numPosFeats", full.numPosFeats),
      number(NAME, "temperature", full.temperature),
      boolean(NAME, "normalize", full.normalize),
      number(NAME, "scale", full.scale),
      number(NAME, "eps", full.eps),
      boolean(NAME, "centered", full.centered),
      choice(NAME, "order", full.order, DETR_ORDERS),
    ] as const;
    const address = memory.made(NAME, () => module.detr_sine_make(...make));
    super(memory, NAME, address, module.detr_sine_dispose);
    this.config = Object.freeze(full);
  }

  /** @internal */
  protected override at(self: Pointer, memory: Memory<AllModule>, images: DetrImages): VerbsAt {
    const { module } = memory;
    options(NAME, "images", images, ["mask", "batch", "height", "width"]);
    const { mask } = images;
    const pixels = [
      memory.bytes(NAME, "mask", mask),
      mask.length,
      count(NAME, "batch", images.batch ?? 1),
      count(NAME, "height", images.height),
      count(NAME, "width", images.width),
    ] as const;
    return {
      size: mask.length * 2 * this.config.numPosFeats,
      table: (...out) => module.detr_sine_table(self, ...pixels, ...out),
      add: (...x) => module.detr_sine_add(self, ...pixels, ...x),
    };
  }
}
