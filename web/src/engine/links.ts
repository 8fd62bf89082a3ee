// Finds the documents that the given ones link to and that do not lie among them.

import { entries, init, type Entry } from "resourcesync/slim";
import type { Given, Linked } from "../state.js";

// Kinds whose entries are documents or packages of the Source; the entries of others are resources.
const LISTING = new Set([
  "source-description", "source-description-index", "capability-list", "resource-list-index", "resource-dump", "resource-dump-index",
  "change-list-index", "change-dump", "change-dump-index",
]);

/** So many documents are read for their links, and so many links are kept. */
const MOST_DOCUMENTS = 2_000;
const MOST_LINKS = 1_000;

/** What is linked and was not given, in the order it is met. */
export async function links(given: readonly Given[], wasm: string): Promise<Linked[]> {
  await init(wasm);
  const isGiven = finder(given.map(({ name, via }) => (via === "folder" ? name.slice(name.indexOf("/") + 1) : name)));
  const linked = new Map<string, Linked>();
  const documents = given.filter(({ name }) => !/\.zip$/i.test(name));
  for (const { file, name } of documents.slice(0, MOST_DOCUMENTS)) {
    for await (const { uri, relation } of linksOf(file)) {
      if (linked.size >= MOST_LINKS) return [...linked.values()];
      if (!isGiven(uri) && !linked.has(uri)) linked.set(uri, { uri, relation, from: name });
    }
  }
  return [...linked.values()];
}

async function* linksOf(file: Blob): AsyncGenerator<{ uri: string; relation: string }> {
  try {
    const stream = entries(file);
    // What a document says of itself is known once its first entry is.
    const first = await stream.next();
    const { kind, head } = await stream.head;
    for (const { rel, href } of head.links ?? []) {
      if (href && (rel === "up" || rel === "index")) yield { uri: href, relation: rel };
    }
    if (!LISTING.has(kind)) return void (await stream.return?.());
    if (!first.done) yield* ofEntry(first.value);
    for await (const entry of stream) yield* ofEntry(entry);
  } catch {
    // What cannot be read has been said in the report; what it linked to until then stays.
  }
}

function* ofEntry(entry: Entry): Generator<{ uri: string; relation: string }> {
  if (entry.uri) yield { uri: entry.uri, relation: "loc" };
  for (const { rel, href } of entry.links ?? []) {
    if (rel === "contents" && href) yield { uri: href, relation: rel };
  }
}
/** Says whether a URI is that of a file: its path ends with the path of the file. */
export function finder(paths: readonly string[]): (uri: string) => boolean {
  const byLast = new Map<string, string[]>();
  for (const path of paths) {
    const last = path.split("/").at(-1) ?? path;
    byLast.set(last, [...(byLast.get(last) ?? []), path]);
  }
  return (uri) => {
    const path = pathOf(uri);
    if (path === null) return false;
    return (byLast.get(path.split("/").at(-1) ?? "") ?? []).some((own) => path === own || path.endsWith(`/${own}`));
  };
}

function pathOf(uri: string): string | null {
  try {
    const path = decodeURIComponent(new URL(uri).pathname);
    return path.endsWith("/") ? `${path}index.html` : path;
  } catch {
    return null;
  }
}
