/** A callback for notifications in Cloudflare Workers: a Durable Object, whose storage is consistent. */

import { Subscriber } from "resourcesync/notify";

export class Callback {
  constructor({ storage }, env) {
    this.storage = storage;
    this.env = env;
    this.last = Promise.resolve();
  }

  /** One request after the other: each starts from the state stored by the previous one. */
  fetch(request) {
    const reply = this.last.then(() => this.#answer(request));
    this.last = reply.catch(() => undefined);
    return reply;
  }

  async #answer(request) {
    const state = Object.fromEntries(await this.storage.list());
    const subscriber = new Subscriber({ callback: this.env.CALLBACK, clock: this.env.CLOCK, state });
    const { reply, keep, events } = await subscriber.answer(request);
    await this.storage.transaction(async (values) => {
      for (const [key, value] of Object.entries(keep)) await (value === null ? values.delete(key) : values.put(key, value));
    });
    for (const event of events) await this.env.QUEUE.send(event);
    return reply;
  }
}

export default {
  fetch: (request, env) => env.SUBSCRIPTIONS.get(env.SUBSCRIPTIONS.idFromName("all")).fetch(request),
};
