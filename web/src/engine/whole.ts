// Validates files as a whole Source: follows the links among them as if they were published.

import { countsInFolder, crawl, entries, init, Mirror, type FetchError, type FetchResponse, type Report } from "resourcesync/lite";
import type { Given, Settings } from "../state.js";

/** The options of the crawl. */
export interface Whole {
  given: readonly Given[];
  wasm: WebAssembly.Module;
  /** The URI that the folder stands for; it ends with a slash. */
  base: string;
  options: { profile: Settings["profile"]; fixity: boolean; maxPerRule: number };
}

/** The report, and the starting point if it differs from that of the command. */
export async function whole({ given, wasm, base, options }: Whole, tell: (documents: number, entries: number, uri: string) => void): Promise<{ report: Report; starts: string[] }> {
  await init(wasm);
  const files = new Files(given, base);
  const first = files.first();
  const starts = first ? [] : await tops(given, files.mirror);
  const report = await crawl(first ?? starts, {
    ...options,
    files: files.documents(),
    fetch: (uri, { via }) => files.get(uri, via === "folder"),
    onProgress: ({ documents, entries, uri }) => tell(documents, entries, uri),
  });
  return { report, starts };
}

/** Files by the path that they have below the base. */
export class Files {
  readonly mirror: Mirror;
  readonly #files = new Map<string, Blob>();
  readonly #folders = new Set<string>();
  /** The URI that a link had for a file. */
  readonly #linked = new Map<Blob, string>();

  constructor(given: readonly Given[], base: string) {
    this.mirror = new Mirror(base);
    for (const own of given) {
      const path = pathOf(own);
      this.#files.set(path, own.file);
      for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) this.#folders.add(path.slice(0, at));
    }
  }

  /** The starting point of the command, if it exists. */
  first(): string | undefined {
    return this.mirror.start([...this.#files.keys()]);
  }

  /** The URIs of all documents and packages, known by their names. */
  documents(): string[] {
    return [...this.#files.keys()].filter(countsInFolder).map((path) => this.mirror.uri(path));
  }

  /** The file of a URI, or why there is none; `met` if nothing links to it. */
  get(uri: string, met: boolean): FetchResponse | FetchError {
    const path = this.mirror.path(uri);
    if (typeof path !== "string") return path;
    const isFolder = this.#folders.has(path);
    const file = this.#files.get(isFolder ? `${path}/index.html` : path);
    if (file) {
      const linked = this.#linked.get(file);
      // A link uses another spelling of its name.
      if (met && linked !== undefined) return { uri: linked, body: new Uint8Array() };
      if (!met && linked === undefined) this.#linked.set(file, uri);
      return { body: file };
    }
    return { notFound: { code: isFolder ? "no-index-page" : "no-such-file" } };
  }
}

/** The path below the folder that was given; a single file is at the top. */
function pathOf({ name, via }: Given): string {
  return via === "folder" ? name.slice(name.indexOf("/") + 1) : name;
}

/** Without a Source Description at the well-known path: the topmost documents. */
async function tops(given: readonly Given[], mirror: Mirror): Promise<string[]> {
  const byKind = new Map<string, string[]>();
  for (const own of given) {
    if (!/\.xml(\.gz)?$/i.test(own.name)) continue;
    const kind = await kindOf(own.file);
    const same = byKind.get(kind);
    if (same) same.push(mirror.uri(pathOf(own)));
    else byKind.set(kind, [mirror.uri(pathOf(own))]);
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
