// What strict TypeScript makes of the package's types; types.test.mjs compiles it, nobody runs it.
import {
  type Angles,
  CODES,
  type Code,
  type FloatBuffer,
  type Floats,
  load,
  type Posenc,
  PosencError,
  type PositionsInput,
  ROPE_LAYOUTS,
  type Rope,
  type RopeConfig,
  type RopeLayout,
  type T5,
} from "posenc";
import {
  type Kerple,
  load as loadAll,
  type MlpLayer,
  type PosencAll,
  type ScoreArgs,
  type Shaw,
  type TrainableLearned,
} from "posenc/all";
import { load as loadFast, type PosencFast } from "posenc/fast";
import wasm from "posenc/posenc.wasm";
import fastWasm from "posenc/posenc_fast.wasm";

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** An error where two types differ. */
function same<A, B>(..._proof: Same<A, B> extends true ? [] : ["types differ", A, B]): void {}

export async function use(): Promise<void> {
  const posenc: Posenc = await load({ wasm: new URL("https://example.com/posenc.wasm") });
  await load({ wasm });
  const buffer = posenc.alloc(16);
  const array = new Float32Array(16);
  same<typeof buffer, FloatBuffer>();

  // What goes in comes out; without `out` it is a new array over an ordinary ArrayBuffer.
  const rope = posenc.rope({ headDim: 16, scaling: { type: "linear", factor: 2 } });
  const inPlace = rope.apply(buffer, { heads: 1, offset: 3n });
  same<typeof inPlace, FloatBuffer>();
  const elsewhere = rope.apply(buffer, { out: array });
  same<typeof elsewhere, Float32Array<ArrayBuffer>>();
  const table = posenc.sinusoidal({ dim: 16 }).table({ length: 4 });
  same<typeof table, Float32Array<ArrayBuffer>>();
  const angles = rope.angles({ positions: [0, 1.5] });
  same<typeof angles, Angles<Float32Array<ArrayBuffer>>>();
  const attended = posenc.attention(array, buffer, array, {
    queryCount: 1,
    keyCount: 1,
    headDim: 16,
    terms: { distances: buffer, firstDistance: 0 },
    out: buffer,
  });
  same<typeof attended, FloatBuffer>();
  const either: Floats = rope.rotate(array, angles.cos, angles.sin);
  const view: Float32Array<ArrayBuffer> = buffer.view();
  const t5: T5 = posenc.t5({ heads: 2, bidirectional: true, table: view });
  const thresholds: readonly number[] = t5.thresholds();
  new Blob([table, angles.cos]);

  const layout: RopeLayout = ROPE_LAYOUTS[0];
  const config: RopeConfig = { ...rope.config, layout };
  const positions: PositionsInput[] = [
    { length: 3 },
    { offset: -1, length: 3 },
    { positions: new BigInt64Array(1) },
  ];
  const code: Code = CODES[0];
  if (!(posenc instanceof Object))
    throw new Error(`${either} ${thresholds} ${config} ${positions}`);
  try {
    rope[Symbol.dispose]();
  } catch (error) {
    if (error instanceof PosencError && error.code === code) console.log(error.field);
  }
}

/** The same of the whole library, which is one of the core's. */
export async function useAll(rows: FloatBuffer<"float16">): Promise<Posenc> {
  const posenc: PosencAll = await loadAll();
  const learned: TrainableLearned = posenc.learned({ rows, dim: 4, scale: 0.5 });
  const sums = learned.scatter(rows, { length: 4 }, new Float32Array(16));
  same<typeof sums, Float32Array<ArrayBuffer>>();
  const table = posenc.sincosGrid({ dim: 4 }).table({ height: 2, width: 2 });
  same<typeof table, Float32Array<ArrayBuffer>>();
  const added = posenc.multiscale({ levels: [{ dim: 4 }] }).add(rows, [{ length: 4 }]);
  same<typeof added, FloatBuffer<"float16">>();
  const ids: Int32Array = posenc.positionIds.next(new Uint8Array(4), 2);
  posenc.detrSine().add(posenc.interpolate({ fromHeight: 2, toHeight: 3, dim: 4 }).apply(table), {
    mask: new Uint8Array(ids.buffer),
    height: 1,
    width: 4,
  });
  // @ts-expect-error: sums are float32
  learned.scatter(rows, { length: 4 }, rows);
  // @ts-expect-error: a grid has a width
  posenc.sincosGrid({ dim: 4 }).table({ height: 2 });
  return posenc;
}

