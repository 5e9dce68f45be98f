import { AdditiveAt, type VerbsAt } from "./additive_at.js";
import type { GridScalars } from "./additive_module.js";
import type { AllModule } from "./all_module.js";
import { choice, count, filled, integer, number, options } from "./check.js";
import type { Memory } from "./memory.js";
import type { Pointer } from "./module.js";

/**
 * How the columns of a row are shared by the axes a, b(, c) and by sine and cosine.
 *
 * - `axis_blocks`: [sin a | cos a | sin b | cos b]; MAE, simple ViT, MoCo v3, PixArt, timm's
 *   interleave_sin_cos.
 * - `function_blocks`: [sin a | sin b | cos a | cos b]; timm's default.
 * - `interleaved`: [sin a0, cos a0, ... | sin b0, cos b0, ...], cut at dim;
 *   multidim-positional-encoding.
 */
export const SINCOS_GRID_LAYOUTS = ["axis_blocks", "function_blocks", "interleaved"] as const;
/** One of {@link SINCOS_GRID_LAYOUTS}. */
export type SincosGridLayout = (typeof SINCOS_GRID_LAYOUTS)[number];

/**
 * Which axis has the first columns.
 *
 * - `yx`: (z,) y, x; timm, multidim-positional-encoding.
 * - `xy`: x, y(, z); MAE, simple ViT, MoCo v3, PixArt, timm's reverse_coord.
 */
export const AXIS_ORDERS = ["yx", "xy"] as const;
/** One of {@link AXIS_ORDERS}. */
export type AxisOrder = (typeof AXIS_ORDERS)[number];

/**
 * In which order cells follow each other.
 *
 * - `row_major`: x fastest.
 * - `column_major`: y fastest; MoCo v3, timm's reverse_coord.
 */
export const CELL_ORDERS = ["row_major", "column_major"] as const;
/** One of {@link CELL_ORDERS}. */
export type CellOrder = (typeof CELL_ORDERS)[number];

/** Parameters of the sinusoidal encoding of grid cells. */
export interface SincosGridConfig {
  /** Columns of a row, 1 to 2^24; a multiple of 2 * axes unless interleaved. */
  readonly dim: number;
  /**
   * 2 (y, x) or 3 (z, y, x).
   * @defaultValue 2
   */
  readonly axes?: number;
  /**
   * Frequencies of every axis are base^(-2i / frequencyDenominator).
   * @defaultValue 10000
   */
  readonly base?: number;
  /** @defaultValue "axis_blocks" */
  readonly layout?: SincosGridLayout;
  /** @defaultValue "yx" */
  readonly axisOrder?: AxisOrder;
  /**
   * 0 stands for the columns of an axis; simple ViT uses 2 * (dim / 4 - 1).
   * @defaultValue 0
   */
  readonly frequencyDenominator?: number;
  /**
   * Rows of zeros before the cells' rows, for class and register tokens; `add` leaves them alone.
   * @defaultValue 0
   */
  readonly prefixRows?: number;
}

/** What an option of {@link SincosGridConfig} is when it is not given. */
export const SINCOS_GRID_DEFAULTS = {
  axes: 2,
  base: 10000,
  layout: "axis_blocks",
  axisOrder: "yx",
  frequencyDenominator: 0,
  prefixRows: 0,
} as const;

/** Cells and their coordinates: x of column c is firstX + c * stepX, rows and slices likewise. */
export interface Grid {
  readonly height: number;
  readonly width: number;
  /** @defaultValue 1 */
  readonly depth?: number;
  /** @defaultValue 1 */
  readonly stepY?: number;
  /** @defaultValue 1 */
  readonly stepX?: number;
  /** @defaultValue 1 */
  readonly stepZ?: number;
  /** @defaultValue 0 */
  readonly firstY?: number;
  /** @defaultValue 0 */
  readonly firstX?: number;
  /** @defaultValue 0 */
  readonly firstZ?: number;
  /** @defaultValue "row_major" */
  readonly order?: CellOrder;
}

