import { describe } from "./check.js";
import { PosencError, snakeCase } from "./errors.js";
import type { LoadOptions } from "./load.js";
import type { ModelReader } from "./model_reader.js";

/** The text of a config.json, or the object that JSON.parse made of it. */
export type ModelConfig = string | { readonly [field: string]: unknown };

/** Options of `readModel`. */
export interface ReadModelOptions extends LoadOptions {
  /** The library that {@link ModelEncoding.create} makes encodings with. */
  readonly posenc?: object;
}

/** The part of a model that an encoding belongs to. */
export const MODEL_SITES = ["text", "encoder", "decoder", "vision", "audio"] as const;
/** One of {@link MODEL_SITES}. */
export type ModelSite = (typeof MODEL_SITES)[number];

/** What a config.json can hold. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/**
 * Where a parameter's value came from.
 *
 * - `config`: the field at the path `from`.
 * - `class default`: what the model's class takes when the field is missing.
 * - `derived`: computed; `from` says of what ("hidden_size / num_attention_heads").
 * - `model code`: the rule of the model's code, which no field tells.
 * - `assumption`: taken for granted for an unknown model, with a warning.
 */
export interface ModelSource {
  readonly kind: "config" | "class default" | "derived" | "model code" | "assumption";
  readonly from?: string;
}

/** Something that was assumed or ignored. */
export interface ModelWarning {
  /** "W_DEFAULT_USED", "W_FIELD_IGNORED", ... */
  readonly code: string;
  /** The path of the field: "text_config.rope_scaling.factor". */
  readonly field: string;
  readonly message: string;
}

/** What attention needs beside the encoding. */
export interface ModelAttention {
  /** What q.k is multiplied with; absent where the config does not tell the head's width. */
  readonly scale?: number;
  readonly causal: boolean;
  /** Keys at this distance or more are not seen. */
  readonly window?: number;
}

/** One position encoding of a model, as data. */
export interface ModelEncodingData {
  readonly site: ModelSite;
  /**
   * "rope", "mrope", "axial_rope", "learned", "sinusoidal", "sincos2d", "alibi", "t5_bias",
   * "deberta", "shaw", "transformer_xl", "swin_bias", "swin_cpb", "decomposed_rel_pos",
   * "convolutional" or "none".
   */
  readonly encoding: string;
  /** Layers from 0, or all of the site. */
  readonly layers: "all" | readonly number[];
  readonly params: { readonly [name: string]: JsonValue };
  readonly sources: { readonly [name: string]: ModelSource };
  readonly attention: ModelAttention;
  /** The function of posenc that makes it, its config, and the options that take weights. */
  readonly make: {
    readonly function: string;
    readonly config: { readonly [option: string]: JsonValue };
    readonly weights: readonly string[];
  } | null;
}

/** One position encoding of a model, ready to be made. */
export class ModelEncoding implements ModelEncodingData {
  readonly site: ModelSite;
  readonly encoding: string;
  readonly layers: "all" | readonly number[];
  readonly params: { readonly [name: string]: JsonValue };
  readonly sources: { readonly [name: string]: ModelSource };
  readonly attention: ModelAttention;
  readonly make: ModelEncodingData["make"];
  readonly #maker: object | undefined;

  /** @internal */
  constructor(data: ModelEncodingData, maker: object | undefined) {
    this.site = data.site;
    this.encoding = data.encoding;
    this.layers = data.layers;
    this.params = data.params;
    this.sources = data.sources;
    this.attention = data.attention;
    this.make = data.make;
    this.#maker = maker;
    Object.freeze(this);
  }

  /** Whether a layer has it. */
  inLayer(layer: number): boolean {
    return this.layers === "all" || this.layers.includes(layer);
  }

  /**
   * Makes the encoding: what `posenc[make.function]` gives for `make.config` and the weights.
   *
   * @param weights - The options that `make.weights` names, such as the trained table.
   * @throws {@link PosencError} `TYPE` when weights are missing, or the library that read the model
   * has not got this encoding (then read it with "posenc/all"); what the encoding itself throws.
   *
   * @example
   * ```ts
   * const rope = model.encodings[0].create<Rope>();
   * const table = learned.create<Learned>({ rows });
   * ```
   */
  create<Encoding extends object>(weights: object = {}): Encoding {
    if (this.make === null) {
      throw new PosencError("TYPE", "encoding", `model: ${this.encoding} has nothing to create`);
    }
    const missing = this.make.weights.filter((name) => !(name in weights));
    const [first] = missing;
    if (first !== undefined) {
      const names = missing.map(snakeCase).join(", ");
      throw new PosencError("TYPE", first, `model: ${this.encoding} needs the weights ${names}`);
    }
    const make = (this.#maker as Record<string, unknown> | undefined)?.[this.make.function];
    if (typeof make !== "function") {
      throw new PosencError(
        "TYPE",
        "encoding",
        `model: ${this.encoding} needs a library with ${this.make.function}: read the model with the posenc of "posenc/all"`,
      );
    }
    return make({ ...this.make.config, ...weights });
  }
}

/** The position encodings that a published model's config.json asks for. */
export class Model {
  readonly encodings: readonly ModelEncoding[];
  readonly warnings: readonly ModelWarning[];
  readonly #reader: ModelReader;
  readonly #text: string;

  /** @internal */
  constructor(reader: ModelReader, text: string, maker: object | undefined) {
    const told = JSON.parse(reader.explain(text));
    if (told.error !== undefined) throw modelError(told.error);
    this.encodings = Object.freeze(
      told.encodings.map((data: ModelEncodingData) => new ModelEncoding(data, maker)),
    );
    this.warnings = Object.freeze(told.warnings);
    this.#reader = reader;
    this.#text = text;
    Object.freeze(this);
  }

  /** The encodings of a layer; several may apply to one. */
  at(layer: number, site: ModelSite = "text"): ModelEncoding[] {
    return this.encodings.filter((one) => one.site === site && one.inLayer(layer));
  }

  /** The page that `posenc explain` prints. */
  explain(title = "config.json"): string {
    return this.#reader.page(this.#text, title);
  }
}

/** The error of a config: `code` is MALFORMED, `cause` the reader's own {code, field, message}. */
function modelError(finding: ModelWarning): PosencError {
  const message = `model: ${finding.message} (${finding.code})`;
  return new PosencError("MALFORMED", finding.field, message, { cause: finding });
}

/** The text of a config, given as text or as what JSON.parse made of it. @internal */
export function configText(config: unknown): string {
  if (typeof config === "string") return config;
  if (typeof config === "object" && config !== null && !Array.isArray(config)) {
    return JSON.stringify(config);
  }
  throw new PosencError(
    "TYPE",
    "config",
    `model: config must be the text of a config.json or its object, got ${describe(config)}`,
  );
}
