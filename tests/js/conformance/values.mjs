// Values of a vector file: how they are read, refused, shown in messages and written as JSON. Rules
// and messages are those of tests/vectors/conformance/case.cpp: the two evaluators must print the
// same text.

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

export const quoted = (text) => JSON.stringify(text);
export const shapeText = (shape) => `[${shape.join(",")}]`;

/** A value of a tensor: a number, or the word for one that JSON cannot write. */
export function elementOf(value, what) {
  if (typeof value === "number") return value;
  if (WORDS.has(value)) return WORDS.get(value);
  return malformed(`${what} must hold numbers, got ${shown(value)}`);
}

export function countOf(shape) {
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

export function shapeOf(tensor, what) {
  const shape = arrayOf(tensor, "shape", what).map((size) => sizeOf(size, `${what}: shape`));
  const { length } = arrayOf(tensor, "data", what);
  if (countOf(shape) !== length) {
    malformed(`${what} has ${length} values, its shape ${countOf(shape)}`);
  }
  return shape;
}

export function numberText(value) {
  if (Object.is(value, -0)) return '"-0"';
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? '"nan"' : value > 0 ? '"inf"' : '"-inf"';
}