/** Explicit coordinates [cells, axes], each cell's as (y, x) or (z, y, x). */
export interface Coordinates {
  readonly coordinates: Float64Array | readonly number[];
}

const NAME = "sincos_grid";
const GRID_DEFAULTS = {
  depth: 1,
  stepY: 1,
  stepX: 1,
  stepZ: 1,
  firstY: 0,
  firstX: 0,
  firstZ: 0,
  order: "row_major",
} as const;

/**
 * Sinusoidal encoding of the cells of an image or a volume, within 1 ulp of float32 of the exact
 * values for coordinates up to 2^24. `table` writes [prefixRows + cells, dim] for a grid, and
 * [cells, dim] for explicit coordinates: those have no prefix rows. Sources: MAE, timm, big_vision,
 * tatp22/multidim-positional-encoding.
 *
 * @example
 * ```ts
 * const mae = posenc.sincosGrid({ dim: 768, axisOrder: "xy", prefixRows: 1 });
 * const table = mae.table({ height: 14, width: 14 }); // Float32Array [197, 768]
 * mae.dispose();
 * ```
 */
export class SincosGrid extends AdditiveAt<Grid | Coordinates> {
  /** The config, with what was not given filled in. */
  readonly config: Required<SincosGridConfig>;

  /** @internal */
  constructor(memory: Memory<AllModule>, config: SincosGridConfig) {
    const { module } = memory;
    const full = filled(NAME, "config", config, ["dim"], SINCOS_GRID_DEFAULTS);
    const make = [
      integer(NAME, "dim", full.dim),
      integer(NAME, "axes", full.axes),
      number(NAME, "base", full.base),
      choice(NAME, "layout", full.layout, SINCOS_GRID_LAYOUTS),
      choice(NAME, "axisOrder", full.axisOrder, AXIS_ORDERS),
      number(NAME, "frequencyDenominator", full.frequencyDenominator),
      integer(NAME, "prefixRows", full.prefixRows),
    ] as const;
    const address = memory.made(NAME, () => module.sincos_grid_make(...make));
    super(memory, NAME, address, module.sincos_grid_dispose);
    this.config = Object.freeze(full);
  }

  /** @internal */
  protected override at(
    self: Pointer,
    memory: Memory<AllModule>,
    cells: Grid | Coordinates,
  ): VerbsAt {
    const { module } = memory;
    const { dim, axes, prefixRows } = this.config;
    if ((cells as Partial<Coordinates> | null)?.coordinates !== undefined) {
      options(NAME, "cells", cells, ["coordinates"]);
      const list = memory.values(NAME, "coordinates", (cells as Coordinates).coordinates);
      return {
        size: Math.floor(list.count / axes) * dim,
        table: (...out) => module.sincos_grid_table_at(self, list.address, list.count, ...out),
        add: (...x) => module.sincos_grid_add_at(self, list.address, list.count, ...x),
      };
    }
    memory.ensure(NAME);
    const grid = gridScalars(cells as Grid);
    return {
      size: (prefixRows + grid.depth * grid.height * grid.width) * dim,
      table: (...out) => module.sincos_grid_table(self, grid, ...out),
      add: (...x) => module.sincos_grid_add(self, grid, ...x),
    };
  }
}

function gridScalars(grid: Grid): GridScalars {
  const full = filled(NAME, "cells", grid, ["height", "width"], GRID_DEFAULTS);
  return {
    height: count(NAME, "height", full.height),
    width: count(NAME, "width", full.width),
    depth: count(NAME, "depth", full.depth),
    stepY: number(NAME, "stepY", full.stepY),
    stepX: number(NAME, "stepX", full.stepX),
    stepZ: number(NAME, "stepZ", full.stepZ),
    firstY: number(NAME, "firstY", full.firstY),
    firstX: number(NAME, "firstX", full.firstX),
    firstZ: number(NAME, "firstZ", full.firstZ),
    order: choice(NAME, "order", full.order, CELL_ORDERS),
  };
}
