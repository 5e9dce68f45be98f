// Compares two builds case by case, and says what the first difference is.
import { dump } from "./builds.mjs";
import { decimal, distance, same } from "./numbers.mjs";

/** Per verb of either: { verb, count, differing }, the names of cases that differ or are missing. */
export function compare(reference, other) {
  const verbs = new Set([...reference.keys(), ...other.keys()]);
  return [...verbs].map((verb) => {
    const expected = reference.get(verb) ?? new Map();
    const found = other.get(verb) ?? new Map();
    const names = new Set([...expected.keys(), ...found.keys()]);
    const differing = [...names].filter((name) => expected.get(name) !== found.get(name));
    return { verb, count: names.size, differing };
  });
}

/** A verb's first differing case: its inputs, both values and how far apart they are. */
export function describe({ count, differing }, reference, build) {
  const [name] = differing;
  const lines = [`${differing.length} of ${count} cases differ. The first:`, `  ${name}`];
  const expected = dumpOf(reference, name, lines);
  const found = dumpOf(build, name, lines);
  if (expected === undefined || found === undefined) return lines.join("\n");
  const place = firstDifference(expected, found);
  if (!place)
    return [...lines, "  The outputs are the same now: a run depends on chance."].join("\n");
  lines.push(...describePlace(place, reference.name, build.name));
  for (const array of expected) {
    if (array.role === "in") lines.push(`  in  ${heading(array)}: ${excerpt(array, place.index)}`);
  }
  lines.push(`  All of it: ${[...build.command, "--dump"].join(" ")} '${name}'`);
  return lines.join("\n");
}

function dumpOf(build, name, lines) {
  try {
    const arrays = dump(build, name);
    if (arrays.length > 0 && arrays[0].name) return arrays;
    lines.push(`  ${build.name} does not have it.`);
  } catch (error) {
    lines.push(`  ${error.message}`);
  }
  return undefined;
}

function firstDifference(expected, found) {
  for (const [position, array] of expected.entries()) {
    const other = found[position];
    const { words, type } = array;
    const differing = [...words.keys()].filter((i) => !same(type, words[i], other.words[i]));
    const [index] = differing;
    if (index !== undefined) return { array, index, other, count: differing.length };
  }
  return undefined;
}

function describePlace({ array, index, other, count }, ...names) {
  const { type, words } = array;
  const pair = [words[index], other.words[index]];
  const width = Math.max(...names.map((name) => name.length));
  const values = names.map((name, i) => `${name.padEnd(width)} ${value(type, pair[i])}`);
  const what = array.role === "in" ? "(an input: the generators differ)" : "";
  return [
    `  ${array.role} ${heading(array)} at [${coordinates(index, array.shape)}] ${what}`.trimEnd(),
    ...values.map((line) => `      ${line}`),
    `      ${distance(type, ...pair)} apart; ${count} of ${words.length} elements differ`,
  ];
}

function heading({ name, type, shape }) {
  return `${name} ${type} [${shape.join(", ")}]`;
}

function value(type, hex) {
  return `${hex} (${decimal(type, hex)})`;
}

function coordinates(index, shape) {
  const at = [];
  for (const dimension of shape.toReversed()) {
    at.unshift(index % dimension);
    index = Math.floor(index / dimension);
  }
  return at.join(", ");
}

/** A short array whole, of a long one what lies around the place of the difference, or the start. */
function excerpt({ type, words }, index) {
  const shown = 8;
  if (words.length <= shown) return words.map((hex) => value(type, hex)).join(" ");
  const start = index < words.length ? Math.max(0, Math.min(index, words.length - shown)) : 0;
  const part = words.slice(start, start + shown).map((hex) => value(type, hex));
  return `${start > 0 ? `... from ${start}: ` : ""}${part.join(" ")}${start + shown < words.length ? " ..." : ""}`;
}
