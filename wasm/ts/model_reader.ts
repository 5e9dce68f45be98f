import { PosencError } from "./errors.js";
import type { ModelModule } from "./model_module.js";
import type { Pointer } from "./module.js";

/** A text longer than this is refused before it is copied; the reader's own limit. */
const MAX_TEXT = 1 << 24;

/** Runs `use` on UTF-8 copies of texts in the module's memory. */
function withTexts<Result>(
  module: ModelModule,
  texts: readonly string[],
  use: (...scalars: number[]) => Result,
): Result {
  const held: Pointer[] = [];
  try {
    const scalars = texts.flatMap((text) => {
      const bytes = new TextEncoder().encode(text);
      const address = module._malloc(Math.max(bytes.length, 1));
      if (address === 0) throw outOfMemory();
      held.push(address);
      new Uint8Array(module.wasmMemory.buffer, address, bytes.length).set(bytes);
      return [address, bytes.length];
    });
    return use(...scalars);
  } finally {
    for (const address of held) module._free(address);
  }
}

function outOfMemory(): PosencError {
  return new PosencError("OUT_OF_MEMORY", "config", "model: out of memory");
}

function resultOf(module: ModelModule, address: Pointer): string {
  if (address === 0) throw outOfMemory();
  return new TextDecoder().decode(
    new Uint8Array(module.wasmMemory.buffer, address, module.text_size()),
  );
}

/** The functions of the module, from text to text. @internal */
export class ModelReader {
  readonly #module: ModelModule;

  constructor(module: ModelModule) {
    this.#module = module;
  }

  /** What `posenc explain --json` prints for one config. */
  explain(text: string): string {
    return withTexts(this.#module, [checked(text)], (address, size) =>
      resultOf(this.#module, this.#module.explain(address as Pointer, size as number)),
    );
  }

  /** What `posenc explain` prints. */
  page(text: string, title: string): string {
    return withTexts(this.#module, [checked(text), title], (...scalars) =>
      resultOf(
        this.#module,
        this.#module.explain_page(...(scalars as Parameters<ModelModule["explain_page"]>)),
      ),
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
