// Finds documents that are linked from the given ones but are not among them.

import { entries, init, type Entry } from "resourcesync/lite";
import type { Given, Linked } from "../state.js";

// Kinds whose entries are documents or packages of the Source; the entries of others are resources.
const LISTING = new Set([
  "source-description", "source-description-index", "capability-list", "resource-list-index", "resource-dump", "resource-dump-index",
  "change-list-index", "change-dump", "change-dump-index",
]);

/** Limits on the documents that are read for their links, and on the links that are stored. */
const MOST_DOCUMENTS = 2_000;
const MOST_LINKS = 1_000;

/** The linked documents that were not given, in order; and the URI at which the files are probably published, certain if all links agree. */
export async function links(given: readonly Given[], wasm: WebAssembly.Module): Promise<{ linked: Linked[]; guess: string | null; certain: boolean }> {
  await init(wasm);
  const find = finder(given.map(({ name, via }) => (via === "folder" ? name.slice(name.indexOf("/") + 1) : name)));
  const linked = new Map<string, Linked>();
  const bases = new Map<string, number>();
  const documents = given.filter(({ name }) => !/\.zip$/i.test(name));
  for (const { file, name } of documents.slice(0, MOST_DOCUMENTS)) {
    for await (const { uri, relation } of linksOf(file)) {
      const path = find(uri);
      if (path !== null) {
        const base = baseOf(uri, path);
        bases.set(base, (bases.get(base) ?? 0) + 1);
      } else if (!linked.has(uri) && linked.size < MOST_LINKS) {
        linked.set(uri, { uri, relation, from: name });
      }
    }
  }
  const guess = [...bases].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null;
  return { linked: [...linked.values()], guess, certain: bases.size === 1 };
}

async function* linksOf(file: Blob): AsyncGenerator<{ uri: string; relation: string }> {
  try {
    const stream = entries(file);
    // The head of a document is known once its first entry was read.
    const first = await stream.next();
    const { kind, head } = await stream.head;
    for (const { rel, href } of head.links ?? []) {
      if (href && (rel === "up" || rel === "index")) yield { uri: href, relation: rel };
    }
    if (!LISTING.has(kind)) return void (await stream.return?.());
    if (!first.done) yield* ofEntry(first.value);
    for await (const entry of stream) yield* ofEntry(entry);
  } catch {
    // Read errors are in the report; links found before them are kept.
  }
}

function* ofEntry(entry: Entry): Generator<{ uri: string; relation: string }> {
  if (entry.uri) yield { uri: entry.uri, relation: "loc" };
  for (const { rel, href } of entry.links ?? []) {
    if (rel === "contents" && href) yield { uri: href, relation: rel };
  }
}
/** The part of a URI before the path of a file. */
function baseOf(uri: string, path: string): string {
  const { origin, pathname } = new URL(uri);
  return `${origin}${pathname.split("/").slice(0, -path.split("/").length).join("/")}/`;
}

/** Finds the file of a URI: the one whose path is a suffix of its path. */
export function finder(paths: readonly string[]): (uri: string) => string | null {
  const byLast = new Map<string, string[]>();
  for (const path of paths) {
    const last = path.split("/").at(-1) ?? path;
    const own = byLast.get(last);
    if (own) own.push(path);
    else byLast.set(last, [path]);
  }
  return (uri) => {
    const path = pathOf(uri);
    if (path === null) return null;
    // The longest path is the most specific.
    const found = (byLast.get(path.split("/").at(-1) ?? "") ?? []).filter((own) => path.endsWith(`/${own}`));
    return found.sort((one, other) => other.length - one.length)[0] ?? null;
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
