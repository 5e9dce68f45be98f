import { interpolateRdBu, interpolateViridis } from "d3-scale-chromatic";
import type { ColourScale } from "../types";

/** Real extremes of the finite values; masked cells do not count. */
export interface Extent {
  readonly minimum: number;
  readonly maximum: number;
}

type Rgb = readonly [number, number, number];

/** Odd for RdBu, so that zero has an entry of its own: the map's middle. */
const STEPS: Record<ColourScale, number> = { sequential: 256, diverging: 511 };

function parse(colour: string): Rgb {
  const hex = /^#(..)(..)(..)$/.exec(colour);
  const parts = hex
    ? hex.slice(1).map((part) => Number.parseInt(part, 16))
    : (colour.match(/\d+/g) ?? []).map(Number);
  return [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0];
}

function build(scale: ColourScale): readonly Rgb[] {
  const map = scale === "sequential" ? interpolateViridis : interpolateRdBu;
  const steps = STEPS[scale];
  return Array.from({ length: steps }, (_, i) => parse(map(i / (steps - 1))));
}

const TABLES: Record<ColourScale, readonly Rgb[]> = {
  sequential: build("sequential"),
  diverging: build("diverging"),
};

export function extentOf(values: Float32Array): Extent {
  let minimum = Number.POSITIVE_INFINITY;
  let maximum = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value === Number.NEGATIVE_INFINITY) continue;
    if (value < minimum) minimum = value;
    if (value > maximum) maximum = value;
  }
  return minimum <= maximum ? { minimum, maximum } : { minimum: 0, maximum: 0 };
}

/** Where a value stands in its map, 0 to 1. Zero is the middle of the diverging map. */
export function place(value: number, scale: ColourScale, { minimum, maximum }: Extent): number {
  if (scale === "diverging") {
    const reach = Math.max(-minimum, maximum);
    return reach > 0 ? 0.5 + value / (2 * reach) : 0.5;
  }
  return maximum > minimum ? (value - minimum) / (maximum - minimum) : 1;
}

export function colourAt(part: number, scale: ColourScale): Rgb {
  const table = TABLES[scale];
  const index = Math.round(Math.min(1, Math.max(0, part)) * (table.length - 1));
  return table[index] ?? [0, 0, 0];
}

export function css([red, green, blue]: Rgb): string {
  return `rgb(${red} ${green} ${blue})`;
}
