import type { AllModule } from "./all_module.js";
import { closing } from "./calls.js";
import { boolean, choice, count, filled, integer, number, position } from "./check.js";
import type { Memory } from "./memory.js";
import type { Pointer } from "./module.js";

/**
 * What the position of cell k of n along an axis is.
 *
 * - `cells`: k + offset, times reference / n where a reference size is given; Qwen2-VL, Pixtral,
 *   timm's language mode (EVA-02 with a reference).
 * - `centres`: the middle of the cell in [-1, 1], (2k + 1 - n) / n; DINOv3.
 * - `corners`: from -1 for the first cell to 1 for the last; timm's pixel mode.
 */
export const GRID_COORDINATES = ["cells", "centres", "corners"] as const;
/** One of {@link GRID_COORDINATES}. */
export type GridCoordinates = (typeof GRID_COORDINATES)[number];

/** Which n the centres of both axes are measured by: each by its own, the larger, the smaller. */
export const GRID_EXTENTS = ["separate", "max", "min"] as const;
/** One of {@link GRID_EXTENTS}. */
export type GridExtent = (typeof GRID_EXTENTS)[number];

/** The cells of an image or video and how their positions are counted. */
export interface GridPositionsArgs {
  readonly height: number;
  readonly width: number;
  /**
   * How many times the grid comes, as for the frames of a video.
   * @defaultValue 1
   */
  readonly frames?: number;
  /**
   * Cells come in blocks of merge x merge, as Qwen2-VL orders patches; 1 is plain row-major.
   * @defaultValue 1
   */
  readonly merge?: number;
  /** @defaultValue "cells" */
  readonly coordinates?: GridCoordinates;
  /**
   * Of `centres` alone.
   * @defaultValue "separate"
   */
  readonly extent?: GridExtent;
  /**
   * Of `cells` alone.
   * @defaultValue 0
   */
  readonly offset?: number;
  /**
   * Sizes that positions are stretched to, of `cells` and `corners`; 0 for none.
   * @defaultValue 0
   */
  readonly referenceHeight?: number;
  /** As `referenceHeight`. @defaultValue 0 */
  readonly referenceWidth?: number;
  /**
   * false: rows (y) are the first axis; true: columns (x) are (timm's "xy").
   * @defaultValue false
   */
  readonly columnsFirst?: boolean;
}

/** Which tokens of a prompt are parts of images and videos, and how large those are. */
export interface MropePositionsArgs {
  /** [batch, length]. */
  readonly inputIds: Int32Array | readonly number[];
  /**
   * [batch, length]: not 0 where a token is real.
   * @defaultValue all tokens
   */
  readonly attentionMask?: Uint8Array | readonly number[];
  /** [count, 3] as (t, h, w) in patches, in order of appearance over the whole batch. */
  readonly imageGrids?: readonly number[];
  /** As `imageGrids`. */
  readonly videoGrids?: readonly number[];
  /** @defaultValue 1 */
  readonly batch?: number;
  readonly imageTokenId: number;
  /** @defaultValue imageTokenId */
  readonly videoTokenId?: number;
  /**
   * Patches of a side that become one token.
   * @defaultValue 2
   */
  readonly spatialMergeSize?: number;
  /**
   * The position of masked tokens on all axes.
   * @defaultValue 1
   */
  readonly maskedPosition?: number;
}

/** Positions for `RotaryArgs.positions`: of images, prompts with images, and ragged batches. */
export interface RotaryPositionRules {
  /**
   * The positions of all cells of an image or video, axis after axis.
   * @returns [2, frames * height * width], the nearest double of each.
   * @throws {@link PosencError} `VALUE_RANGE`, `SIZE_LIMIT`, `OUT_OF_MEMORY` or `TYPE`.
   */
  grid(args: GridPositionsArgs): Float64Array<ArrayBuffer>;
  /**
   * The ids of multimodal rope (Qwen2-VL's get_rope_index): text advances all axes by one, a grid
   * counts its frames, rows and columns, the next token follows the largest position used.
   * @returns Positions [3, batch, length] and delta [batch]: while decoding, a token's position is
   * its index + delta on all axes.
   * @throws {@link PosencError} `SHAPE`, `VALUE_RANGE`, `OUT_OF_MEMORY` or `TYPE`.
   */
  mrope(args: MropePositionsArgs): {
    readonly positions: Float64Array<ArrayBuffer>;
    readonly delta: Float64Array<ArrayBuffer>;
  };
  /**
   * Sequences that each continue at an offset of their own, padded to one length.
   * @param offsets - [batch].
   * @param length - Tokens of each sequence.
   * @returns [batch, length]: offsets[s] + i.
   * @throws {@link PosencError} `POSITION_RANGE`, `SIZE_LIMIT`, `OUT_OF_MEMORY` or `TYPE`.
   */
  offsets(offsets: readonly number[], length: number): Float64Array<ArrayBuffer>;
  /**
   * The same without padding: sequence s has the tokens starts[s] to starts[s + 1] (not included),
   * as flash-attention's cu_seqlens.
   * @param starts - [batch + 1].
   * @param offsets - [batch]; all 0 when not given.
   * @returns [starts[batch]].
   * @throws {@link PosencError} `SHAPE`, `VALUE_RANGE`, `POSITION_RANGE`, `OUT_OF_MEMORY` or `TYPE`.
   */
  packed(starts: readonly number[], offsets?: readonly number[]): Float64Array<ArrayBuffer>;
}

