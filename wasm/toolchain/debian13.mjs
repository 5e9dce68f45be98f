// What Debian 12 takes from Debian 13: Emscripten with Binaryen, and the headers of xsimd.
//
// The system's libc is not touched: Binaryen's programs are started by Debian 13's own loader with
// its own libraries beside them. Raise the number in a recipe's name when the recipe changes, and
// everyone unpacks anew.
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { capture } from "./process.mjs";
import { unpackOnce } from "./unpack.mjs";

// Emscripten's system libraries come in every combination of threads, dynamic linking and
// sanitizers, 1.5 GB. Kept: single-threaded static ones, with and without exceptions, debugging
// and link-time optimisation.
const leftOut = [
  "./usr/share/doc",
  "./usr/share/man",
  "./usr/share/emscripten/docs",
  "./usr/share/emscripten/test",
  "*/cache/symbol_lists",
  "*/wasm32-emscripten/pic",
  "*/wasm32-emscripten/lto-pic",
  "*/wasm32-emscripten/*-mt.a",
  "*/wasm32-emscripten/*-mt-*.a",
  "*/wasm32-emscripten/*-ww.a",
  "*/wasm32-emscripten/*-ww-*.a",
  "*/wasm32-emscripten/libwasmfs*.a",
  "*/wasm32-emscripten/libwebgpu*.a",
  "./usr/lib/*/gconv",
];

/** Emscripten: { folder, config, xsimd }; it runs Debian 12's own LLVM 19. */
export function debian13Emscripten(cache, remedy) {
  const folder = unpackOnce(cache, {
    name: "debian13-emscripten-2",
    packages: {
      tools: ["emscripten", "binaryen", "node-acorn", "libxsimd-dev"],
      libc: ["libc6", "libstdc++6", "libgcc-s1"],
    },
    leftOut,
    bytes: 900e6,
    complete: completeEmscripten,
    remedy,
  });
  const emscripten = join(folder, "tools/usr/share/emscripten");
  const config = [
    "LLVM_ROOT = '/usr/bin'",
    "LLVM_ADD_VERSION = '19'",
    "CLANG_ADD_VERSION = '19'",
    `BINARYEN_ROOT = '${join(folder, "binaryen")}'`,
    `CACHE = '${join(emscripten, "cache")}'`,
    "FROZEN_CACHE = True",
  ];
  return { folder: emscripten, config, xsimd: xsimdIn(folder) };
}

/** The folder of xsimd's headers, for an Emscripten that came from elsewhere. */
export function debian13Xsimd(cache, remedy) {
  const folder = unpackOnce(cache, {
    name: "debian13-xsimd-2",
    packages: { tools: ["libxsimd-dev"] },
    leftOut,
    bytes: 200e6,
    complete: () => {},
    remedy,
  });
  return xsimdIn(folder);
}

function xsimdIn(folder) {
  return join(folder, "tools/usr/include/xsimd");
}

function completeEmscripten(work) {
  const modules = join(work, "tools/usr/share/emscripten/node_modules");
  mkdirSync(modules);
  symlinkSync("../../nodejs/acorn", join(modules, "acorn"));
  mkdirSync(join(work, "binaryen/bin"), { recursive: true });
  writeBinaryenStarters(work);
  capture([join(work, "binaryen/bin/wasm-opt"), "--version"]);
}

/** One small script per program of Binaryen; paths are relative, as the folder is renamed later. */
function writeBinaryenStarters(work) {
  const usr = join(work, "libc/usr");
  const triplet = readdirSync(join(usr, "lib")).find((name) => name.endsWith("-linux-gnu"));
  const loader = ["lib64", "lib", `lib/${triplet}`]
    .filter((name) => existsSync(join(usr, name)))
    .flatMap((name) => readdirSync(join(usr, name)).map((file) => `${name}/${file}`))
    .find((path) => /\/ld-linux[^/]*$/.test(path));
  for (const tool of readdirSync(join(work, "tools/usr/bin"))) {
    if (!tool.startsWith("wasm")) continue;
    const starter = join(work, "binaryen/bin", tool);
    const libraries = `$here/libc/usr/lib/${triplet}:$here/tools/usr/lib/${triplet}`;
    writeFileSync(
      starter,
      `#!/bin/sh\nhere="$\{0%/*}/../.."\nexec "$here/libc/usr/${loader}" --library-path "${libraries}" "$here/tools/usr/bin/${tool}" "$@"\n`,
    );
    chmodSync(starter, 0o755);
  }
}
