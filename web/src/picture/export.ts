import type { Job } from "../compute/job";
import type { Curve, Picture } from "../types";
import { colourAt, css, extentOf, place } from "./colour";
import { exact } from "./format";
import { paint } from "./paint";
import { cellTicks } from "./ticks";

/** Offers data to the visitor as a file. */
export function save(name: string, type: string, data: BlobPart): void {
  const address = URL.createObjectURL(new Blob([data], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** A float32 in the fewest digits that give it back. */
function float32(value: number): string {
  for (let digits = 6; digits <= 9; digits += 1) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(value);
}

/** One line per row of the picture; the first line and column are positions. */
export function pictureCsv({ rows, columns, values }: Picture, job: Job): Promise<string> {
  const head: (string | number)[] = [`${rows.label} \\ ${columns.label}`];
  for (let c = 0; c < columns.count; c += 1) head.push(columns.first + c);
  return csv(job, head, rows.count, (r) => [
    rows.first + r,
    ...Array.from(values.subarray(r * columns.count, (r + 1) * columns.count), float32),
  ]);
}

/** One line per distance, one column per line of the curve. */
export function curveCsv({ x, lines }: Curve, job: Job): Promise<string> {
  const head = [x.label, ...lines.map((line) => line.label)];
  return csv(job, head, x.count, (i) => [
    x.first + i,
    ...lines.map((line) => float32(line.values[i] ?? 0)),
  ]);
}

async function csv(
  job: Job,
  head: readonly (string | number)[],
  count: number,
  cells: (index: number) => readonly (string | number)[],
): Promise<string> {
  const lines = [head.join(",")];
  await job.slices(count, (first, size) => {
    for (let i = first; i < first + size; i += 1) lines.push(cells(i).join(","));
  });
  return `${lines.join("\n")}\n`;
}

/** Margins around the plot of a saved picture, in its pixels. */
const MARGIN = { top: 56, right: 40, bottom: 112, left: 96 };
const MINIMUM = { width: 960, height: 540 };

/** The picture with its axes and legend, every value at least one pixel large. */
export async function picturePng(picture: Picture, title: string): Promise<Blob> {
  const plot = document.createElement("canvas");
  const grow = (count: number, least: number) => count * Math.max(1, Math.round(least / count));
  plot.width = grow(picture.columns.count, MINIMUM.width);
  plot.height = grow(picture.rows.count, MINIMUM.height);
  paint(plot, picture, extentOf(picture.values));
  const page = document.createElement("canvas");
  page.width = MARGIN.left + plot.width + MARGIN.right;
  page.height = MARGIN.top + plot.height + MARGIN.bottom;
  const context = page.getContext("2d");
  if (!context) throw new Error("this browser gives no 2-D canvas");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, page.width, page.height);
  context.drawImage(plot, MARGIN.left, MARGIN.top);
  context.fillStyle = "#191b1f";
  context.font = "600 18px 'Inter Variable', sans-serif";
  context.fillText(title, MARGIN.left, 34, plot.width);
  drawAxes(context, picture, plot);
  drawLegend(context, picture, plot);
  return new Promise((resolve, reject) => {
    page.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no PNG was made"))));
  });
}

function drawAxes(
  context: CanvasRenderingContext2D,
  { rows, columns }: Picture,
  plot: HTMLCanvasElement,
): void {
  context.font = "14px 'Inter Variable', sans-serif";
  context.textAlign = "center";
  const bottom = MARGIN.top + plot.height;
  for (const tick of cellTicks(columns.first, columns.count, plot.width / 96)) {
    const x = MARGIN.left + ((tick - columns.first + 0.5) * plot.width) / columns.count;
    context.fillRect(Math.floor(x), bottom, 1, 6);
    context.fillText(tick.toLocaleString("en-US"), x, bottom + 22);
  }
  context.fillText(columns.label, MARGIN.left + plot.width / 2, bottom + 44);
  context.textAlign = "right";
  for (const tick of cellTicks(rows.first, rows.count, plot.height / 64)) {
    const y = MARGIN.top + ((tick - rows.first + 0.5) * plot.height) / rows.count;
    context.fillRect(MARGIN.left - 6, Math.floor(y), 6, 1);
    context.fillText(tick.toLocaleString("en-US"), MARGIN.left - 10, y + 5);
  }
  context.save();
  context.translate(24, MARGIN.top + plot.height / 2);
  context.rotate(-Math.PI / 2);
  context.textAlign = "center";
  context.fillText(rows.label, 0, 0);
  context.restore();
}

function drawLegend(
  context: CanvasRenderingContext2D,
  picture: Picture,
  plot: HTMLCanvasElement,
): void {
  const extent = extentOf(picture.values);
  const size = 240;
  const left = MARGIN.left;
  const top = MARGIN.top + plot.height + 64;
  for (let i = 0; i < size; i += 1) {
    const value = extent.minimum + ((extent.maximum - extent.minimum) * i) / (size - 1);
    context.fillStyle = css(colourAt(place(value, picture.scale, extent), picture.scale));
    context.fillRect(left + i, top, 1, 14);
  }
  context.fillStyle = "#191b1f";
  context.textAlign = "left";
  context.fillText(exact(extent.minimum), left, top + 32);
  context.fillText(picture.quantity, left + size + 16, top + 12);
  context.textAlign = "right";
  context.fillText(exact(extent.maximum), left + size, top + 32);
  if (picture.scale === "diverging" && extent.minimum < 0 && extent.maximum > 0) {
    const x = left + (size * -extent.minimum) / (extent.maximum - extent.minimum);
    context.textAlign = "center";
    context.fillRect(Math.round(x), top, 1, 18);
    context.fillText("0", x, top + 32);
  }
}
