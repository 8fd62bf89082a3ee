/** The subscriber, which finds channels, renews leases, and replies to hubs. */

import { object, text } from "../check-args.js";
import { Callback } from "./callback.js";
import * as glue from "../glue/notify/glue.js";
import { inside } from "./module.js";
import type { SubscriberOptions, Turn } from "./types.js";

/**
 * Finds the channels of Sources, subscribes, renews, replies to hubs, and passes on notifications, in order.
 * In browsers and workers, `await init()` first.
 */
export class Subscriber extends Callback {
  constructor(options: SubscriberOptions) {
    object(options, "options");
    const { state = {}, clock, random, ...own } = options;
    const inner = inside(() => new glue.NotifySubscriber(JSON.stringify(own), JSON.stringify(state)));
    super(inner, { state, clock, random }, own.bodyBytes);
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
}
