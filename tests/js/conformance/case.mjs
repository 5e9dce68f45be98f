// One case of a vector file while it is evaluated. Everything in it must be read, declared as a mere
// description or refused: `finish` throws for what was passed over, so no parameter is ever ignored
// in silence. Rules and messages are those of tests/vectors/conformance/case.cpp, as in values.mjs.
import {
  countOf,
  elementOf,
  isObject,
  malformed,
  numberOf,
  numberText,
  quoted,
  shapeOf,
  shapeText,
  shown,
  sizeOf,
  unsupported,
  wholeOf,
} from "./values.mjs";

const parameterName = (name) => `parameter ${quoted(name)}`;
const inputName = (name) => `input ${quoted(name)}`;

function objectOf(json, key) {
  if (!Object.hasOwn(json, key)) return {};
  if (!isObject(json[key])) malformed(`"${key}" must be an object`);
  return json[key];
}

export class Case {
  #params;
  #inputs;
  #wanted;
  #seenParams = new Set();
  #seenInputs = new Set();
  #outputs = new Map();

  constructor(json) {
    this.#params = objectOf(json, "params");
    this.#inputs = objectOf(json, "inputs");
    this.#wanted = objectOf(json, "outputs");
    if (typeof json.family !== "string") malformed('"family" must be a string');
    this.family = json.family;
  }

  has(name) {
    return Object.hasOwn(this.#params, name);
  }

  /** A parameter's value, whatever it is. */
  any(name) {
    if (!this.has(name)) malformed(`${parameterName(name)} is missing`);
    this.#seenParams.add(name);
    return this.#params[name];
  }

  whole(name) {
    return wholeOf(this.any(name), parameterName(name));
  }

  /** A whole number that is not negative. */
  size(name) {
    return sizeOf(this.any(name), parameterName(name));
  }

  number(name) {
    return numberOf(this.any(name), parameterName(name));
  }

  flag(name) {
    const value = this.any(name);
    if (typeof value !== "boolean") {
      malformed(`${parameterName(name)} must be true or false, got ${shown(value)}`);
    }
    return value;
  }

  wholeOr(name, fallback) {
    return this.has(name) ? this.whole(name) : fallback;
  }

  /** A parameter that, where it is given, may have only these values. */
  oneOf(name, values) {
    if (!this.has(name)) return;
    const value = this.any(name);
    const text = JSON.stringify(value);
    if (values.some((one) => JSON.stringify(one) === text)) return;
    unsupported(`${parameterName(name)} has the unsupported value ${shown(value)}`);
  }

  /** Parameters and inputs that say where a case comes from and change nothing. */
  describes(names) {
    for (const name of names) {
      this.#seenParams.add(name);
      this.#seenInputs.add(name);
    }
  }

  #list(name) {
    const value = this.any(name);
    if (!Array.isArray(value)) {
      malformed(`${parameterName(name)} must be an array, got ${shown(value)}`);
    }
    return value;
  }

  /** A parameter that is a list of numbers. */
  numbers(name) {
    return this.#list(name).map((value) => numberOf(value, parameterName(name)));
  }

  /** The same of whole numbers. */
  wholes(name) {
    return this.#list(name).map((value) => wholeOf(value, parameterName(name)));
  }

  /** Whether the case has this output. */
  wants(name) {
    return Object.hasOwn(this.#wanted, name);
  }

  hasInput(name) {
    return Object.hasOwn(this.#inputs, name);
  }

  #input(name) {
    if (!this.hasInput(name)) malformed(`${inputName(name)} is missing`);
    this.#seenInputs.add(name);
    return this.#inputs[name];
  }

  /** { shape, values }: float32 values, read from the doubles that hold them. */
  input(name, wanted) {
    const json = this.#input(name);
    const shape = shapeOf(json, inputName(name));
    const values = Float32Array.from(json.data, (value) => elementOf(value, inputName(name)));
    if (wanted && shapeText(shape) !== shapeText(wanted)) {
      malformed(
        `${inputName(name)} must have the shape ${shapeText(wanted)}, has ${shapeText(shape)}`,
      );
    }
    return { shape, values };
  }

  /** An input of doubles, not rounded to float32. */
  numbersInput(name) {
    const json = this.#input(name);
    shapeOf(json, inputName(name));
    return Float64Array.from(json.data, (value) => numberOf(value, inputName(name)));
  }

  /** An input of whole numbers. */
  wholeInput(name) {
    const json = this.#input(name);
    shapeOf(json, inputName(name));
    return json.data.map((value) => wholeOf(value, inputName(name)));
  }

  /** Positions from inputs or params: a list, or a number of positions from `first` on. */
  positions(first = 0) {
    if (this.has("positions") && !Array.isArray(this.any("positions"))) {
      const length = this.size("positions");
      countOf([length]);
      return Float64Array.from({ length }, (_, index) => first + index);
    }
    if (!this.hasInput("positions")) {
      return Float64Array.from(this.any("positions"), (value) => numberOf(value, "a position"));
    }
    // The same list often stands among the params too.
    this.#seenParams.add("positions");
    const json = this.#input("positions");
    shapeOf(json, inputName("positions"));
    return Float64Array.from(json.data, (value) => numberOf(value, inputName("positions")));
  }

  /** Refuses an output that is too large to be meant. */
  room(shape) {
    countOf(shape);
  }

  /** A tensor, or with an undefined shape a number. */
  output(name, shape, values) {
    const data = shape && Array.from(values, numberText).join(",");
    const text = shape ? `{"shape":${shapeText(shape)},"data":[${data}]}` : numberText(values);
    this.#outputs.set(name, text);
  }

  /** Throws for parameters, inputs and wanted outputs that the family did not deal with. */
  finish() {
    this.#refuseUnseen(this.#params, this.#seenParams, "parameter");
    this.#refuseUnseen(this.#inputs, this.#seenInputs, "input");
    this.#refuseUnseen(this.#wanted, this.#outputs, "output");
  }

  #refuseUnseen(object, seen, kind) {
    const name = Object.keys(object).find((key) => !seen.has(key));
    if (name === undefined) return;
    unsupported(`${kind} ${quoted(name)} is not supported for family ${quoted(this.family)}`);
  }

  /** The outputs as JSON text. */
  outputs() {
    const entries = Array.from(this.#outputs, ([name, text]) => `${quoted(name)}:${text}`);
    return `{${entries.join(",")}}`;
  }
}

/** Calls `use` with an encoding and gives its memory back. */
export function withOwned(encoding, use) {
  try {
    return use(encoding);
  } finally {
    encoding.dispose();
  }
}
