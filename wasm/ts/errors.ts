/**
 * Every `PosencError.code`. The first seven are the library's own, the same words in every language;
 * the others exist only in JavaScript.
 *
 * - `VALUE_RANGE`: a config field or argument has a value outside what it may be.
 * - `SHAPE`: a buffer's length does not fit the shape that the other arguments describe.
 * - `POSITION_RANGE`: a position is not finite, too large, or has no row in the table.
 * - `OVERLAP`: two buffers overlap where that is not allowed.
 * - `SIZE_LIMIT`: more elements than WebAssembly's memory of 2 GiB can hold.
 * - `OUT_OF_MEMORY`: the memory could not be had.
 * - `MALFORMED`: a config.json cannot be read; `cause` has the reader's own code.
 * - `TYPE`: an argument has the wrong JavaScript type, or an option does not exist.
 * - `DISPOSED`: the encoding or buffer was disposed before.
 * - `WASM_LOAD`: posenc.wasm could not be loaded; the message says how to mend that.
 * - `SIMD_MISSING`: this host has no WebAssembly SIMD.
 */
export const CODES = [
  "VALUE_RANGE",
  "SHAPE",
  "POSITION_RANGE",
  "OVERLAP",
  "SIZE_LIMIT",
  "OUT_OF_MEMORY",
  "MALFORMED",
  "TYPE",
  "DISPOSED",
  "WASM_LOAD",
  "SIMD_MISSING",
] as const;

/** One of {@link CODES}. */
export type Code = (typeof CODES)[number];

/**
 * What every function of posenc throws. After an error everything goes on working.
 *
 * `message` is the library's sentence, the same in every language, so names are spelt as in C++;
 * `field` is the JavaScript name of the option or argument it is about.
 *
 * @example
 * ```ts
 * try {
 *   posenc.rope({ headDim: 63 });
 * } catch (error) {
 *   error.code; // "VALUE_RANGE"
 *   error.field; // "headDim"
 *   error.message; // "rope: head_dim must be even, got 63"
 * }
 * ```
 */
export class PosencError extends Error {
  /** What kind of error it is. */
  readonly code: Code;
  /** The option or argument it is about, `""` when there is none. */
  readonly field: string;

  /** @internal */
  constructor(code: Code, field: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "PosencError";
    this.code = code;
    this.field = field;
  }
}

/** `head_dim` to `headDim`. @internal */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** `headDim` to `head_dim`, as messages spell it. @internal */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
