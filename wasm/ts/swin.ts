import type { AllModule } from "./all_module.js";
import { Call, closing } from "./calls.js";
import { filled, integer } from "./check.js";
import type { Floats, NewFloats } from "./float_buffer.js";
import type { Memory } from "./memory.js";
import type { FloatScalars, Pointer } from "./module.js";
import { Owned } from "./owned.js";
import type { IntScalars } from "./relative_module.js";
import { write } from "./verb.js";

/** Parameters of Swin's window bias. */
export interface SwinConfig {
  /** Rows of cells of a window, 1 to 4096. */
  readonly windowHeight: number;
  /** Cells of a row, 1 to 4096. */
  readonly windowWidth: number;
  /** 1 to 2^24. */
  readonly heads: number;
  /**
   * The trained table [(2 windowHeight - 1) (2 windowWidth - 1), heads]. A typed array is copied; a
   * buffer is used where it lies. Not needed when only the index is wanted.
   */
  readonly table?: Floats;
}

const NAME = "swin";

/**
 * Swin's relative position bias: a trained value per head and 2-D offset within a window of H x W
 * cells, row-major. The offset is query cell - key cell (dy, dx), its row of the table
 * (dy + H - 1) (2W - 1) + (dx + W - 1). Source: Liu et al. 2021, arXiv 2103.14030; index as in timm
 * and transformers.
 *
 * @example
 * ```ts
 * const swin = posenc.swin({ windowHeight: 7, windowWidth: 7, heads: 3, table }); // [169, 3]
 * const bias = swin.bias(); // [3, 49, 49], for attention
 * swin.dispose();
 * ```
 */
export class Swin extends Owned {
  /** The config without its table. */
  readonly config: Required<Omit<SwinConfig, "table">>;
  readonly #memory: Memory<AllModule>;

  /** @internal */
  constructor(memory: Memory<AllModule>, config: SwinConfig) {
    const { module } = memory;
    const names = ["windowHeight", "windowWidth", "heads", "table"] as const;
    const full = filled(NAME, "config", config, names, {});
    const plain = {
      windowHeight: integer(NAME, "windowHeight", full.windowHeight),
      windowWidth: integer(NAME, "windowWidth", full.windowWidth),
      heads: integer(NAME, "heads", full.heads),
    };
    const { windowHeight, windowWidth, heads } = plain;
    const held = full.table && memory.hold(NAME, "table", full.table);
    const make = () => {
      const table = held?.address() ?? (0 as Pointer);
      return module.swin_make(windowHeight, windowWidth, heads, table, held?.size ?? 0);
    };
    super(memory.made(NAME, make, held), module.swin_dispose, held);
    this.#memory = memory;
    this.config = Object.freeze(plain);
  }

  /**
   * The row of the table of each pair of cells.
   *
   * @returns [HW, HW].
   * @throws {@link PosencError} `SIZE_LIMIT`, `OUT_OF_MEMORY` or `DISPOSED`.
   */
  index(): Int32Array<ArrayBuffer> {
    const memory = this.#memory;
    const self = this.address(NAME, "");
    const verb = (...out: IntScalars) => memory.module.swin_index(self, ...out);
    return closing(memory, () => new Call(memory, NAME).rows(this.#cells ** 2, verb));
  }

  /**
   * Writes the bias of every query and key cell: the table's values, bit for bit where the storage
   * types agree.
   *
   * @param out - [heads, HW, HW]; a new array when not given.
   * @returns `out`.
   * @throws {@link PosencError} `SHAPE` (also when there is no table), `OVERLAP`, `SIZE_LIMIT`,
   * `OUT_OF_MEMORY`, `TYPE` or `DISPOSED`; nothing is written then.
   */
  bias<Out extends Floats = NewFloats>(out?: Out): Out {
    const { module } = this.#memory;
    const self = this.address(NAME, "");
    const size = this.config.heads * this.#cells ** 2;
    const verb = (target: FloatScalars) => module.swin_bias(self, ...target);
    return write(this.#memory, NAME, { out, size }, verb) as Out;
  }

  get #cells(): number {
    return this.config.windowHeight * this.config.windowWidth;
  }
}
