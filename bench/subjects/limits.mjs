// What WebAssembly can do at best in this process, one thread: loops over memory and multiply-adds in
// registers, assembled here so that a page needs no file for them. Pages use it too.

const [get, set, tee, end] = [0x20, 0x21, 0x22, 0x0b];
const [i32, v128, f32] = [0x7f, 0x7b, 0x7d];
const [i32Const, f32Const, i32Add, i32Sub, i32LessUnsigned] = [0x41, 0x43, 0x6a, 0x6b, 0x49];
const [loop, noValue, branchIf] = [0x03, 0x40, 0x0d];
const simd = (...operation) => [0xfd, ...operation];
const load = (offset) => simd(0x00, 4, ...unsigned(offset));
const store = (offset) => simd(0x0b, 4, ...unsigned(offset));
const [splat, firstLane] = [simd(0x13), simd(0x1f, 0)];
const [multiply, add] = [simd(0xe6, 0x01), simd(0xe4, 0x01)];
const relaxedMultiplyAdd = simd(0x85, 0x02);
/** Vectors for each round of a loop over memory, and independent chains of multiply-adds. */
const [VECTORS, CHAINS] = [8, 12];

/** LEB128. */
function unsigned(value) {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value) {
  const isLast = value >= -64 && value < 64;
  return isLast ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)];
}

const list = (items) => [...unsigned(items.length), ...items.flat()];
const sized = (bytes) => [...unsigned(bytes.length), ...bytes];
const text = (word) => sized([...new TextEncoder().encode(word)]);
const section = (id, items) => [id, ...sized(list(items))];
const splatOf = (value) => [
  f32Const,
  ...new Uint8Array(new Float32Array([value]).buffer),
  ...splat,
];

/** One module of functions over an imported memory: { name: { params, result, locals, body } }. */
function assemble(functions) {
  const entries = Object.entries(functions);
  const types = entries.map(([, { params, result }]) => [
    0x60,
    ...list(params.map((type) => [type])),
    ...list(result.map((type) => [type])),
  ]);
  const memory = [...text("host"), ...text("memory"), 2, 0, ...unsigned(1)];
  const code = entries.map(([, { locals, body }]) => {
    const declared = locals === 0 ? list([]) : list([[...unsigned(locals), v128]]);
    return sized([...declared, ...body, end]);
  });
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, types),
    ...section(2, [memory]),
    ...section(
      3,
      entries.map((_, i) => unsigned(i)),
    ),
    ...section(
      7,
      entries.map(([name], i) => [...text(name), 0, ...unsigned(i)]),
    ),
    ...section(10, code),
  ]);
}

/** `step(offset)` for each vector, local 0 walking from its value up to that of the last parameter. */
function overMemory(pointers, step) {
  const vectors = Array.from({ length: VECTORS }, (_, i) => step(16 * i)).flat();
  const advance = (pointer) => [get, pointer, i32Const, ...signed(16 * VECTORS), i32Add];
  const others = Array.from({ length: pointers - 1 }, (_, i) => [...advance(i + 1), set, i + 1]);
  const walk = [...advance(0), tee, 0, get, pointers, i32LessUnsigned, branchIf, 0];
  const body = [loop, noValue, ...vectors, ...others.flat(), ...walk, end];
  return { params: Array(pointers + 1).fill(i32), result: [], locals: 0, body };
}

/** chain = chain * factor + term for every chain, as often as parameter 0 says. */
function inRegisters(operation) {
  const [factor, term] = [CHAINS + 1, CHAINS + 2];
  const chains = Array.from({ length: CHAINS }, (_, i) => i + 1);
  const start = chains.flatMap((chain) => [...splatOf(chain), set, chain]);
  const round = chains.flatMap((chain) => [get, chain, ...operation(factor, term), set, chain]);
  const count = [get, 0, i32Const, ...signed(1), i32Sub, tee, 0, branchIf, 0];
  const sum = chains.flatMap((chain) => [get, chain, ...(chain === 1 ? [] : add)]);
  const constants = [...splatOf(0.5), set, factor, ...splatOf(0.25), set, term];
  const body = [...start, ...constants, loop, noValue, ...round, ...count, end, ...sum];
  return { params: [i32], result: [f32], locals: CHAINS + 2, body: [...body, ...firstLane] };
}

const plainModule = assemble({
  fill: overMemory(1, (offset) => [get, 0, ...splatOf(1), ...store(offset)]),
  copy: overMemory(2, (offset) => [get, 1, get, 0, ...load(offset), ...store(offset)]),
  modify: overMemory(1, (offset) => [
    ...[get, 0, get, 0],
    ...[...load(offset), ...splatOf(-1), ...multiply, ...store(offset)],
  ]),
  multiply_add: inRegisters((factor, term) => [get, factor, ...multiply, get, term, ...add]),
});
const relaxedModule = assemble({
  multiply_add: inRegisters((factor, term) => [get, factor, get, term, ...relaxedMultiplyAdd]),
});

function instance(module, bytes) {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65536) + 1 });
  return new WebAssembly.Instance(new WebAssembly.Module(module), { host: { memory } }).exports;
}

/** Bytes of each stream, in whole rounds of the loops. */
function streamOf(bytes, streams) {
  return Math.ceil(bytes / streams / (16 * VECTORS)) * 16 * VECTORS;
}

function overStreams(name, bytes, streams) {
  const size = streamOf(bytes, streams);
  const { [name]: run } = instance(plainModule, name === "copy" ? 2 * size : size);
  return { run: name === "copy" ? () => run(0, size, size) : () => void run(0, size) };
}

function peak(module, flops) {
  const run = instance(module, 0).multiply_add;
  const count = Math.ceil(flops / (2 * 4 * CHAINS));
  return { run: () => void run(count) };
}

const plainStores = (maker) => (shape) => (shape.stores === "plain" ? maker(shape) : undefined);

/** By kind, as in worker/limits.cpp; bytes are counted once read and once written. */
export const limitMakers = {
  limit_fill: plainStores(({ bytes }) => overStreams("fill", bytes, 1)),
  limit_copy: plainStores(({ bytes }) => overStreams("copy", bytes, 2)),
  limit_modify: plainStores(({ bytes }) => overStreams("modify", bytes, 2)),
  limit_multiply_add: ({ flops }) => peak(plainModule, flops),
  limit_fused_multiply_add: ({ flops }) =>
    WebAssembly.validate(relaxedModule) ? peak(relaxedModule, flops) : undefined,
};
