// How much a browser loads: brotli sizes of what dist holds, and their limits.
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { limits } from "./artifacts.mjs";

/** [{ name, files, bytes, limit }] for each module and each entry. */
export function measureSizes(dist) {
  return limits.map(({ name, module, entry, bytes: limit }) => {
    const files = module ? [join(dist, module)] : importedFiles(join(dist, entry));
    const bytes = files.reduce((sum, file) => sum + brotliBytes(file), 0);
    return { name, files, bytes, limit };
  });
}

function brotliBytes(file) {
  return brotliCompressSync(readFileSync(file)).length;
}

/** Prints the sizes; a test holds the limits, so that a build that is too large can be studied. */
export function printSizes(dist) {
  for (const { name, files, bytes, limit } of measureSizes(dist)) {
    const verdict = bytes <= limit ? "within" : "OVER";
    const count = files.length === 1 ? "1 file" : `${files.length} files`;
    console.log(`  ${name}: ${bytes} bytes brotli in ${count}, ${verdict} the limit of ${limit}`);
  }
}

/** The file and every file of the package that it loads with it, not those that `import()` asks for. */
function importedFiles(entry, found = new Set()) {
  if (found.has(entry)) return [...found];
  found.add(entry);
  const source = readFileSync(entry, "utf8");
  for (const match of source.matchAll(/\b(?:from|import)\s*["'](\.[^"']+)["']/g)) {
    importedFiles(resolve(dirname(entry), match[1]), found);
  }
  return [...found];
}
