import { describe } from "./check.js";
import { PosencError } from "./errors.js";
import type { GlueOptions } from "./module.js";

/** Where the module can come from. */
export type WasmSource =
  | WebAssembly.Module
  | ArrayBuffer
  | ArrayBufferView
  | Response
  | PromiseLike<Response>
  | URL
  | string;

/** Options of `load`. */
export interface LoadOptions {
  /**
   * posenc.wasm, or that of the entry ("posenc/all": posenc_all.wasm): a compiled module (Cloudflare Workers), its
   * bytes, a response or a URL.
   * @defaultValue the file that lies beside the JavaScript
   */
  readonly wasm?: WasmSource | undefined;
}

/** How a host reads a URL or path of its own. @internal */
export type ReadUrl = (url: URL | string) => Promise<ArrayBufferView | Response>;

/** A library: the JavaScript of its module, its API over it, and where its file lies. @internal */
export interface Library<Module, Api> {
  readonly createModule: (options: GlueOptions) => Promise<Module>;
  readonly apiOf: (module: Module) => Api;
  readonly beside: () => URL;
}

/**
 * The `load` of a host: `load()` is memoised, `load({ wasm })` makes a new instance each time.
 * @internal
 */
export function loader<Module, Api>(
  library: Library<Module, Api>,
  read: ReadUrl,
): (options?: LoadOptions) => Promise<Api> {
  let memo: Promise<Api> | undefined;
  return (options) => {
    if (options?.wasm !== undefined) return instance(library, options.wasm, read);
    memo ??= instance(library, library.beside(), read).catch((error: unknown) => {
      memo = undefined; // so that a later call tries again
      throw error;
    });
    return memo;
  };
}

/**
 * Whether the host compiles `(func (result v128) i32.const 0 i8x16.splat)` with `more` bytes of
 * instructions at its end.
 * @internal
 */
export function hasSimd(...more: number[]): boolean {
  const size = 6 + more.length;
  const type = [1, 5, 1, 96, 0, 1, 123];
  const code = [10, size + 2, 1, size, 0, 65, 0, 253, 15, ...more, 11];
  return WebAssembly.validate(
    Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, ...type, 3, 2, 1, 0, ...code),
  );
}

async function instance<Module, Api>(
  { createModule, apiOf }: Library<Module, Api>,
  wasm: WasmSource,
  read: ReadUrl,
): Promise<Api> {
  if (!hasSimd()) {
    throw new PosencError(
      "SIMD_MISSING",
      "",
      "load: this host has no WebAssembly SIMD: Chrome 91, Firefox 89, Safari 16.4, Node 16.4 have",
    );
  }
  const module = await compiled(wasm, read);
  return new Promise((resolve, reject) => {
    createModule({
      instantiateWasm(imports, receive) {
        WebAssembly.instantiate(module, imports)
          .then((made) => receive(made, module))
          .catch((cause) => reject(loadError("it does not fit this JavaScript", cause)));
        return {};
      },
    }).then((ready) => resolve(apiOf(ready)), reject);
  });
}

async function compiled(wasm: WasmSource, read: ReadUrl): Promise<WebAssembly.Module> {
  if (wasm instanceof WebAssembly.Module) return wasm;
  const bytes = await bytesOf(wasm, read);
  const [first, second] = bytes;
  // "<!doctype" or "<html": what a development server answers for a file it does not have.
  if (first === 0x3c) {
    throw loadError(
      'the server sent a web page. With Vite before version 8 set optimizeDeps: { exclude: ["posenc"] }; elsewhere copy the .wasm file beside it or pass load({ wasm: url })',
    );
  }
  if (first !== 0 || second !== 0x61) throw loadError("what came is not WebAssembly");
  return WebAssembly.compile(bytes).catch((cause: unknown) => {
    throw loadError("this host cannot compile it", cause);
  });
}

async function bytesOf(wasm: WasmSource, read: ReadUrl): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const source = typeof wasm === "string" || wasm instanceof URL ? await read(wasm) : await wasm;
    if (source instanceof ArrayBuffer) return new Uint8Array(source);
    if (ArrayBuffer.isView(source)) {
      return new Uint8Array(source.buffer as ArrayBuffer, source.byteOffset, source.byteLength);
    }
    if (typeof (source as Response | undefined)?.arrayBuffer !== "function") {
      const rule = "a WebAssembly.Module, bytes, a Response or a URL";
      throw new PosencError("TYPE", "wasm", `load: wasm must be ${rule}, got ${describe(source)}`);
    }
    const response = source as Response;
    if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    if (cause instanceof PosencError) throw cause;
    throw loadError("it could not be read", cause);
  }
}

function loadError(why: string, cause?: unknown): PosencError {
  const detail = cause instanceof Error ? `: ${cause.message}` : "";
  const message = `load: the .wasm file could not be loaded, ${why}${detail}`;
  return new PosencError("WASM_LOAD", "wasm", message, { cause });
}
