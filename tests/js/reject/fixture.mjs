// What the refused calls of posenc are made with.
import { load } from "posenc";

export const posenc = await load();
export const rope = posenc.rope({ headDim: 4 });
export const axial = posenc.rope({ headDim: 4, axes: { type: "axial" } });
export const sinusoidal = posenc.sinusoidal({ dim: 4 });
export const learned = posenc.learned({ rows: new Float32Array(8), dim: 4 });
export const alibi = posenc.alibi({ heads: 2 });
export const t5 = posenc.t5({ heads: 2, bidirectional: true });
export const withTable = posenc.t5({
  heads: 1,
  bidirectional: true,
  table: new Float32Array(32),
});

const other = await load({ wasm: new URL(import.meta.resolve("posenc/posenc.wasm")) });
export const stranger = other.rope({ headDim: 4 });
export const strangeBuffer = other.alloc(4);

export const four = () => new Float32Array(4);
export const shared = new Float32Array(64);
export const buffer = posenc.alloc(64);
export const detached = new Float32Array(4);
structuredClone(detached.buffer, { transfer: [detached.buffer] });
export const gone = posenc.alloc(4);
gone.dispose();
