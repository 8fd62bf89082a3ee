/** The subscriber, which finds channels, renews leases, and replies to hubs. */

import { object, text } from "../check-args.js";
import { init } from "./loading.js";
import { Machine } from "./machine.js";
import { glue } from "./module.js";
import type { CallbackRequest, NotificationReply, SubscriberOptions, Turn } from "./types.js";

/**
 * Finds the channels of Sources, subscribes, renews, replies to hubs, and passes on notifications, in order.
 * In browsers and workers, `await init()` first.
 */
export class Subscriber extends Machine {
  readonly #most: number;

  constructor(options: SubscriberOptions) {
    object(options, "options");
    const { state, clock, random, ...own } = options;
    super((kept) => new glue.NotifySubscriber(JSON.stringify(own), kept), { state, clock, random });
    this.#most = own.bodyBytes ?? 8 << 20;
  }

  /** Subscribes to the channels of a Source: by its Source Description, a Capability List, or a topic. */
  follow(uri: string): Turn {
    text(uri, "uri");
    return this.turn("follow", { uri });
  }

  /** Ends the subscriptions that `follow` started. */
  unfollow(uri: string): Turn {
    return this.turn("unfollow", { uri });
  }

  /** Moves a channel to another callback. */
  rotate(channel: string): Turn {
    return this.turn("rotate", { channel });
  }

  /** Reports that the changes of a set were read; `isNews` if there were changes that had not been announced. */
  pulled(set: string, isNews: boolean): Turn {
    return this.turn("pulled", { set, isNews });
  }

  /** Processes a request to the callback: the turn has a reply. */
  answerSync(request: CallbackRequest): Turn & { readonly reply: NotificationReply } {
    const { method, path, query = "", headers = [], body = new Uint8Array(), tooLarge = false, stalled = false } = request;
    const said = { id: 1, method, path, query, headers: [...headers], ...(tooLarge && { tooLarge }), ...(stalled && { stalled }) };
    return this.turn("request", said, body) as Turn & { reply: NotificationReply };
  }

  /** Processes the `Request` of a server with the `fetch` API. Its body is read up to the limit; store `keep` before the response is returned. */
  async answer(request: Request): Promise<Omit<Turn, "reply"> & { readonly reply: Response }> {
    await init();
    const target = request.url.slice(new URL(request.url).origin.length);
    const [path = "/", query] = target.split("#")[0]?.split(/\?(.*)/s) ?? [];
    const { body, tooLarge, stalled } = await bodyOf(request, this.#most);
    const turn = this.answerSync({ method: request.method, path: path || "/", query, headers: request.headers, body, tooLarge, stalled });
    const { status, headers, body: said } = turn.reply;
    const isEmpty = status === 204 || status === 304;
    return { ...turn, reply: new Response(isEmpty ? null : (said as Uint8Array<ArrayBuffer>), { status, headers: headers as [string, string][] }) };
  }
}

/** The body of a request, as far as needed. */
async function bodyOf(request: Request, most: number): Promise<{ body: Uint8Array; tooLarge: boolean; stalled: boolean }> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  try {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      size += read.value.length;
      if (size > most) {
        await reader?.cancel().catch(() => undefined);
        return { body: new Uint8Array(), tooLarge: true, stalled: false };
      }
      pieces.push(read.value);
    }
  } catch {
    return { body: new Uint8Array(), tooLarge: false, stalled: true };
  }
  const body = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    body.set(piece, at);
    at += piece.length;
  }
  return { body, tooLarge: false, stalled: false };
}
