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
  get: (uri: string, init: RequestInit) => Promise<Response> = fetch,
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

async function exchange<Event, Request extends NotificationRequest>(machine: Machine<Event, Request>, request: Request, get: (uri: string, init: RequestInit) => Promise<Response>): Promise<StateTurn<Event, Request>> {
  const { method, uri, headers, body } = request;
  let response: Response, read: Uint8Array;
  try {
    response = await get(uri, { method, headers: headers as [string, string][], redirect: "manual", ...(method === "POST" && { body: body as Uint8Array<ArrayBuffer> }) });
    read = await beginning(response, request.most);
  } catch (error) {
    return machine.failed(request, error instanceof Error ? error.message : String(error));
  }
  return machine.responded(request, { status: response.status, headers: response.headers, body: read });
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
