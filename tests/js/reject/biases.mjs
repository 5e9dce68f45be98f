// Configs, positions and distances that alibi and t5 refuse.
import { alibi, four, posenc, t5, withTable } from "./fixture.mjs";

export const biases = {
  "slopes of another number": [
    () => posenc.alibi({ heads: 2, customSlopes: [1] }),
    "SHAPE",
    "customSlopes",
  ],
  "no heads": [() => posenc.alibi({ heads: 0 }), "VALUE_RANGE", "heads", "got 0"],
  "a direction that is not said": [
    () => posenc.t5({ heads: 1 }),
    "TYPE",
    "bidirectional",
    "t5: bidirectional must be true or false, got undefined",
  ],
  "a table that does not fit": [
    () => posenc.t5({ heads: 2, bidirectional: true, table: four() }),
    "SHAPE",
    "table",
    "table",
  ],
  "2^31 scores": [
    () => alibi.bias({ queries: { length: 2 ** 15 }, keys: { length: 2 ** 15 } }),
    "SIZE_LIMIT",
    "out",
  ],
  "2^31 distances": [() => alibi.distances(0, 2 ** 31), "SIZE_LIMIT", "length"],
  "a distance that is far": [() => alibi.distances(2 ** 60, 1), "POSITION_RANGE", "first"],
  "distances of another length": [
    () => alibi.distances(0, 3, four()),
    "SHAPE",
    "out",
    "alibi: out must have heads * length = 2 * 3 = 6 elements, got 4",
  ],
  "a bias of another length": [
    () => alibi.bias({ queries: { length: 1 }, keys: { length: 1 } }, four()),
    "SHAPE",
    "out",
  ],
  "no keys": [() => alibi.bias({ queries: { length: 1 } }), "TYPE", "keys"],
  "fractional distances": [() => t5.buckets([0.5]), "VALUE_RANGE", "distances", "got 0.5"],
  "a bias without a table": [() => t5.distances(0, 1), "SHAPE", "table"],
  "fractional positions in t5": [
    () => withTable.bias({ queries: { positions: [0.5] }, keys: { length: 1 } }),
    "POSITION_RANGE",
  ],
};
