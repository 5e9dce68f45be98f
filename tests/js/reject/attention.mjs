// Shapes, options and outputs that attention refuses.
import { four, posenc } from "./fixture.mjs";

const attend = (args) =>
  posenc.attention(four(), four(), four(), { queryCount: 1, keyCount: 1, headDim: 4, ...args });

export const attention = {
  "values that are not said": [() => attend({ queryCount: undefined }), "TYPE", "queryCount"],
  "keys of another length": [() => attend({ keyCount: 2 }), "SHAPE", "k"],
  "heads that cannot share": [() => attend({ heads: 3, kvHeads: 2 }), "VALUE_RANGE", "kvHeads"],
  "a scale that is NaN": [() => attend({ scale: NaN }), "VALUE_RANGE", "scale"],
  "causal that is a number": [() => attend({ causal: 1 }), "TYPE", "causal"],
  "distances that miss some": [
    () => attend({ terms: { distances: four(), firstDistance: 3 } }),
    "SHAPE",
  ],
  "a misspelt term": [() => attend({ terms: { keybias: four() } }), "TYPE", "keybias"],
  "an out that is q": [
    () => {
      const q = four();
      return posenc.attention(q, four(), four(), {
        queryCount: 1,
        keyCount: 1,
        headDim: 4,
        out: q,
      });
    },
    "OVERLAP",
    "out",
  ],
};
