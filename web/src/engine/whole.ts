// Checks given files as a whole Source: follows the links among them as if they were published.

import { crawl, entries, init, type FetchError, type FetchResponse, type Report } from "resourcesync/lite";
import type { Given } from "../state.js";

/** What the walk is told besides the files. */
export interface Whole {
  given: readonly Given[];
  wasm: string;
  /** The URI that the folder stands for; it ends with a slash. */
  base: string;
  options: { profile: "standard" | "strict"; fixity: boolean; maxPerRule: number };
}

/** The report, and where the walk began if that is not what the command would try first. */
export async function whole({ given, wasm, base, options }: Whole, tell: (documents: number, entries: number, uri: string) => void): Promise<{ report: Report; starts: string[] }> {
  await init(wasm);
  const mirror = new Mirror(given, base);
  const first = mirror.first();
  const starts = first ? [] : await tops(given, mirror);
  const report = await crawl(first ?? starts, {
    ...options,
    fetch: (uri) => mirror.get(uri),
    onProgress: ({ documents, entries, uri }) => tell(documents, entries, uri),
  });
  return { report, starts };
}

/** Files by the path that they have below the base. */
class Mirror {
  readonly #base: string;
  readonly #files = new Map<string, Blob>();
  readonly #folders = new Set<string>();

  constructor(given: readonly Given[], base: string) {
    this.#base = new URL(base).href;
    for (const own of given) {
      const path = pathOf(own);
      this.#files.set(path, own.file);
      for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) this.#folders.add(path.slice(0, at));
    }
  }

  /** Where the command begins, if that is there. */
  first(): string | null {
    const isHost = this.#base.split("/").length === 4;
    const there = [".well-known/resourcesync", "robots.txt", "index.html"].find((path) => this.#files.has(path));
    if (!there) return null;
    return isHost || there === "index.html" ? this.#base : this.#base + there;
  }

  uri(given: Given): string {
    return this.#base + pathOf(given).split("/").map(encodeURIComponent).join("/");
  }

  /** The file of a URI, or why there is none. */
  get(uri: string): FetchResponse | FetchError {
    const asked = normalized(uri);
    if (!asked.startsWith(this.#base)) return { skipped: { code: "outside-base", args: { base: this.#base } } };
    const below = asked.slice(this.#base.length);
    if (below.includes("?")) return { skipped: { code: "query-in-folder" } };
    const names = below.split("/").filter(Boolean).map(decoded);
    if (names.includes(null)) return { notFound: { code: "invalid-file-name" } };
    if (below === "" || below.endsWith("/")) names.push("index.html");
    const path = names.join("/");
    const index = this.#folders.has(path) ? this.#files.get(`${path}/index.html`) : undefined;
    const file = this.#files.get(path) ?? index;
    if (file) return { body: file };
    return { notFound: { code: this.#folders.has(path) ? "no-index-page" : "no-such-file" } };
  }
}

/** The path below the folder that was given; a file given by itself lies at its top. */
function pathOf({ name, via }: Given): string {
  return via === "folder" ? name.slice(name.indexOf("/") + 1) : name;
}

function normalized(uri: string): string {
  const plain = uri.split("#")[0] ?? uri;
  return URL.canParse(plain) ? new URL(plain).href : plain;
}

/** A segment as one file name; null where it is none, or would lead elsewhere. */
function decoded(segment: string): string | null {
  try {
    const name = decodeURIComponent(segment);
    return /[/\\\0:]/.test(name) || name === "." || name === ".." ? null : name;
  } catch {
    return null;
  }
}

/** Without a Source Description at its place: the highest documents there are. */
async function tops(given: readonly Given[], mirror: Mirror): Promise<string[]> {
  const byKind = new Map<string, string[]>();
  for (const own of given) {
    if (!/\.xml(\.gz)?$/i.test(own.name)) continue;
    const kind = await kindOf(own.file);
    const same = byKind.get(kind);
    if (same) same.push(mirror.uri(own));
    else byKind.set(kind, [mirror.uri(own)]);
  }
  for (const kind of ["source-description-index", "source-description", "capability-list"]) {
    const own = byKind.get(kind);
    if (own) return own;
  }
  return [...byKind.values()].flat();
}

async function kindOf(file: Blob): Promise<string> {
  try {
    const stream = entries(file);
    await stream.next();
    const { kind } = await stream.head;
    await stream.return?.();
    return kind;
  } catch {
    return "unknown";
  }
}
