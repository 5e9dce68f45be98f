import type { Pointer } from "./module.js";

/** What wasm/bindings/model.cpp declares: the module of "posenc/model". @internal */
export interface ModelModule {
  readonly wasmMemory: WebAssembly.Memory;
  _malloc(bytes: number): Pointer;
  _free(address: Pointer): void;

  /** The address of a text of `text_size()` bytes, 0 when memory ran out. */
  explain(text: Pointer, size: number): Pointer;
  explain_page(text: Pointer, size: number, title: Pointer, titleSize: number): Pointer;
  text_size(): number;
}
