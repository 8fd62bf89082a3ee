/** The subscriber, which finds channels, renews leases, and replies to hubs. */

import { object, text } from "../check-args.js";
import { event } from "./events.js";
import { plain, received, response } from "./incoming.js";
import { Machine } from "./machine.js";
import * as glue from "../glue/notify/glue.js";
import { init, inside } from "./module.js";
import type { IncomingRequest, NotificationEvent, NotificationReply, SubscriberOptions, Turn } from "./types.js";

/**
 * Finds the channels of Sources, subscribes, renews, replies to hubs, and passes on notifications, in order.
 * In browsers and workers, `await init()` first.
 */
export class Subscriber extends Machine<NotificationEvent> {
  readonly #most: number;

  constructor(options: SubscriberOptions) {
    object(options, "options");
    const { state = {}, clock, random, ...own } = options;
    const inner = inside(() => new glue.NotifySubscriber(JSON.stringify(own), JSON.stringify(state)));
    super(inside, inner, event, { state, clock, random });
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
