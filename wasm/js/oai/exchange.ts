/** Requests with `fetch`, and pauses. */

import { abortable } from "../abort.js";
import { received } from "../received.js";

/** How requests are sent. */
export interface SendOptions {
  /** Sends a request. The default connects to any address of a name; pass your own if that is a risk. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Ends the run: it is rejected with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** The longest time in milliseconds for a request and its response; ten minutes by default. */
  readonly timeout?: number | undefined;
}

/** A request to send: GET, or POST with `form` as its body. */
interface Request {
  readonly url: string;
  readonly form?: string;
  readonly acceptEncoding?: string;
}

/** What receives a response. */
interface Receiver<T> {
  begin(status: number, headers: Iterable<readonly [string, string]>): void;
  push(bytes: Uint8Array): boolean;
  end(): T;
  failed(reason: string, isTimeout?: boolean): T;
}

const TIMEOUT = 600_000;
/** A timer waits no longer. */
const LONGEST = 2 ** 31 - 1;

/** Sends one request, and passes its response on. */
export async function exchange<T>(receiver: Receiver<T>, request: Request, { fetch: get = fetch, signal, timeout = TIMEOUT }: SendOptions): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new DOMException("the server took too long", "TimeoutError")), Math.min(timeout, LONGEST));
  try {
    return await sent(receiver, request, get, signal ? AbortSignal.any([signal, limit.signal]) : limit.signal, signal);
  } finally {
    clearTimeout(timer);
  }
}

async function sent<T>(
  receiver: Receiver<T>,
  { url, form, acceptEncoding }: Request,
  get: NonNullable<SendOptions["fetch"]>,
  either: AbortSignal,
  signal: AbortSignal | undefined,
): Promise<T> {
  const headers: Record<string, string> = {};
  if (form !== undefined) headers["Content-Type"] = "application/x-www-form-urlencoded";
  if (acceptEncoding !== undefined) headers["Accept-Encoding"] = acceptEncoding;
  try {
    const response = await abortable(get(url, { headers, signal: either, ...(form !== undefined && { method: "POST", body: form }) }), either);
    receiver.begin(response.status, response.headers);
    await received(response, (bytes) => receiver.push(bytes), either);
  } catch (error) {
    signal?.throwIfAborted();
    const isTimeout = error instanceof Error && error.name === "TimeoutError";
    return receiver.failed(error instanceof Error ? error.message : String(error), isTimeout);
  }
  return receiver.end();
}

/** Waits, unless the signal aborts. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, LONGEST));
  });
  try {
    await abortable(over, signal);
  } finally {
    clearTimeout(timer);
  }
}

/** The fields of a head that count, for the module. */
export function head(status: number, headers: Iterable<readonly [string, string]>): string {
  const fields = new Map([...headers].map(([name, value]) => [name.toLowerCase(), value]));
  const [contentType, contentEncoding, retryAfter, date] = ["content-type", "content-encoding", "retry-after", "date"].map((name) => fields.get(name));
  return JSON.stringify({ status, contentType, contentEncoding, retryAfter, date });
}
