// Fetches and checks a Source on the web, in the build of the page that may: through CORS, without credentials.

import { crawl, init, type Report } from "resourcesync/lite";
import type { Settings } from "../state.js";

export interface Web {
  /** A host, a document, or a page of the Source. */
  url: string;
  wasm: WebAssembly.Module;
  options: { profile: Settings["profile"]; fixity: boolean; maxPerRule: number };
}

/** Milliseconds until a request without a response counts as failed. */
const PATIENCE = 60_000;

/** What the browser reports for a host that does not allow other origins; a failed connection looks the same to the page. */
const REFUSED = "the browser refused it, since the host does not allow other origins (CORS)";
/** Hosts for which the reason of a failed request is found out. */
const HOSTS = 20;

/** Crawls a Source. `refused` are the origins that do not allow this page to read them. */
export async function web({ url, wasm, options }: Web, tell: (documents: number, entries: number, uri: string) => void): Promise<{ report: Report; refused: string[] }> {
  await init(wasm);
  const origins = new Map<string, Promise<boolean>>();
  const isRefused = (uri: string) => {
    const { origin } = new URL(uri);
    let own = origins.get(origin);
    if (!own && origins.size < HOSTS) origins.set(origin, (own = answers(uri)));
    return own ?? Promise.resolve(false);
  };
  const report = await crawl(url, {
    ...options,
    fetch: async (uri, { method }) => {
      try {
        return await fetch(uri, { ...PRIVATE, method, signal: AbortSignal.timeout(PATIENCE) });
      } catch (error) {
        // A timeout is no `TypeError`.
        throw error instanceof TypeError && await isRefused(uri) ? new Error(REFUSED) : error;
      }
    },
    onProgress: ({ documents, entries, uri }) => tell(documents, entries, uri),
  });
  const refused = await Promise.all([...origins].map(async ([origin, own]) => (await own ? [origin] : [])));
  return { report, refused: refused.flat() };
}

/** Hosts share no cache and no cookies with a check, and do not learn where the page is. */
const PRIVATE = { credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer" } as const;

/** Whether a host answers a request whose answer the page may not read: then the host forbids reading it. */
async function answers(uri: string): Promise<boolean> {
  const end = new AbortController();
  const late = setTimeout(() => end.abort(), PATIENCE);
  try {
    await fetch(uri, { ...PRIVATE, mode: "no-cors", signal: end.signal });
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(late);
    end.abort();
  }
}
