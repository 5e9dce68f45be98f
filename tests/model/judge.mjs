// Compares what explain tells with what a config means.

const isSample = (want) => Array.isArray(want) && want.length > 0 && want[0]?.i !== undefined;

/** Equal to the last bits: expected values are rounded from the exact ones. */
function isClose(want, got) {
  if (want === got) return true;
  if (typeof want !== "number" || typeof got !== "number") return false;
  return Math.abs(want - got) <= 1e-12 * Math.max(Math.abs(want), Math.abs(got));
}

/**
 * Where `got` differs from `want`: "" when nowhere. Objects may have more members than wanted;
 * null means null or missing; [{ i, value }] is some of an array's entries.
 */
export function difference(want, got, at = "") {
  if (want === null && got === undefined) return "";
  if (isSample(want)) {
    return firstOf(want, ({ i, value }) => difference(value, got?.[i], `${at}[${i}]`));
  }
  if (Array.isArray(want)) {
    if (got?.length !== want.length) return told(at, want, got);
    return firstOf([...want.keys()], (i) => difference(want[i], got[i], `${at}[${i}]`));
  }
  if (want !== null && typeof want === "object") {
    return firstOf(Object.keys(want), (key) => difference(want[key], got?.[key], `${at}.${key}`));
  }
  return isClose(want, got) ? "" : told(at, want, got);
}

const told = (at, want, got) => `${at} is ${JSON.stringify(got)}, not ${JSON.stringify(want)}`;

function firstOf(items, find) {
  for (const item of items) {
    const found = find(item);
    if (found) return found;
  }
  return "";
}

const holds = (layers, layer) => layers === "all" || layer === "all" || layers.includes(layer);

/** Where lists of encodings differ, compared layer by layer; "" when nowhere. */
export function encodingsDiffer(want, got) {
  const named = [...want, ...got].flatMap(({ layers }) => (layers === "all" ? [] : layers));
  const layers = named.length > 0 ? new Set(named) : ["all"];
  for (const site of new Set([...want, ...got].map((each) => each.site))) {
    for (const layer of layers) {
      const here = (list) => list.filter((e) => e.site === site && holds(e.layers, layer));
      const found = layerDiffers(here(want), here(got));
      if (found) return `${site}, layer ${layer}: ${found}`;
    }
  }
  return "";
}

function layerDiffers(want, got) {
  if (want.length !== got.length) return `${got.map((e) => e.encoding)} instead of ${want.length}`;
  const rest = [...got];
  for (const { encoding, params, attention = {} } of want) {
    const tries = rest.map((each) =>
      each.encoding === encoding
        ? difference({ params, attention }, each)
        : `${each.encoding}, not ${encoding}`,
    );
    const found = tries.indexOf("");
    if (found < 0) return `${encoding}: ${tries.join("; ")}`;
    rest.splice(found, 1);
  }
  return "";
}
