/** Sends the requests of the state machines with `fetch`. */

import type { Machine } from "./machine.js";
import type { NotificationRequest, StateTurn } from "./types.js";

/**
 * Sends the requests of a turn, and those that follow, one at a time. `keep` stores the values of a turn before its requests are sent.
 * Returns the events, and the time to call `tick`.
 *
 * The default `fetch` connects to any address of a name; pass your own if that is a risk.
 */
export async function drive<Event, Request extends NotificationRequest>(
  machine: Machine<Event, Request>,
  turn: StateTurn<Event, Request>,
  keep: (keep: Readonly<Record<string, unknown>>) => unknown,
  get: Get = fetch,
): Promise<{ events: Event[]; waitUntil: Date | undefined }> {
  const [events, waiting]: [Event[], Request[]] = [[], []];
  for (let step = turn; ; ) {
    if (Object.keys(step.keep).length > 0) await keep(step.keep);
    events.push(...step.events);
    waiting.push(...step.requests);
    const request = waiting.shift();
    if (!request) return { events, waitUntil: step.waitUntil };
    step = await exchange(machine, request, get);
  }
}

async function exchange<Event, Request extends NotificationRequest>(machine: Machine<Event, Request>, request: Request, get: Get): Promise<StateTurn<Event, Request>> {
  const { response, error } = await reply(request, get);
  return response ? machine.responded(request, response) : machine.failed(request, error);
}

/** A function like `fetch`. */
type Get = (uri: string, init: RequestInit) => Promise<Response>;
/** A response to a request, or why there is none. */
type Reply = { readonly response: { status: number; headers: Headers; body: Uint8Array }; readonly error?: never } | { readonly response?: never; readonly error: string };

/** Sends a request; the response has the beginning of its body. @internal */
export async function reply({ method, uri, headers, body, most }: NotificationRequest, get: Get): Promise<Reply> {
  try {
    const response = await get(uri, { method, headers: headers as [string, string][], redirect: "manual", ...(method === "POST" && { body: body as Uint8Array<ArrayBuffer> }) });
    return { response: { status: response.status, headers: response.headers, body: await beginning(response, most) } };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** The first bytes of a response. */
async function beginning(response: Response, most: number): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  const bytes = new Uint8Array(most);
  let size = 0;
  while (reader && size < most) {
    const { done, value } = await reader.read();
    if (done) return bytes.slice(0, size);
    const piece = value.subarray(0, most - size);
    bytes.set(piece, size);
    size += piece.length;
  }
  await reader?.cancel().catch(() => undefined);
  return bytes.slice(0, size);
}
