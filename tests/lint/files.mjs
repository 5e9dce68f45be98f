// The files of the tree, as git knows them.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { capture, root } from "../../wasm/toolchain/process.mjs";

/** Tracked and new files whose name ends in one of these; deleted ones are left out. */
export function treeFiles(...endings) {
  const list = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  return capture(list)
    .split("\0")
    .filter((name) => name !== "" && endings.some((ending) => name.endsWith(ending)))
    .filter((name) => existsSync(join(root, name)));
}
