/** Requests of clients, and the replies to them. */

import type { IncomingRequest, NotificationReply } from "./types.js";

/** A request as the state machines take it, and its body. */
export function plain({ method, path, query = "", headers = [], body = new Uint8Array(), tooLarge = false, stalled = false }: IncomingRequest): [said: Record<string, unknown>, body: Uint8Array] {
  return [{ id: 1, method, path, query, headers: [...headers], ...(tooLarge && { tooLarge }), ...(stalled && { stalled }) }, body];
}

/** The `Request` of a server with the `fetch` API, whose body is read as far as `most`. */
export async function received(request: Request, most: number): Promise<IncomingRequest> {
  const target = request.url.slice(new URL(request.url).origin.length);
  const [path = "/", query] = target.split("#")[0]?.split(/\?(.*)/s) ?? [];
  return { method: request.method, path: path || "/", query, headers: request.headers, ...(await bodyOf(request, most)) };
}

/** The `Response` of such a server. */
export function response({ status, headers, body }: NotificationReply, { method }: Request): Response {
  const isEmpty = status === 204 || status === 304 || method === "HEAD";
  return new Response(isEmpty ? null : (body as Uint8Array<ArrayBuffer>), { status, headers: headers as [string, string][] });
}

async function bodyOf(request: Request, most: number): Promise<Pick<IncomingRequest, "body" | "tooLarge" | "stalled">> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  try {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      size += read.value.length;
      if (size > most) {
        await reader?.cancel().catch(() => undefined);
        return { tooLarge: true };
      }
      pieces.push(read.value);
    }
  } catch {
    return { stalled: true };
  }
  const body = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    body.set(piece, at);
    at += piece.length;
  }
  return { body };
}
