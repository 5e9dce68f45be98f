import type { AllModule } from "./all_module.js";
import { choice, filled, integer } from "./check.js";
import type { Floats, NewFloats } from "./float_buffer.js";
import type { Memory } from "./memory.js";
import { HeldLayers, type MlpLayer } from "./mlp.js";
import type { FloatScalars } from "./module.js";
import { Owned } from "./owned.js";
import { write } from "./verb.js";

/**
 * How offsets become the coordinates that the network sees.
 *
 * - `normalised`: c = 8 d / (window - 1), sign(c) log2(1 + |c|) / log2(8); Swin v2 as published.
 * - `logarithmic`: sign(d) ln(1 + |d|); timm's "cr" models.
 */
export const SWIN_COORDINATES = ["normalised", "logarithmic"] as const;
/** One of {@link SWIN_COORDINATES}. */
export type SwinCoordinates = (typeof SWIN_COORDINATES)[number];

/** Parameters of Swin v2's continuous position bias. */
export interface SwinCpbConfig {
  /** Rows of cells of a window, 1 to 4096. */
  readonly windowHeight: number;
  /** Cells of a row, 1 to 4096. */
  readonly windowWidth: number;
  /**
   * The window that the network was trained on, which normalises the coordinates; 0 stands for
   * `windowHeight`.
   * @defaultValue 0
   */
  readonly pretrainedHeight?: number;
  /** As `pretrainedHeight`. @defaultValue 0 */
  readonly pretrainedWidth?: number;
  /** 1 to 1024. */
  readonly heads: number;
  /** @defaultValue "normalised" */
  readonly coordinates?: SwinCoordinates;
  /**
   * The network from (dy, dx) to a number per head, ReLU between layers. Not needed when only
   * coordinates are wanted, or the network's output is at hand.
   * @defaultValue []
   */
  readonly layers?: readonly MlpLayer[];
}

/** What an option of {@link SwinCpbConfig} is when it is not given. */
export const SWIN_CPB_DEFAULTS = {
  pretrainedHeight: 0,
  pretrainedWidth: 0,
  coordinates: "normalised",
  layers: [],
} as const;

const NAME = "swin_cpb";

/**
 * Swin v2's log-spaced continuous position bias: 16 sigmoid(network(coordinates)) per head and 2-D
 * offset query - key within a window of H x W cells, row-major; with `logarithmic` coordinates the
 * network's output as it is. Computed in double and rounded once. Source: Liu et al. 2021,
 * arXiv 2111.09883; timm.
 *
 * @example
 * ```ts
 * const layers = [{ weight: w1, bias: b1 }, { weight: w2 }]; // [512, 2], [heads, 512]
 * const cpb = posenc.swinCpb({ windowHeight: 8, windowWidth: 8, heads: 3, layers });
 * const bias = cpb.bias(); // [3, 64, 64], for attention
 * cpb.dispose();
 * ```
 */
export class SwinCpb extends Owned {
  /** The config without its layers, with what was not given filled in. */
  readonly config: Required<Omit<SwinCpbConfig, "layers">>;
  readonly #memory: Memory<AllModule>;

  /** @internal */
  constructor(memory: Memory<AllModule>, config: SwinCpbConfig) {
    const { module } = memory;
    const names = ["windowHeight", "windowWidth", "heads"] as const;
    const { layers, ...full } = filled(NAME, "config", config, names, SWIN_CPB_DEFAULTS);
    const numbers = [
      integer(NAME, "windowHeight", full.windowHeight),
      integer(NAME, "windowWidth", full.windowWidth),
      integer(NAME, "pretrainedHeight", full.pretrainedHeight),
      integer(NAME, "pretrainedWidth", full.pretrainedWidth),
      integer(NAME, "heads", full.heads),
      choice(NAME, "coordinates", full.coordinates, SWIN_COORDINATES),
    ] as const;
    const held = new HeldLayers(memory, NAME, layers);
    const make = () => module.swin_cpb_make(...numbers, ...held.layers());
    super(memory.made(NAME, make, held), module.swin_cpb_dispose, held);
    this.#memory = memory;
    this.config = Object.freeze(full);
  }

  /**
   * Writes the coordinates (dy, dx) of each offset, within 1 ulp of float32. A window of one cell has
   * coordinate 0.
   *
   * @param out - [2H - 1, 2W - 1, 2]; a new array when not given.
   * @returns `out`.
   * @throws {@link PosencError} `SHAPE`, `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`; nothing is written
   * then.
   */
  coordinates<Out extends Floats = NewFloats>(out?: Out): Out {
    const { module } = this.#memory;
    const { windowHeight, windowWidth } = this.config;
    const self = this.address(NAME, "");
    const size = 2 * (2 * windowHeight - 1) * (2 * windowWidth - 1);
    const verb = (target: FloatScalars) => module.swin_cpb_coordinates(self, ...target);
    return write(this.#memory, NAME, { out, size }, verb) as Out;
  }

  /**
   * Writes the bias of every query and key cell.
   *
   * @param out - [heads, HW, HW]; a new array when not given.
   * @returns `out`.
   * @throws {@link PosencError} `SHAPE` (also when there is no network), `OVERLAP`, `SIZE_LIMIT`,
   * `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`; nothing is written then.
   */
  bias<Out extends Floats = NewFloats>(out?: Out): Out {
    const { module } = this.#memory;
    const self = this.address(NAME, "");
    const verb = (target: FloatScalars) => module.swin_cpb_bias(self, ...target);
    return write(this.#memory, NAME, { out, size: this.#biasSize }, verb) as Out;
  }

  /**
   * The same from the network's output, computed elsewhere.
   *
   * @param output - [(2H - 1) (2W - 1), heads].
   * @param out - [heads, HW, HW]; a new array when not given.
   * @returns `out`.
   * @throws {@link PosencError} `SHAPE`, `OVERLAP`, `SIZE_LIMIT`, `OUT_OF_MEMORY`, `TYPE` or
   * `DISPOSED`; nothing is written then.
   */
  biasFromOutput<Out extends Floats = NewFloats>(output: Floats, out?: Out): Out {
    const { module } = this.#memory;
    const self = this.address(NAME, "");
    const verb = (source: FloatScalars, target: FloatScalars) =>
      module.swin_cpb_bias_from_output(self, ...source, ...target);
    const buffers = { inputs: { output }, out, size: this.#biasSize };
    return write(this.#memory, NAME, buffers, verb) as Out;
  }

  get #biasSize(): number {
    const { windowHeight, windowWidth, heads } = this.config;
    return heads * (windowHeight * windowWidth) ** 2;
  }
}
