/** The bytes of a .npy file (format 1.0) of a float32 array, as NumPy writes them. */
export function npy(values: Float32Array, shape: readonly number[]): Uint8Array<ArrayBuffer> {
  const dims = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  const dictionary = `{'descr': '<f4', 'fortran_order': False, 'shape': (${dims}), }`;
  const length = Math.ceil((dictionary.length + 11) / 64) * 64 - 10;
  const header = `${dictionary.padEnd(length - 1, " ")}\n`;
  const file = new Uint8Array(10 + length + 4 * values.length);
  file.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, length & 255, length >> 8]);
  for (let i = 0; i < length; i += 1) file[10 + i] = header.charCodeAt(i);
  const view = new DataView(file.buffer);
  values.forEach((value, i) => {
    view.setFloat32(10 + length + 4 * i, value, true);
  });
  return file;
}
