/** Requests of documents with `fetch`. */

import { abortable } from "../abort.js";
import { received } from "../received.js";

/** How documents are requested. */
export interface FetchOptions {
  /** Sends a request. The default connects to any address of a name; pass your own if that is a risk. */
  readonly fetch?: ((uri: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Ends the run: it is rejected with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** A request as the module writes it. */
export interface Wanted {
  readonly uri: string;
  readonly etag?: string;
  readonly modified?: string;
  readonly noCache?: boolean;
  readonly pause?: number;
}

/** What receives a response. */
interface Receiver {
  answer(head: string): void;
  push(bytes: Uint8Array): void;
  end(): void;
  failed(reason: string): void;
}

/** The header fields of a request. */
export function headersOf({ etag, modified, noCache = false }: Wanted): Record<string, string> {
  const headers: Record<string, string> = noCache ? { "Cache-Control": "no-cache" } : {};
  if (etag !== undefined) headers["If-None-Match"] = etag;
  else if (modified !== undefined) headers["If-Modified-Since"] = modified;
  return headers;
}

/** Waits for these seconds before a request: the Source may be writing its documents, or a cache have old ones. */
export async function waited(pause: number, signal: AbortSignal | undefined): Promise<void> {
  if (pause > 0) await abortable(new Promise((resolve) => setTimeout(resolve, pause * 1000)), signal);
}

/** Sends one request, and passes its response on. */
export async function exchange(receiver: Receiver, wanted: Wanted, { fetch: get = fetch, signal }: FetchOptions): Promise<void> {
  const { uri, pause = 0 } = wanted;
  await waited(pause, signal);
  try {
    const response = await abortable(get(uri, { headers: headersOf(wanted), ...(signal && { signal }) }), signal);
    receiver.answer(JSON.stringify({ uri: response.url || uri, status: response.status, headers: [...response.headers] }));
    await received(response, receiver.push, signal);
  } catch (error) {
    signal?.throwIfAborted();
    return receiver.failed(error instanceof Error ? error.message : String(error));
  }
  receiver.end();
}
