// Configs, rows and positions that sinusoidal and learned refuse.
import { four, learned, posenc, sinusoidal } from "./fixture.mjs";

export const tables = {
  "a dim of 0": [() => posenc.sinusoidal({ dim: 0 }), "VALUE_RANGE", "dim", "got 0"],
  "rows that do not fit": [
    () => posenc.learned({ rows: new Float32Array(7), dim: 4 }),
    "SHAPE",
    "rows",
    "rows",
  ],
  "rows in a plain array": [
    () => posenc.learned({ rows: [1, 2], dim: 2 }),
    "TYPE",
    "rows",
    "a Float32Array or a buffer from alloc()",
  ],
  "a row that the table has not": [
    () => learned.table({ offset: 1, length: 2 }),
    "POSITION_RANGE",
    "positions",
    "position 2",
  ],
  "a fractional row": [() => learned.table({ positions: [0.5] }), "POSITION_RANGE", "positions"],
  "a position that is NaN": [
    () => sinusoidal.table({ positions: [NaN] }),
    "POSITION_RANGE",
    "positions",
  ],
  "a position that is text": [
    () => sinusoidal.table({ positions: [0, "1"] }),
    "TYPE",
    "positions",
    '[1] is "1"',
  ],
  "a position that is missing": [
    () => sinusoidal.table({ positions: Array(2) }),
    "TYPE",
    "positions",
  ],
  "positions of 32-bit floats": [
    () => sinusoidal.table({ positions: four() }),
    "TYPE",
    "positions",
    "got Float32Array",
  ],
  "positions beside a range": [
    () => sinusoidal.table({ positions: [0], offset: 3 }),
    "TYPE",
    "positions",
  ],
  "positions without a length": [() => sinusoidal.table({ offset: 3 }), "TYPE", "length"],
  "no positions": [() => sinusoidal.table(), "TYPE", "positions", "got undefined"],
  "2^31 rows": [() => sinusoidal.table({ length: 2 ** 31 }), "SIZE_LIMIT", "length"],
  "2^31 values": [() => sinusoidal.table({ length: 2 ** 29 }), "SIZE_LIMIT", "out", "2147483648"],
};
