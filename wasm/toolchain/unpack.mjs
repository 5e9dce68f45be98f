// Packages of Debian 13 on Debian 12, unpacked into a folder of the user's cache.
//
// Nothing is installed. The work is done in a folder of its own that gets its final name as the
// last step, so an interruption leaves nothing half done.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { capture, Failure } from "./process.mjs";

/**
 * Unpacks once and returns the folder. A recipe is { name, packages, leftOut, bytes, complete,
 * remedy }: `packages` maps subfolders to package names, `leftOut` are tar patterns, `bytes` is the
 * space that is needed meanwhile, `complete(folder)` adds what is missing and proves the result.
 */
export function unpackOnce(cache, recipe) {
  const folder = join(cache, recipe.name);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  removeAbandoned(cache);
  checkSpace(cache, recipe.bytes);
  const work = join(cache, `unpacking-${process.pid}`);
  try {
    unpack(work, recipe);
    recipe.complete(work);
    rename(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
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

function checkSpace(cache, needed) {
  const { bavail, bsize } = statfsSync(cache);
  const free = bavail * bsize;
  if (free >= needed) return;
  const megabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`;
  throw new Failure(
    `${cache} has ${megabytes(free)} free; unpacking there needs ${megabytes(needed)}.`,
    "Free some space, or set XDG_CACHE_HOME to a folder on a larger disk, then npm run setup again.",
  );
}

function unpack(work, { packages, leftOut, remedy }) {
  const debs = join(work, "debs");
  mkdirSync(debs, { recursive: true });
  const names = Object.values(packages).flat();
  console.log(`  downloading of Debian 13: ${names.join(" ")}`);
  download(work, debs, names, remedy);
  console.log("  unpacking");
  const files = readdirSync(debs);
  for (const [subfolder, members] of Object.entries(packages)) {
    mkdirSync(join(work, subfolder));
    for (const name of members) {
      const file = files.find((candidate) => candidate.startsWith(`${name}_`));
      extract(join(debs, file), join(work, subfolder), leftOut);
    }
  }
  rmSync(debs, { recursive: true });
}

/** Fetches the packages with apt, from the mirror and with the keys that this machine uses. */
function download(work, debs, names, byHand) {
  const remedy = `Debian 13's packages could not be had. With a network, run npm run setup again. Or:\n${byHand}`;
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
  const versions = names.map((name) => `${name}/trixie`);
  capture([...apt, "download", ...versions], { cwd: debs, remedy });
  rmSync(state, { recursive: true });
  rmSync(join(work, "sources.list"));
}

/** Extracts without ever writing what is left out. */
function extract(deb, folder, leftOut) {
  const exclude = leftOut.map((pattern) => `--exclude=${pattern}`);
  const script =
    'deb=$1; shift; dpkg-deb --fsys-tarfile "$deb" | tar --extract --no-same-owner "$@"';
  capture(["sh", "-c", script, "sh", deb, `--directory=${folder}`, ...exclude], {
    remedy: `Unpacking failed: is the disk of ${folder} full? Then npm run setup again.`,
  });
}

/** Of two runs at the same time the second one keeps what the first one made. */
function rename(work, folder) {
  try {
    renameSync(work, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
