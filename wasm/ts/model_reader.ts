import { PosencError } from "./errors.js";
import type { ModelModule } from "./model_module.js";
import type { Pointer } from "./module.js";

/** A text longer than this is refused before it is copied; the reader's own limit. */
const MAX_TEXT = 1 << 24;

/** The text that a call makes of texts, which lie in the module's memory while it runs. */
function call(
  module: ModelModule,
  texts: readonly string[],
  run: (...scalars: [Pointer, number, Pointer, number]) => void,
): string {
  const encoded = texts.map((text) => new TextEncoder().encode(text));
  const stack = module.stackSave();
  try {
    let address = module._begin(encoded.reduce((sum, { length }) => sum + length, 0));
    const scalars = encoded.flatMap((bytes) => {
      const at = address;
      new Uint8Array(module.wasmMemory.buffer, at, bytes.length).set(bytes);
      address = (at + bytes.length) as Pointer;
      return [at, bytes.length];
    });
    run(...(scalars as Parameters<typeof run>));
  } catch (error) {
    // A trap: the module has written down what was wrong with the text, or memory ran out.
    if (!(error instanceof WebAssembly.RuntimeError)) throw error;
  } finally {
    module.stackRestore(stack);
  }
  const size = module._text_size();
  if (size === 0) throw new PosencError("OUT_OF_MEMORY", "config", "model: out of memory");
  return new TextDecoder().decode(new Uint8Array(module.wasmMemory.buffer, module._text(), size));
}

/** The functions of the module, from text to text. @internal */
export class ModelReader {
  readonly #module: ModelModule;

  constructor(module: ModelModule) {
    this.#module = module;
  }

  /** What `posenc explain --json` prints for one config. */
  explain(text: string): string {
    return call(this.#module, [checked(text)], (at, size) => this.#module._explain(at, size));
  }

  /** What `posenc explain` prints. */
  page(text: string, title: string): string {
    return call(this.#module, [checked(text), title], (...scalars) =>
      this.#module._page(...scalars),
    );
  }
}

function checked(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  throw new PosencError(
    "SIZE_LIMIT",
    "config",
    `model: config must be at most ${MAX_TEXT} characters, got ${text.length}`,
  );
}
