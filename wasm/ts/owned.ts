/// <reference lib="esnext.disposable" preserve="true" />
import { PosencError, snakeCase } from "./errors.js";
import type { Pointer } from "./module.js";

/** What must be given back, and how. Must not refer to its owner, which could then never go. */
interface Holding {
  readonly address: Pointer;
  readonly free: (address: Pointer) => void;
}

/** A net for what was never disposed; `dispose()` takes its owner out of it. */
const net = /* @__PURE__ */ new FinalizationRegistry<Holding>(({ address, free }) => free(address));

/** Trained tables that an encoding reads, which live as long as it does. @internal */
export interface Held {
  /** Throws DISPOSED when the caller disposed one. */
  address(): unknown;
  dispose(): void;
}

/** Something that lives in wasm memory until it is disposed. */
export abstract class Owned {
  readonly #holding: Holding | undefined;
  readonly #held: Held | undefined;
  #address: Pointer;

  /** Without `free` the memory belongs to something else. @internal */
  constructor(address: Pointer, free?: (address: Pointer) => void, held?: Held) {
    this.#address = address;
    this.#held = held;
    this.#holding = free && { address, free };
    if (this.#holding) net.register(this, this.#holding, this);
  }

  /** True after `dispose()`. */
  get disposed(): boolean {
    return this.#address === 0;
  }

  /**
   * Gives the memory back; using the object afterwards throws `DISPOSED`. Once is enough, more
   * often does no harm.
   */
  dispose(): void {
    if (this.#address === 0) return;
    this.#address = 0 as Pointer;
    this.#held?.dispose();
    if (!this.#holding) return;
    net.unregister(this);
    this.#holding.free(this.#holding.address);
  }

  /** The same as `dispose()`, for `using`; present where the host has `Symbol.dispose`. */
  declare [Symbol.dispose]: () => void;

  /** The address; throws DISPOSED when there is none any more. @internal */
  address(owner: string, field: string): Pointer {
    if (this.#address !== 0) {
      this.#held?.address();
      return this.#address;
    }
    const what = field === "" ? "this encoding" : snakeCase(field);
    throw new PosencError("DISPOSED", field, `${owner}: ${what} was disposed`);
  }
}

if (typeof Symbol.dispose === "symbol") {
  Object.defineProperty(Owned.prototype, Symbol.dispose, {
    value: function dispose(this: Owned) {
      this.dispose();
    },
  });
}
