import { exact } from "../picture/format";
import { call, DOT, EQUALS, math, name, num } from "../picture/math";
import type { Cell } from "./types";
import type { Place } from "./windows";

/** row(chosen) . row(cell) = value: of pictures of how alike the cells of a grid are. */
export function similarityReading(chosen: Place, cell: Cell): string {
  const at = ({ row, column }: Place) => call(name("row"), num(String(row)), num(String(column)));
  return math(at(chosen), DOT, at(cell), EQUALS, num(exact(cell.value)));
}
