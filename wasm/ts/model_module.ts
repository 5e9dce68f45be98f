import type { Pointer } from "./module.js";

/** What wasm/bindings/model.cpp exports: the module of "posenc/model". @internal */
export interface ModelModule {
  readonly wasmMemory: WebAssembly.Memory;
  stackSave(): number;
  stackRestore(stack: number): void;

  /** Forgets the last call; the address of bytes for the texts of the next one. */
  _begin(bytes: number): Pointer;
  _explain(text: Pointer, size: number): void;
  _page(text: Pointer, size: number, title: Pointer, titleSize: number): void;
  /** The text that the call made, also when it ended by a trap; of size 0 when there is none. */
  _text(): Pointer;
  _text_size(): number;
}
