import type { Picture } from "../types";
import { colourAt, type Extent, place } from "./colour";
import { short } from "./format";

/** The cell of `count` that device pixel `pixel` of `size` shows. */
export function cellAt(pixel: number, size: number, count: number): number {
  return Math.min(count - 1, Math.floor(((pixel + 0.5) * count) / size));
}

/**
 * Device pixels for `count` values in a room of `room`: a whole number for each, so that all look
 * alike, where that leaves at most the part `loss` of the room empty; otherwise the whole room.
 */
export function fit(room: number, count: number, loss: number): number {
  const whole = Math.floor(room / count) * count;
  return whole >= room * (1 - loss) && whole > 0 ? whole : room;
}

/** Grey of a masked cell, two tones in a diagonal hatch: no value looks like it. */
const MASKED = [
  [128, 128, 128],
  [150, 150, 150],
] as const;

/**
 * Draws a picture to fill the canvas, every device pixel the colour of exactly one value: no
 * smoothing, no averaging. With fewer pixels than values some values are left out (`drawn` says).
 */
export function paint(canvas: HTMLCanvasElement, picture: Picture, extent: Extent): void {
  const context = canvas.getContext("2d");
  const { width, height } = canvas;
  if (!context || width === 0 || height === 0) return;
  const image = context.createImageData(width, height);
  const { rows, columns } = picture;
  const cells = Int32Array.from({ length: width }, (_, x) => cellAt(x, width, columns.count));
  const line = 4 * width;
  let repeatable = false;
  for (let y = 0; y < height; y += 1) {
    const row = cellAt(y, height, rows.count);
    if (repeatable && row === cellAt(y - 1, height, rows.count)) {
      image.data.copyWithin(line * y, line * (y - 1), line * y);
      continue;
    }
    const values = picture.values.subarray(row * columns.count, (row + 1) * columns.count);
    repeatable = !paintLine(image.data.subarray(line * y, line * (y + 1)), y, values, cells);
  }
  context.putImageData(image, 0, 0);

  /** One line of pixels; says whether it has masked cells, whose hatch differs line by line. */
  function paintLine(
    pixels: Uint8ClampedArray,
    y: number,
    values: Float32Array,
    cellOf: Int32Array,
  ): boolean {
    let masked = false;
    for (let x = 0; x < width; x += 1) {
      const value = values[cellOf[x] ?? 0] ?? 0;
      const seen = Number.isFinite(value);
      const colour = seen
        ? colourAt(place(value, picture.scale, extent), picture.scale)
        : MASKED[((x + y) >> 2) & 1 ? 1 : 0];
      masked ||= !seen;
      pixels.set(colour, 4 * x);
      pixels[4 * x + 3] = 255;
    }
    return masked;
  }
}

/** How the values met the pixels, in words: the picture never shows more than the data has. */
export function drawn(picture: Picture, width: number, height: number): string {
  const { rows, columns } = picture;
  const size = `${rows.count.toLocaleString("en-US")} \u00d7 ${columns.count.toLocaleString("en-US")} values`;
  if (width >= columns.count && height >= rows.count) {
    const [across, down] = [width / columns.count, height / rows.count];
    const about = Number.isInteger(across) && Number.isInteger(down) ? "" : "about ";
    return `${size}, each drawn ${about}${short(across, 2)} \u00d7 ${short(down, 2)} pixels large, not smoothed.`;
  }
  const left = Math.min(1, width / columns.count) * Math.min(1, height / rows.count);
  return `${size}, more than there are pixels: ${Math.round(100 * left)} % of them drawn, evenly spaced; crosshair and table reach all.`;
}
