import { type Code, PosencError, snakeCase } from "./errors.js";

/** What a message says an argument is. @internal */
export function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 40));
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value);
  const name: unknown = value.constructor?.name;
  return typeof name === "string" && name !== "Object" ? name : "an object";
}

/** Throws `owner: field must be rule, got value`. @internal */
export function fail(
  code: Code,
  owner: string,
  field: string,
  rule: string,
  value: unknown,
): never {
  const what = `${owner}: ${snakeCase(field)} must be ${rule}, got ${describe(value)}`;
  throw new PosencError(code, field, what);
}

/** Any number; NaN and infinities are the library's to judge. @internal */
export function number(owner: string, field: string, value: unknown): number {
  if (typeof value !== "number") fail("TYPE", owner, field, "a number", value);
  return value;
}

/** A number that may be left out, which NaN then says to the library. @internal */
export function optional(owner: string, field: string, value: unknown): number {
  if (value === undefined) return Number.NaN;
  if (Number.isNaN(value)) fail("VALUE_RANGE", owner, field, "a number", value);
  return number(owner, field, value);
}

/** The largest number of bytes, values or rows that a call can name. @internal */
export const MAX_SIZE = 2 ** 31 - 1;

/** A whole number from 0 to 2^31 - 1 that the library will judge further. @internal */
export function integer(owner: string, field: string, value: unknown): number {
  if (typeof value === "number" && value >= 0 && value <= MAX_SIZE && Number.isInteger(value)) {
    return value;
  }
  if (typeof value !== "number") fail("TYPE", owner, field, "a whole number", value);
  fail("VALUE_RANGE", owner, field, "a whole number from 0 to 2147483647", value);
}

/** As `integer`, for a number of rows or values: too many is SIZE_LIMIT. @internal */
export function count(owner: string, field: string, value: unknown): number {
  if (typeof value === "number" && value > MAX_SIZE && value !== Infinity) {
    fail("SIZE_LIMIT", owner, field, "at most 2147483647", value);
  }
  return integer(owner, field, value);
}

/** A whole number or bigint of either sign within 2^50, such as a position. @internal */
export function position(owner: string, field: string, value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  if (typeof value !== "number" && typeof value !== "bigint") {
    fail("TYPE", owner, field, "a whole number or a bigint", value);
  }
  const whole = Number(value);
  if (Math.abs(whole) > 2 ** 53) {
    fail("POSITION_RANGE", owner, field, "a whole number within 2^50", value);
  }
  if (!Number.isInteger(whole)) fail("VALUE_RANGE", owner, field, "a whole number", value);
  return whole;
}

/** A position that may be left out, which NaN then says to the library. @internal */
export function optionalPosition(owner: string, field: string, value: unknown): number {
  return value === undefined ? Number.NaN : position(owner, field, value);
}

/** @internal */
export function boolean(owner: string, field: string, value: unknown): boolean {
  if (typeof value !== "boolean") fail("TYPE", owner, field, "true or false", value);
  return value;
}

/** The place of a word in its list, which is its number in C++. @internal */
export function choice(
  owner: string,
  field: string,
  value: unknown,
  words: readonly string[],
): number {
  const index = words.indexOf(value as string);
  if (index >= 0) return index;
  const rule = `one of ${words.map((word) => JSON.stringify(word)).join(", ")}`;
  fail(typeof value === "string" ? "VALUE_RANGE" : "TYPE", owner, field, rule, value);
}

/**
 * Refuses what is not an object, and options that do not exist: a misspelt one would be ignored and
 * give wrong values silently.
 * @internal
 */
export function options(
  owner: string,
  field: string,
  value: unknown,
  names: readonly string[],
): void {
  if (typeof value !== "object" || value === null) fail("TYPE", owner, field, "an object", value);
  for (const name in value) {
    if (!names.includes(name)) {
      const what = `${owner}: there is no option ${describe(name)}; there are ${names.join(", ")}`;
      throw new PosencError("TYPE", name, what);
    }
  }
}

/** A config with its defaults filled in; an option that is undefined was not given. @internal */
export function filled<Config extends object, Defaults extends object>(
  owner: string,
  field: string,
  config: Config,
  others: readonly (keyof Config & string)[],
  defaults: Defaults,
): Config & Defaults {
  options(owner, field, config, [...others, ...Object.keys(defaults)]);
  const given = Object.entries(config).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) } as Config & Defaults;
}
