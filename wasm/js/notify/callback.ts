/** The callback of a subscriber: replies to the requests of hubs. */

import { event } from "./events.js";
import { plain, received, response } from "./incoming.js";
import { Machine, type Inner } from "./machine.js";
import { init, inside } from "./module.js";
import type { Around, IncomingRequest, NotificationEvent, NotificationReply, Turn } from "./types.js";

/** A state machine that replies to hubs. */
export class Callback extends Machine<NotificationEvent> {
  readonly #most: number;

  protected constructor(inner: Inner, around: Around, most = 8 << 20) {
    super(inside, inner, event, around);
    this.#most = most;
  }

  /** Processes a request to the callback: the turn has a reply. */
  answerSync(request: IncomingRequest): Turn & { readonly reply: NotificationReply } {
    return this.turn("request", ...plain(request)) as Turn & { reply: NotificationReply };
  }

  /** Processes the `Request` of a server with the `fetch` API. Its body is read up to the limit; store `keep` before the response is returned. */
  async answer(request: Request): Promise<Omit<Turn, "reply"> & { readonly reply: Response }> {
    await init();
    const turn = this.answerSync(await received(request, this.#most));
    return { ...turn, reply: response(turn.reply, request) };
  }
}