/** Biases. */
export function useBiases(posenc: PosencAll): void {
  const positions = { queries: { length: 1 }, keys: { length: 1 } };
  const kerple: Kerple = posenc.kerple({ heads: 1, p: [1], a: Float64Array.of(1) });
  const gradient = kerple.gradient(positions, kerple.bias(positions));
  same<typeof gradient, Float32Array<ArrayBuffer>>();
  const layers: readonly MlpLayer[] = [{ weight: gradient, bias: undefined }];
  const fire = posenc.fire({ heads: 1, layers });
  const halves = posenc.alloc(1, "bfloat16");
  same<ReturnType<typeof fire.bias<typeof halves>>, FloatBuffer<"bfloat16">>();
  // @ts-expect-error: fire depends on more than the distance
  fire.distances(0, 1);
  // @ts-expect-error: gradients are float32
  kerple.gradient(positions, gradient, halves);
}

/** Lines that must not compile. */
export function misuse(posenc: Posenc, rope: Rope, x: Float32Array): void {
  // @ts-expect-error: head_dim has no default
  posenc.rope({});
  // @ts-expect-error: a misspelt option
  posenc.rope({ headDim: 4, rotarydim: 2 });
  // @ts-expect-error: not a layout
  posenc.rope({ headDim: 4, layout: "neox" });
  // @ts-expect-error: a factor belongs to it
  posenc.rope({ headDim: 4, scaling: { type: "linear" } });
  // @ts-expect-error: the direction must be said
  posenc.t5({ heads: 1 });
  // @ts-expect-error: doubles are not the storage type
  rope.apply(new Float64Array(4));
  // @ts-expect-error: 32-bit floats are no positions
  rope.apply(x, { positions: x });
  // @ts-expect-error: a range needs its length
  posenc.sinusoidal({ dim: 4 }).table({ offset: 1 });
  // @ts-expect-error: explicit positions have no offset
  posenc.sinusoidal({ dim: 4 }).table({ offset: 1, positions: [1] });
  // @ts-expect-error: configs do not change
  rope.config.base = 1;
  // @ts-expect-error: no such code
  const code: Code = "OOPS";
  // @ts-expect-error: encodings come from load(), their classes are types only
  new Rope(code);
}

/** Attention with fast numerics. */
export async function useFast(q: Float32Array): Promise<PosencFast["numerics"]> {
  const fast: PosencFast = await loadFast({ wasm: fastWasm, allWasm: "posenc_all.wasm" });
  const shape = { queryCount: 1, keyCount: 1, headDim: 4 };
  const buffer = fast.alloc(4);
  const out = fast.attention(q, q, q, { ...shape, window: 2, out: buffer });
  same<typeof out, FloatBuffer>();
  // @ts-expect-error: it has no encodings
  fast.rope({ headDim: 4 });
  return fast.numerics === "fast" ? "fast" : "reproducible";
}

/** Relative encodings. */
export function useRelative(posenc: PosencAll, q: FloatBuffer<"bfloat16">): void {
  const args: ScoreArgs = { queries: { length: 1 }, keys: { positions: [0] } };
  const table = new Float32Array(3);
  const shaw: Shaw = posenc.shaw({ headDim: 1, maxRelativePosition: 1, keys: table });
  const scores = shaw.scores(q, { ...args, out: posenc.alloc(1) });
  same<typeof scores, FloatBuffer>();
  const out = shaw.addValues(scores, args, q);
  same<typeof out, FloatBuffer<"bfloat16">>();
  const cope = posenc.cope({ headDim: 1, maxPos: 3, table });
  const logits = posenc.attentionScores(q, q, { queryCount: 1, keyCount: 1, headDim: 1 });
  same<typeof logits, Float32Array<ArrayBuffer>>();
  same<ReturnType<typeof cope.positions<typeof q>>, FloatBuffer<"bfloat16">>();
  const rows: Int32Array<ArrayBuffer> = shaw.index(args);
  posenc.pope({ heads: 1, headDim: rows.length }).embedKeys(q, { length: 1 });
  // @ts-expect-error: scores are float32
  cope.scores(q, logits, { ...args, out: q });
  // @ts-expect-error: scores have no values
  posenc.attentionScores(q, q, { queryCount: 1, keyCount: 1, headDim: 1, valueDim: 1 });
}
