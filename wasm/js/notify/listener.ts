/** The listener, which also decides when the copy of a Source is synchronized. */

import { object } from "../check-args.js";
import { Callback } from "./callback.js";
import * as glue from "../glue/notify/glue.js";
import { inside } from "./module.js";
import type { ListenerOptions, RunResult, Turn } from "./types.js";

/**
 * A subscriber that also decides when the copy of a Source is synchronized: quiet times, retries, polls, and notifications that are applied
 * directly. `resourcesync listen` runs the same machine.
 *
 * The first input is `follow`, or `stop`. A turn may have an event `sync` or `apply`: run it while further inputs are processed, and pass its
 * result to `ran`. There is one run at a time. After an event `end` there is nothing left to do. In browsers and workers, `await init()` first.
 */
export class Listener extends Callback {
  constructor(options: ListenerOptions) {
    object(options, "options");
    const { state = {}, clock, random, copy = {}, ...subscriber } = options;
    const json = JSON.stringify({ subscriber, ...(copy && { copy }) });
    super(inside(() => new glue.NotifyListener(json, JSON.stringify(state))), { state, clock, random }, subscriber.bodyBytes);
  }

  /** Follows exactly these Sources; subscriptions to others end. `rotate` moves every channel to another callback. */
  follow(uris: readonly string[], { rotate = false }: { rotate?: boolean | undefined } = {}): Turn {
    return this.turn("follow", { uris, rotate });
  }

  /** Ends the subscriptions to these Sources, or to all. */
  stop(uris: readonly string[] = []): Turn {
    return this.turn("stop", { uris });
  }

  /** Reports the end of the run; without a result if there was none, or the notification cannot be applied. */
  ran(result?: RunResult): Turn {
    return this.turn("ran", { result });
  }
}
