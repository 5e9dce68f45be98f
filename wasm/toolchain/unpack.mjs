// Debian 13's Emscripten, Binaryen and xsimd for Debian 12, unpacked into the user's cache.
//
// Nothing is installed and the system's libc is not touched: Binaryen's programs are started by
// Debian 13's own loader with its own libraries beside them. The work is done in a folder of its
// own that gets its final name as the last step, so an interruption leaves nothing half done.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { capture, Failure } from "./process.mjs";

// Raise this when the recipe below changes: a new name makes everyone unpack anew.
const recipe = 1;
const neededBytes = 900e6; // the packages and what is kept of them, side by side

const toolPackages = ["emscripten", "binaryen", "libxsimd-dev", "node-acorn"];
const loaderPackages = ["libc6", "libstdc++6", "libgcc-s1"];

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

/** Unpacks unless done before; returns { emscripten, xsimd, config }. */
export function unpackDebian13(cache, emsdkByHand) {
  const folder = join(cache, `debian13-${recipe}`);
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    removeAbandoned(cache);
    checkSpace(cache);
    const work = join(cache, `unpacking-${process.pid}`);
    try {
      unpack(work, emsdkByHand);
      finish(work, folder);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  return {
    emscripten: join(folder, "root/usr/share/emscripten"),
    xsimd: join(folder, "root/usr/include/xsimd"),
    config: [
      "LLVM_ROOT = '/usr/bin'",
      "LLVM_ADD_VERSION = '19'",
      "CLANG_ADD_VERSION = '19'",
      `BINARYEN_ROOT = '${join(folder, "binaryen")}'`,
      `CACHE = '${join(folder, "root/usr/share/emscripten/cache")}'`,
      "FROZEN_CACHE = True",
    ],
  };
}

/**
 * What runs that were killed left behind; a folder whose process lives belongs to that one. Programs
 * that a killed run had started may still be writing for a moment, hence the retries.
 */
function removeAbandoned(cache) {
  for (const name of readdirSync(cache)) {
    const owner = /^unpacking-(\d+)$/.exec(name)?.[1];
    if (!owner || existsSync(`/proc/${owner}`)) continue;
    rmSync(join(cache, name), { recursive: true, maxRetries: 5, retryDelay: 500 });
  }
}

function checkSpace(cache) {
  const { bavail, bsize } = statfsSync(cache);
  const free = bavail * bsize;
  if (free >= neededBytes) return;
  const megabytes = (bytes) => Math.round(bytes / 1e6);
  throw new Failure(
    `${cache} has ${megabytes(free)} MB free; unpacking Emscripten there needs ${megabytes(neededBytes)} MB.`,
    "Free some space, or set XDG_CACHE_HOME to a folder on a larger disk, then npm run setup again.",
  );
}

function unpack(work, emsdkByHand) {
  for (const name of ["debs", "root", "libc", "binaryen/bin"]) {
    mkdirSync(join(work, name), { recursive: true });
  }
  console.log("  downloading Emscripten, Binaryen and xsimd of Debian 13 (about 250 MB)");
  download(work, emsdkByHand);
  console.log("  unpacking");
  for (const file of readdirSync(join(work, "debs"))) {
    const isLoader = loaderPackages.includes(file.split("_")[0]);
    extract(join(work, "debs", file), join(work, isLoader ? "libc" : "root"));
  }
  rmSync(join(work, "debs"), { recursive: true });
  const modules = join(work, "root/usr/share/emscripten/node_modules");
  mkdirSync(modules);
  symlinkSync("../../nodejs/acorn", join(modules, "acorn"));
  writeBinaryenStarters(work);
}

/** Fetches the packages with apt, from the mirror and with the keys that this machine uses. */
function download(work, emsdkByHand) {
  const remedy = `Debian 13's packages could not be had. With a network, run npm run setup again. Or:\n${emsdkByHand}`;
  const list = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Codename: bookworm"];
  const mirror = capture(list, { remedy }).trim().split("\n").sort()[0];
  if (!mirror) throw new Failure("apt knows no mirror of Debian 12 (bookworm).", remedy);
  const keys = "/usr/share/keyrings/debian-archive-keyring.gpg";
  writeFileSync(join(work, "sources.list"), `deb [signed-by=${keys}] ${mirror} trixie main\n`);
  const state = join(work, "apt");
  mkdirSync(join(state, "lists/partial"), { recursive: true });
  mkdirSync(join(state, "cache/archives/partial"), { recursive: true });
  const settings = [
    `Dir::Etc::sourcelist=${work}/sources.list`,
    "Dir::Etc::sourceparts=/dev/null",
    `Dir::State::Lists=${state}/lists`,
    `Dir::Cache=${state}/cache`,
    // apt's own user cannot enter a home folder.
    "APT::Sandbox::User=root",
    "APT::Update::Error-Mode=any",
  ];
  const apt = ["apt-get", ...settings.flatMap((setting) => ["-o", setting])];
  capture([...apt, "update"], { remedy });
  const names = [...toolPackages, ...loaderPackages].map((name) => `${name}/trixie`);
  capture([...apt, "download", ...names], { cwd: join(work, "debs"), remedy });
  rmSync(state, { recursive: true });
  rmSync(join(work, "sources.list"));
}

/** Extracts without ever writing what is left out: that alone would be over a gigabyte. */
function extract(deb, folder) {
  const exclude = leftOut.map((pattern) => `--exclude=${pattern}`);
  const script =
    'deb=$1; shift; dpkg-deb --fsys-tarfile "$deb" | tar --extract --no-same-owner "$@"';
  capture(["sh", "-c", script, "sh", deb, `--directory=${folder}`, ...exclude], {
    remedy: `Unpacking failed: is the disk of ${folder} full? Then npm run setup again.`,
  });
}

/** One small script per program of Binaryen; paths are relative, as the folder is renamed later. */
function writeBinaryenStarters(work) {
  const usr = join(work, "libc/usr");
  const triplet = readdirSync(join(usr, "lib")).find((name) => name.endsWith("-linux-gnu"));
  const loader = ["lib64", "lib", `lib/${triplet}`]
    .filter((name) => existsSync(join(usr, name)))
    .flatMap((name) => readdirSync(join(usr, name)).map((file) => `${name}/${file}`))
    .find((path) => /\/ld-linux[^/]*$/.test(path));
  for (const tool of readdirSync(join(work, "root/usr/bin"))) {
    if (!tool.startsWith("wasm")) continue;
    const starter = join(work, "binaryen/bin", tool);
    const libraries = `$here/libc/usr/lib/${triplet}:$here/root/usr/lib/${triplet}`;
    writeFileSync(
      starter,
      `#!/bin/sh\nhere="$\{0%/*}/../.."\nexec "$here/libc/usr/${loader}" --library-path "${libraries}" "$here/root/usr/bin/${tool}" "$@"\n`,
    );
    chmodSync(starter, 0o755);
  }
}

/** Proves that the result runs, then gives it its name; whoever comes second keeps the first. */
function finish(work, folder) {
  capture([join(work, "binaryen/bin/wasm-opt"), "--version"]);
  try {
    renameSync(work, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
