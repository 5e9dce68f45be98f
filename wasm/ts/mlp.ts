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
export class HeldLayers extends HeldTables<string> {
  readonly #memory: Memory<AllModule>;
  readonly #owner: string;
  readonly #names: readonly string[];

  constructor(memory: Memory<AllModule>, owner: string, layers: readonly MlpLayer[]) {
    const tables = tablesOf(owner, layers);
    super(memory, owner, tables);
    this.#memory = memory;
    this.#owner = owner;
    this.#names = Object.keys(tables);
  }

  /** Where the layers lie, four numbers each, as wasm/bindings takes them, until `close()`. */
  layers(): FloatScalars {
    const numbers = this.#names.flatMap((name) => this.scalars(name));
    const { address, count } = this.#memory.values(this.#owner, "layers", numbers);
    return [address, count];
  }
}

function tablesOf(owner: string, layers: readonly MlpLayer[]): Record<string, Floats | undefined> {
  if (!Array.isArray(layers)) fail("TYPE", owner, "layers", "an array of layers", layers);
  const tables = layers.flatMap((layer: MlpLayer, index) => {
    const name = `layers[${index}]`;
    options(owner, name, layer, ["weight", "bias"]);
    return [
      [`${name}.weight`, layer.weight],
      [`${name}.bias`, layer.bias],
    ];
  });
  return Object.fromEntries(tables);
}
