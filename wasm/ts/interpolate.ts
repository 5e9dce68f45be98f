import type { AllModule } from "./all_module.js";
import { closing } from "./calls.js";
import { boolean, choice, filled, integer, number } from "./check.js";
import type { Floats, NewFloats } from "./float_buffer.js";
import { apart, newFloats, sizeOf } from "./floats.js";
import type { Memory } from "./memory.js";
import { Owned } from "./owned.js";

/**
 * What lies between the rows of a table.
 *
 * - `linear`: linear along each axis, bilinear on a grid.
 * - `cubic`: cubic along each axis, bicubic on a grid; a = -0.75, with antialias a = -0.5.
 */
export const INTERPOLATION_MODES = ["linear", "cubic"] as const;
/** One of {@link INTERPOLATION_MODES}. */
export type InterpolationMode = (typeof INTERPOLATION_MODES)[number];

/**
 * Where the old rows lie.
 *
 * - `uniform`: evenly.
 * - `geometric`: at distances from the middle that grow geometrically; BEiT.
 */
export const GRID_SPACINGS = ["uniform", "geometric"] as const;
/** One of {@link GRID_SPACINGS}. */
export type GridSpacing = (typeof GRID_SPACINGS)[number];

/** Parameters of an interpolation. A sequence is a grid of width 1. */
export interface InterpolateConfig {
  readonly fromHeight: number;
  /** @defaultValue 1 */
  readonly fromWidth?: number;
  readonly toHeight: number;
  /** @defaultValue 1 */
  readonly toWidth?: number;
  /** Columns of a row. */
  readonly dim: number;
  /** @defaultValue "cubic" */
  readonly mode?: InterpolationMode;
  /**
   * Widens the kernel when the table gets smaller: timm, SigLIP 2, DINOv2 with registers.
   * @defaultValue false
   */
  readonly antialias?: boolean;
  /**
   * Puts first and last rows on each other: torchtune CLIP, Qwen3-VL.
   * @defaultValue false
   */
  readonly alignCorners?: boolean;
  /**
   * DINOv2's interpolate_offset, 0.1: moves every sample point, not the target size.
   * @defaultValue 0
   */
  readonly sizeOffset?: number;
  /** @defaultValue "uniform" */
  readonly spacing?: GridSpacing;
  /**
   * Rows before the grid's that are copied: class and register tokens.
   * @defaultValue 0
   */
  readonly prefixRows?: number;
  /**
   * Rows after the grid's that are copied: BEiT's class distances.
   * @defaultValue 0
   */
  readonly suffixRows?: number;
}

/** What an option of {@link InterpolateConfig} is when it is not given. */
export const INTERPOLATE_DEFAULTS = {
  fromWidth: 1,
  toWidth: 1,
  mode: "cubic",
  antialias: false,
  alignCorners: false,
  sizeOffset: 0,
  spacing: "uniform",
  prefixRows: 0,
  suffixRows: 0,
} as const;

const NAME = "interpolate";

/**
 * Brings trained tables of positions to another length or grid: the weights are computed once, in
 * double; sums are in double and rounded once. Sources: PyTorch, timm, DINOv2, BEiT.
 *
 * @example
 * ```ts
 * const sizes = { fromHeight: 37, fromWidth: 37, toHeight: 64, toWidth: 48, dim: 1024 };
 * const interpolate = posenc.interpolate({ ...sizes, antialias: true, prefixRows: 1 });
 * const table = interpolate.apply(trained); // Float32Array [1 + 64 * 48, 1024]
 * interpolate.dispose();
 * ```
 */
export class Interpolate extends Owned {
  /** The config, with what was not given filled in. */
  readonly config: Required<InterpolateConfig>;
  readonly #memory: Memory<AllModule>;

  /** @internal */
  constructor(memory: Memory<AllModule>, config: InterpolateConfig) {
    const { module } = memory;
    const full = filled(
      NAME,
      "config",
      config,
      ["fromHeight", "toHeight", "dim"],
      INTERPOLATE_DEFAULTS,
    );
    const make = {
      fromHeight: integer(NAME, "fromHeight", full.fromHeight),
      fromWidth: integer(NAME, "fromWidth", full.fromWidth),
      toHeight: integer(NAME, "toHeight", full.toHeight),
      toWidth: integer(NAME, "toWidth", full.toWidth),
      dim: integer(NAME, "dim", full.dim),
      mode: choice(NAME, "mode", full.mode, INTERPOLATION_MODES),
      antialias: boolean(NAME, "antialias", full.antialias),
      alignCorners: boolean(NAME, "alignCorners", full.alignCorners),
      sizeOffset: number(NAME, "sizeOffset", full.sizeOffset),
      spacing: choice(NAME, "spacing", full.spacing, GRID_SPACINGS),
      prefixRows: integer(NAME, "prefixRows", full.prefixRows),
      suffixRows: integer(NAME, "suffixRows", full.suffixRows),
    };
    super(
      memory.made(NAME, () => module.interpolate_make(make)),
      module.interpolate_dispose,
    );
    this.#memory = memory;
    this.config = Object.freeze(full);
  }

  /**
   * Writes the new table. Prefix and suffix rows keep their bits, and all rows when the grids are
   * the same. The workspace is the library's own.
   *
   * @param table - [prefixRows + fromHeight * fromWidth + suffixRows, dim].
   * @param out - [prefixRows + toHeight * toWidth + suffixRows, dim]; a new array when not given.
   * @returns `out`.
   * @throws {@link PosencError} `SHAPE`, `OVERLAP`, `SIZE_LIMIT`, `OUT_OF_MEMORY`, `TYPE` or
   * `DISPOSED`; nothing is written then.
   */
  apply<Out extends Floats = NewFloats>(table: Floats, out?: Out): Out {
    const memory = this.#memory;
    const { module } = memory;
    const { toHeight, toWidth, prefixRows, suffixRows, dim } = this.config;
    const self = this.address(NAME, "");
    return closing(memory, () => {
      const rows = prefixRows + toHeight * toWidth + suffixRows;
      const target = out ?? newFloats(NAME, "out", rows * dim);
      const doubles = module.interpolate_workspace_size(self);
      const from = memory.input(NAME, "table", table);
      const scratch = memory.scratch(8 * doubles, NAME, "workspace");
      const to = memory.output(NAME, "out", target);
      apart(NAME, "out", target, [table]);
      const buffers = [from, sizeOf(table), scratch, doubles, to, sizeOf(target)] as const;
      memory.check(module.interpolate_apply(self, ...buffers));
      memory.give(target, to);
      return target as Out;
    });
  }
}
