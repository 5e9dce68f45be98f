/**
 * Seeded random numbers, uniform between -size and size (mulberry32). They stand where a trained
 * table would: the page ships no weights and says so wherever these are drawn.
 */
export function randomTable(count: number, seed: number, size: number): Float32Array {
  const values = new Float32Array(count);
  let state = seed | 0;
  for (let i = 0; i < count; i += 1) {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    values[i] = (((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1) * size;
  }
  return values;
}