const GRID_DEFAULTS = {
  frames: 1,
  merge: 1,
  coordinates: "cells",
  extent: "separate",
  offset: 0,
  referenceHeight: 0,
  referenceWidth: 0,
  columnsFirst: false,
} as const;

function grid(memory: Memory<AllModule>, args: GridPositionsArgs): Float64Array<ArrayBuffer> {
  const name = "grid_positions";
  const full = filled(name, "args", args, ["height", "width"], GRID_DEFAULTS);
  const height = integer(name, "height", full.height);
  const width = integer(name, "width", full.width);
  const frames = integer(name, "frames", full.frames);
  const size = count(name, "cells", 2 * frames * height * width);
  const out = memory.scratch(8 * size, name, "out");
  memory.check(
    memory.module.grid_positions(
      height,
      width,
      frames,
      integer(name, "merge", full.merge),
      choice(name, "coordinates", full.coordinates, GRID_COORDINATES),
      choice(name, "extent", full.extent, GRID_EXTENTS),
      number(name, "offset", full.offset),
      number(name, "referenceHeight", full.referenceHeight),
      number(name, "referenceWidth", full.referenceWidth),
      boolean(name, "columnsFirst", full.columnsFirst),
      out,
      size,
    ),
  );
  return memory.doubles(out, size);
}

/** Address and length of a copy of whole numbers, of 64 bits each. */
function wholes(
  memory: Memory<AllModule>,
  name: string,
  field: string,
  values: readonly number[],
): [address: Pointer, length: number] {
  const list = BigInt64Array.from(values, (value) => BigInt(position(name, field, value)));
  const [, address, length] = memory.positionList(name, field, list);
  return [address as Pointer, length];
}

const MROPE_DEFAULTS = {
  attentionMask: [],
  imageGrids: [],
  videoGrids: [],
  batch: 1,
  spatialMergeSize: 2,
  maskedPosition: 1,
} as const;

function mrope(memory: Memory<AllModule>, args: MropePositionsArgs) {
  const name = "mrope_positions";
  const names = ["inputIds", "imageTokenId", "videoTokenId"] as const;
  const full = filled(name, "args", args, names, MROPE_DEFAULTS);
  const batch = integer(name, "batch", full.batch);
  const imageToken = integer(name, "imageTokenId", full.imageTokenId);
  const [, ids, tokens] = memory.positionList(name, "inputIds", Int32Array.from(full.inputIds));
  const mask = memory.bytes(name, "attentionMask", Uint8Array.from(full.attentionMask));
  const images = wholes(memory, name, "imageGrids", full.imageGrids);
  const videos = wholes(memory, name, "videoGrids", full.videoGrids);
  const positions = memory.scratch(24 * tokens, name, "positions");
  const delta = memory.scratch(8 * batch, name, "delta");
  memory.check(
    memory.module.mrope_positions(
      batch,
      imageToken,
      integer(name, "videoTokenId", full.videoTokenId ?? imageToken),
      integer(name, "spatialMergeSize", full.spatialMergeSize),
      position(name, "maskedPosition", full.maskedPosition),
      ids as Pointer,
      tokens,
      mask,
      full.attentionMask.length,
      ...images,
      ...videos,
      positions,
      delta,
    ),
  );
  return {
    positions: new Float64Array(memory.int64s(positions, 3 * tokens)),
    delta: new Float64Array(memory.int64s(delta, batch)),
  };
}

function offsetPositions(memory: Memory<AllModule>, offsets: readonly number[], length: number) {
  const name = "offset_positions";
  const [first, batch] = wholes(memory, name, "offsets", offsets);
  const size = count(name, "positions", batch * integer(name, "length", length));
  const out = memory.scratch(8 * size, name, "out");
  memory.check(memory.module.offset_positions(first, batch, out, size));
  return new Float64Array(memory.int64s(out, size));
}

function packed(memory: Memory<AllModule>, starts: readonly number[], offsets: readonly number[]) {
  const name = "packed_positions";
  const [first, batch] = wholes(memory, name, "offsets", offsets);
  const bounds = wholes(memory, name, "starts", starts);
  const size = count(name, "starts", Math.max(0, starts.at(-1) ?? 0));
  const out = memory.scratch(8 * size, name, "out");
  memory.check(memory.module.packed_positions(first, batch, ...bounds, out, size));
  return new Float64Array(memory.int64s(out, size));
}

/** The rules over a module. @internal */
export function rotaryPositionsOf(memory: Memory<AllModule>): RotaryPositionRules {
  return Object.freeze<RotaryPositionRules>({
    grid: (args) => closing(memory, () => grid(memory, args)),
    mrope: (args) => closing(memory, () => mrope(memory, args)),
    offsets: (offsets, length) => closing(memory, () => offsetPositions(memory, offsets, length)),
    packed: (starts, offsets = []) => closing(memory, () => packed(memory, starts, offsets)),
  });
}
