import { AdditiveAt, type VerbsAt } from "./additive_at.js";
import type { AllModule } from "./all_module.js";
import { filled, integer, options } from "./check.js";
import type { Floats } from "./float_buffer.js";
import { HeldTables } from "./held_tables.js";
import type { Memory } from "./memory.js";
import type { Pointer } from "./module.js";
import type { PositionsInput } from "./positions.js";
import { wholes32 } from "./wholes.js";

/**
 * Parameters of the box encoding: trained tables, each of as many rows of `dim` values as it likes.
 * A Float32Array is copied; a buffer is used where it lies.
 */
export interface LayoutBoxesConfig {
  /** Columns of a row, 1 to 2^24; must divide the number of values of every table. */
  readonly dim: number;
  readonly xRows: Floats;
  readonly yRows: Floats;
  readonly heightRows: Floats;
  readonly widthRows: Floats;
  /** Rows of the token's place in the text; not given: that term is left out. */
  readonly positionRows?: Floats;
}

/** Tokens on a page. */
export interface LayoutTokens {
  /** [tokens, 4], each (x0, y0, x1, y1): rows of the tables. */
  readonly boxes: Int32Array;
  /** The place of each token in the text; none when there are no `positionRows`. */
  readonly positions?: PositionsInput;
}

const NAME = "layout_boxes";
const TABLES = ["xRows", "yRows", "heightRows", "widthRows", "positionRows"] as const;

/**
 * Positions of tokens on a page: position[p] + x[x0] + y[y0] + x[x1] + y[y1] + height[y1 - y0] +
 * width[x1 - x0], rows of trained tables, summed in double in this order and rounded once. `table`
 * writes [tokens, dim]. Source: LayoutLM (Xu et al. 2020).
 *
 * @example
 * ```ts
 * const layout = posenc.layoutBoxes({ dim: 768, xRows, yRows, heightRows, widthRows });
 * const table = layout.table({ boxes: Int32Array.of(10, 20, 110, 40) }); // Float32Array [1, 768]
 * layout.dispose();
 * ```
 */
export class LayoutBoxes extends AdditiveAt<LayoutTokens> {
  /** The config without its tables. */
  readonly config: Pick<LayoutBoxesConfig, "dim">;

  /** @internal */
  constructor(memory: Memory<AllModule>, config: LayoutBoxesConfig) {
    const { module } = memory;
    const full = filled(NAME, "config", config, ["dim", ...TABLES], {});
    const dim = integer(NAME, "dim", full.dim);
    const { xRows, yRows, heightRows, widthRows, positionRows } = full;
    const rows = { xRows, yRows, heightRows, widthRows };
    const tables = new HeldTables(memory, NAME, rows, { positionRows });
    const make = () =>
      module.layout_boxes_make(
        dim,
        ...tables.scalars("xRows"),
        ...tables.scalars("yRows"),
        ...tables.scalars("heightRows"),
        ...tables.scalars("widthRows"),
        ...tables.scalars("positionRows"),
      );
    super(memory, NAME, memory.made(NAME, make, tables), module.layout_boxes_dispose, tables);
    this.config = Object.freeze({ dim });
  }

  /** @internal */
  protected override at(self: Pointer, memory: Memory<AllModule>, tokens: LayoutTokens): VerbsAt {
    const { module } = memory;
    options(NAME, "tokens", tokens, ["boxes", "positions"]);
    const boxes = wholes32(memory, NAME, "boxes", tokens.boxes);
    const positions = memory.positions(NAME, "positions", tokens.positions ?? { length: 0 });
    return {
      size: Math.floor(boxes[1] / 4) * this.config.dim,
      table: (...out) => module.layout_boxes_table(self, ...boxes, ...positions, ...out),
      add: (...x) => module.layout_boxes_add(self, ...boxes, ...positions, ...x),
    };
  }
}
