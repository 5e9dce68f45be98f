// Writes ONNX models: as much of the protocol buffers of onnx.proto as the benchmark's graphs need.

const TYPES = { float32: 1, int64: 7, float16: 10 };

function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

const whole = (field, value) => Buffer.concat([varint(field << 3), varint(value)]);
const bytes = (field, content) =>
  Buffer.concat([varint((field << 3) | 2), varint(content.length), content]);
const text = (field, word) => bytes(field, Buffer.from(word));
const message = (field, ...parts) => bytes(field, Buffer.concat(parts));

function float(field, value) {
  const content = Buffer.alloc(4);
  content.writeFloatLE(value);
  return Buffer.concat([varint((field << 3) | 5), content]);
}

/** A whole number, a list of them, a word, or { float }. */
function attribute(name, value) {
  const of = (type, ...parts) => message(5, text(1, name), ...parts, whole(20, type));
  if (Array.isArray(value)) return of(7, ...value.map((item) => whole(8, item)));
  if (typeof value === "string") return of(3, text(4, value));
  if (typeof value === "object") return of(1, float(2, value.float));
  return of(2, whole(3, value));
}

/** A graph under construction; values are named by strings. */
export class Graph {
  #nodes = [];
  #constants = new Map();
  #inputs = [];
  #outputs = [];

  /** { type, dims } of what is fed, or of what is given out. */
  input(name, value) {
    this.#inputs.push(valueInfo(11, name, value));
    return name;
  }

  output(name, value) {
    this.#outputs.push(valueInfo(12, name, value));
  }

  /** { type, dims, values } that the model holds; the same name is the same constant. */
  constant(name, { type, dims, values }) {
    const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    const sizes = dims.map((dim) => whole(1, dim));
    const parts = [...sizes, whole(2, TYPES[type]), text(8, name), bytes(9, raw)];
    if (!this.#constants.has(name)) this.#constants.set(name, message(5, ...parts));
    return name;
  }

  /** Whole numbers, for operators that take them as an input. */
  wholes(values) {
    const name = `wholes_${values.join("_")}`.replaceAll("-", "m");
    const list = BigInt64Array.from(values, BigInt);
    return this.constant(name, { type: "int64", dims: [values.length], values: list });
  }

  /** Adds an operator and returns the name of its first output. */
  node(operator, inputs, attributes = {}, domain = "") {
    const output = `value_${this.#nodes.length}`;
    this.#nodes.push(
      message(
        1,
        ...inputs.map((name) => text(1, name)),
        text(2, output),
        text(4, operator),
        ...Object.entries(attributes).map(([name, value]) => attribute(name, value)),
        text(7, domain),
      ),
    );
    return output;
  }

  /** Gives a value the name of an output. */
  alias(value, name) {
    this.#nodes.push(message(1, text(1, value), text(2, name), text(4, "Identity")));
  }

  /** The part [from, to) of one axis. */
  slice(value, axis, from, to) {
    return this.node("Slice", [value, ...[[from], [to], [axis]].map((list) => this.wholes(list))]);
  }

  /** The bytes of the model. */
  encode() {
    const parts = [...this.#nodes, text(2, "bench"), ...this.#constants.values()];
    const graph = message(7, ...parts, ...this.#inputs, ...this.#outputs);
    const opset = (domain, version) => message(8, text(1, domain), whole(2, version));
    return Buffer.concat([whole(1, 10), graph, opset("", 23), opset("com.microsoft", 1)]);
  }
}

function valueInfo(field, name, { type, dims }) {
  const shape = message(2, ...dims.map((dim) => message(1, whole(1, dim))));
  const tensor = message(1, whole(1, TYPES[type]), shape);
  return message(field, text(1, name), message(2, tensor));
}
