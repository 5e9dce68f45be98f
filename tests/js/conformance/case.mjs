// One case of a vector file while it is evaluated. Everything in it must be read, declared as a mere
// description or refused: `finish` throws for what was passed over, so no parameter is ever ignored
// in silence. Rules and messages are those of tests/vectors/conformance/case.cpp: the two evaluators
// must print the same text.

/** More values than any case has; a larger shape is a mistake. */
const MAX_VALUES = 2 ** 26;
const MAX_SIZE = 2 ** 31 - 1;

const WORDS = new Map([
  ["inf", Infinity],
  ["-inf", -Infinity],
  ["nan", NaN],
  ["-0", -0],
]);

/** What stands in place of a case's outputs, as PosencError does. */
export class CaseError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export function malformed(message) {
  throw new CaseError("MALFORMED", message);
}

/** Nothing is wrong with the case. */
export function unsupported(message) {
  throw new CaseError("UNSUPPORTED", message);
}

export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value in a message: numbers and words as JSON, the rest by kind. */
export function shown(value) {
  if (Array.isArray(value)) return "an array";
  if (isObject(value)) return "an object";
  return Object.is(value, -0) ? "-0" : JSON.stringify(value);
}

export function numberOf(value, what) {
  if (typeof value !== "number") malformed(`${what} must be a number, got ${shown(value)}`);
  return value;
}

/** A whole number, whole in value and not in spelling: 4.0 is one. */
export function wholeOf(value, what) {
  if (!Number.isSafeInteger(numberOf(value, what))) {
    malformed(`${what} must be a whole number, got ${shown(value)}`);
  }
  return value;
}

export function sizeOf(value, what) {
  const size = wholeOf(value, what);
  if (size < 0 || size > MAX_SIZE) {
    malformed(`${what} must be from 0 to ${MAX_SIZE}, got ${shown(value)}`);
  }
  return size;
}

const quoted = (text) => JSON.stringify(text);
const parameterName = (name) => `parameter ${quoted(name)}`;
const inputName = (name) => `input ${quoted(name)}`;
const shapeText = (shape) => `[${shape.join(",")}]`;

/** A value of a tensor: a number, or the word for one that JSON cannot write. */
function elementOf(value, what) {
  if (typeof value === "number") return value;
  if (WORDS.has(value)) return WORDS.get(value);
  return malformed(`${what} must hold numbers, got ${shown(value)}`);
}

function countOf(shape) {
  let count = 1;
  for (const dimension of shape) {
    if (dimension !== 0 && count > Math.floor(MAX_VALUES / dimension)) {
      malformed(`a shape has more than ${MAX_VALUES} values`);
    }
    count *= dimension;
  }
  return count;
}

function arrayOf(tensor, key, what) {
  if (!isObject(tensor) || !Object.hasOwn(tensor, key) || !Array.isArray(tensor[key])) {
    malformed(`${what} must be a tensor: {"shape": [...], "data": [...]}`);
  }
  return tensor[key];
}

function shapeOf(tensor, what) {
  const shape = arrayOf(tensor, "shape", what).map((size) => sizeOf(size, `${what}: shape`));
  const { length } = arrayOf(tensor, "data", what);
  if (countOf(shape) !== length) {
    malformed(`${what} has ${length} values, its shape ${countOf(shape)}`);
  }
  return shape;
}

function objectOf(json, key) {
  if (!Object.hasOwn(json, key)) return {};
  if (!isObject(json[key])) malformed(`"${key}" must be an object`);
  return json[key];
}

function numberText(value) {
  if (Object.is(value, -0)) return '"-0"';
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? '"nan"' : value > 0 ? '"inf"' : '"-inf"';
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
