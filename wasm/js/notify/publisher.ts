/** The publisher, which sends payloads to hubs. */

import { object } from "../check-args.js";
import { event } from "./events.js";
import { Machine } from "./machine.js";
import * as glue from "../glue/notify/glue.js";
import { inside } from "./module.js";
import type { Channel, NotificationEvent, PublisherOptions, Topic, Turn } from "./types.js";

/**
 * Sends payloads to the hubs of their topics, in order, until each hub has accepted them. Hubs are independent of each
 * other. In browsers and workers, `await init()` first.
 */
export class Publisher extends Machine<NotificationEvent> {
  readonly #inner: glue.NotifyPublisher;

  constructor(options: PublisherOptions = {}) {
    object(options, "options");
    const { strictHub = false, credentials = [], ...around } = options;
    const inner = inside(() => new glue.NotifyPublisher(JSON.stringify({ strictHub, credentials }), JSON.stringify(around.state ?? {})));
    super(inside, inner, event, around);
    this.#inner = inner;
  }

  /** Queues a payload for the hubs of a topic; repeating a payload has no effect. Throws a `RefusedError` if it is not valid. */
  publish(topic: Topic, body: Uint8Array, kind: Channel = "change-notification"): Turn {
    return this.turn("publish", { topic, kind }, body);
  }

  /** Resends a payload that a hub refused. */
  retry(payload: number): Turn {
    return this.turn("retry", { payload });
  }

  /** Discards a payload. Subscribers detect the gap, and read the Change List. */
  discard(payload: number): Turn {
    return this.turn("discard", { payload });
  }

  /** The last payload of a topic, which the topic must serve. */
  last(topic: string): string | undefined {
    return inside(() => this.#inner.last(topic));
  }

  /** The end of the last interval of a topic, where the next one begins. */
  until(topic: string): string | undefined {
    return inside(() => this.#inner.until(topic));
  }

  /** The payloads that were not accepted by all hubs yet. */
  get waiting(): number {
    return inside(() => this.#inner.waiting());
  }
}
