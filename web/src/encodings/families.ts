/** The places where a position can enter a transformer, in the order of the rail. */
export const FAMILIES = [
  { id: "additive", name: "Additive", about: "added to the input" },
  { id: "rotary", name: "Rotary", about: "turns queries and keys" },
  { id: "bias", name: "Bias", about: "added to the scores" },
  { id: "relative", name: "Relative", about: "scores by content" },
  { id: "interpolation", name: "Interpolation", about: "tables at other sizes" },
  { id: "none", name: "None", about: "nothing is added" },
] as const;

export type Family = (typeof FAMILIES)[number]["id"];
