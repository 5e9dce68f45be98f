import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/** Files by path or file: URL, anything else over the network. @internal */
export async function readUrl(url: URL | string): Promise<ArrayBufferView | Response> {
  const text = String(url);
  if (/^(https?|data|blob):/.test(text)) return fetch(text);
  return readFile(text.startsWith("file:") ? fileURLToPath(text) : text);
}
