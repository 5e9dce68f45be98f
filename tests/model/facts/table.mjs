// What models with a table of positions take, and the encodings that follow.
import { field, shape } from "./field.mjs";

const rowOffset = (traits, v) => (v.pad === undefined ? (traits.offset ?? 0) : v.pad + 1);

/** A learned table: rows of max positions and those that are no position's. */
export function learnedTable(traits, v, { site = "text", causal = traits.causal ?? false } = {}) {
  const rows = v.rows ?? v.max + (traits.extra ?? 0);
  const offset = rowOffset(traits, v);
  const params = {
    rows,
    dim: v.dim ?? v.hidden,
    row_offset: offset,
    padding_idx: v.pad ?? null,
    max_position: rows - offset,
    causal,
  };
  return { site, encoding: "learned", layers: "all", params, attention: { causal } };
}

/** Sinusoids; fairseq's have a row of zeros for the padding. */
export function sinusoids(traits, v, { site = "text", causal = traits.causal ?? false } = {}) {
  const scales = v.scales ?? traits.scales ?? false;
  const dim = v.dim ?? v.hidden;
  const params = {
    variant: traits.variant,
    rows: (v.rows ?? v.max) + (traits.extra ?? 0),
    dim,
    row_offset: traits.extra ?? 0,
    padding_idx: v.pad ?? null,
    base: 10000,
    exponent: traits.variant === "half_t2t" ? "i/(dim/2-1)" : "2i/dim",
    input_scale: scales ? Math.sqrt(dim) : null,
    causal,
  };
  return { site, encoding: "sinusoidal", layers: "all", params, attention: { causal } };
}

const both = [
  { site: "encoder", causal: false },
  { site: "decoder", causal: true },
];

/** Fields of a table: its shape, its own width, the padding's row, whether inputs are scaled. */
function tableFields(sizes, traits) {
  const fields = shape(sizes, traits.names);
  if (traits.dim) fields.dim = field(...traits.dim);
  if (traits.pad !== undefined) fields.pad = field("pad_token_id", traits.pad);
  if (traits.scaleField !== undefined) fields.scales = field("scale_embedding", traits.scaleField);
  return fields;
}

const parameters = { max: "rows", dim: "dim", pad: "padding_idx" };

/** A fact of one table, or of one for the encoder and one for the decoder. */
function fact(table, isPair, sizes, traits) {
  const sites = isPair ? both : [undefined];
  const { scaleField } = traits;
  const others = scaleField === undefined ? {} : { scales: [!scaleField, scaleField] };
  return {
    fields: tableFields(sizes, traits),
    others: { ...others, ...traits.others },
    // Where rows are no position's, the number of rows is derived.
    parameters: traits.extra ? { ...parameters, max: undefined } : parameters,
    encodings: (v) => sites.map((site) => table(traits, v, site)),
  };
}

export const learned = (sizes, traits = {}) => fact(learnedTable, false, sizes, traits);
export const learnedPair = (sizes, traits = {}) => fact(learnedTable, true, sizes, traits);
export const sinusoidal = (sizes, traits) => fact(sinusoids, false, sizes, traits);
export const sinusoidalPair = (sizes, traits) => fact(sinusoids, true, sizes, traits);
