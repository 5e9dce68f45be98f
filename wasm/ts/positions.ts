/**
 * Positions of the rows of a tensor: `length` consecutive ones from `offset` (0 when not given), or
 * explicit ones, in any order, negative and repeated ones included. Fractional positions come as
 * `Float64Array` or plain numbers, for every encoding but the table look-ups (learned, t5).
 * Positions are exact up to 2^50.
 */
export type PositionsInput = PositionRange | PositionList;

/** `length` consecutive positions: `offset`, `offset + 1`, ... */
export interface PositionRange {
  /**
   * The first position.
   * @defaultValue 0
   */
  readonly offset?: number | bigint;
  readonly length: number;
  readonly positions?: undefined;
}

/** One position for each row. */
export interface PositionList {
  readonly positions: PositionArray;
}

/** The arrays that may hold positions. */
export type PositionArray = Int32Array | BigInt64Array | Float64Array | readonly number[];
