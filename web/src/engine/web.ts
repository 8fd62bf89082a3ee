// Fetches and checks a Source on the web, in the build of the page that may: through CORS, without credentials.

import { crawl, init, type Report } from "resourcesync/lite";

export interface Web {
  /** A host, a document, or a page of the Source. */
  url: string;
  wasm: WebAssembly.Module;
  options: { profile: "standard" | "strict"; fixity: boolean; maxPerRule: number };
}

/** Milliseconds until a request without a response counts as failed. */
const PATIENCE = 60_000;

/** Crawls a Source. */
export async function web({ url, wasm, options }: Web, tell: (documents: number, entries: number, uri: string) => void): Promise<Report> {
  await init(wasm);
  return crawl(url, {
    ...options,
    // Hosts share no cache and no cookies with a check, and do not learn where the page is.
    fetch: (uri, { method }) => fetch(uri, { method, credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer", signal: AbortSignal.timeout(PATIENCE) }),
    onProgress: ({ documents, entries, uri }) => tell(documents, entries, uri),
  });
}
