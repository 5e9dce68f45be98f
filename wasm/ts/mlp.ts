import type { AllModule } from "./all_module.js";
import { fail, options } from "./check.js";
import type { Floats } from "./float_buffer.js";
import { HeldTables } from "./held_tables.js";
import type { Memory } from "./memory.js";
import type { FloatScalars } from "./module.js";

/**
 * One layer of a small trained network, y = weight x + bias. Typed arrays are copied; buffers are
 * used where they lie.
 */
export interface MlpLayer {
  /** [out, in]: in is the width of the layer before, out at most 1024. */
  readonly weight: Floats;
  /**
   * [out].
   * @defaultValue none
   */
  readonly bias?: Floats | undefined;
}

/** The weights and biases of a network. @internal */
export class HeldLayers extends HeldTables<string, string> {
  readonly #memory: Memory<AllModule>;
  readonly #owner: string;
  readonly #count: number;

  constructor(memory: Memory<AllModule>, owner: string, layers: readonly MlpLayer[]) {
    if (!Array.isArray(layers)) fail("TYPE", owner, "layers", "an array of layers", layers);
    layers.forEach((layer, index) => {
      options(owner, nameOf(index), layer, ["weight", "bias"]);
    });
    const tables = (part: keyof MlpLayer) =>
      Object.fromEntries(layers.map((layer, index) => [nameOf(index, part), layer[part]]));
    super(memory, owner, tables("weight"), tables("bias"));
    this.#memory = memory;
    this.#owner = owner;
    this.#count = layers.length;
  }

  /** Where the layers lie, four numbers each, as wasm/bindings takes them, until `close()`. */
  layers(): FloatScalars {
    const numbers = Array.from({ length: this.#count }, (_, index) => [
      ...this.scalars(nameOf(index, "weight")),
      ...this.scalars(nameOf(index, "bias")),
    ]);
    const { address, count } = this.#memory.values(this.#owner, "layers", numbers.flat());
    return [address, count];
  }
}

function nameOf(index: number, part?: keyof MlpLayer): string {
  return `layers[${index}]${part ? `.${part}` : ""}`;
}
