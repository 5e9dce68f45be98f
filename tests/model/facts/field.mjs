// What a model's class takes: fields, their spellings and defaults.

/** The usual spellings of a model's shape. */
export const usual = {
  hidden: "hidden_size",
  heads: "num_attention_heads",
  layers: "num_hidden_layers",
  max: "max_position_embeddings",
};

/** A field: its spellings, the first of which counts, and the class default. */
export const field = (spellings, value) => ({ names: spellings.split("|"), value });

/**
 * The fields of a shape [hidden, heads, layers, max]; a class without max_position_embeddings
 * gives three.
 */
export function shape([hidden, heads, layers, max], spellings = {}) {
  const names = { ...usual, ...spellings };
  const fields = {
    hidden: field(names.hidden, hidden),
    heads: field(names.heads, heads),
    layers: field(names.layers, layers),
  };
  if (max !== undefined || spellings.max) fields.max = field(names.max, max);
  return fields;
}

/** The values of fields, with some replaced. */
export function valuesOf(fields, replaced = {}) {
  const values = Object.entries(fields).map(([role, { value }]) => [role, value]);
  return { ...Object.fromEntries(values), ...replaced };
}
