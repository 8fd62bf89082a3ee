/** Runs a hub: stores what it keeps, sends its requests, and ticks. */

import { object } from "../check-args.js";
import { OptionError } from "../errors.js";
import type { IncomingRequest, NotificationReply } from "../notify/types.js";
import { platform } from "../platform.js";
import type { Hub } from "./hub.js";
import type { HubDriverOptions, HubEvent, HubRequest, HubResponse, HubSend, HubTurn } from "./types.js";

/** The bounds of the time between two ticks, in milliseconds. */
const PAUSE = { least: 100, most: 60_000 };

/** The part of a turn that a driver performs; the reply belongs to the caller. */
type Work = Omit<HubTurn, "reply">;

/**
 * Runs a hub until `signal` aborts: stores the values of each turn before anything else, then replies and sends its requests, and calls
 * `tick` when it is time. Turns that arrive while values are being stored are stored together.
 *
 * Requests in flight when `signal` aborts are sent again by the next instance.
 */
export class HubDriver {
  readonly #hub: Hub;
  readonly #keep: HubDriverOptions["keep"];
  readonly #send: HubSend;
  readonly #onEvent: ((event: HubEvent) => unknown) | undefined;
  readonly #signal: AbortSignal;
  /** Values that are not stored yet, and the turns that wait for it. */
  #values: Record<string, unknown> = {};
  #turns: Work[] = [];
  /** The end of storing the last values that were taken, and of storing those above. */
  #stored: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #running = new Set<Promise<void>>();

  constructor(hub: Hub, options: HubDriverOptions) {
    object(options, "options");
    const { keep, send = platform.send, onEvent, signal = new AbortController().signal } = options;
    if (typeof keep !== "function") throw new OptionError("keep has to be a function");
    if (!send) throw new OptionError("send: this platform has none; pass a function that sends requests");
    this.#hub = hub;
    this.#keep = keep;
    this.#send = send;
    this.#onEvent = onEvent;
    this.#signal = signal;
    signal.addEventListener("abort", () => clearTimeout(this.#timer), { once: true });
    this.#tick();
  }

  /** Replies to a request to the hub, or to a topic that it serves, after storing what the reply promises. `client` is the address of the client, for rate limits. */
  answer(client: string, request: Request): Promise<Response>;
  answer(client: string, request: IncomingRequest): Promise<NotificationReply>;
  async answer(client: string, request: Request | IncomingRequest): Promise<Response | NotificationReply> {
    this.#signal.throwIfAborted();
    const turn = "path" in request ? this.#hub.answerSync(client, request) : await this.#hub.answer(client, request);
    await this.perform(turn);
    return turn.reply;
  }

  /** Performs a turn of the hub, for example of an order: resolves when its values are stored. Its requests are sent afterwards. */
  perform(turn: Work): Promise<void> {
    if (this.#signal.aborted) return Promise.reject(this.#signal.reason);
    Object.assign(this.#values, turn.keep);
    this.#turns.push(turn);
    const store = () => this.#store();
    this.#next ??= this.#stored.then(store, store);
    return this.#next;
  }

  /** Resolves when nothing is being stored or sent. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #store(): Promise<void> {
    const [values, turns] = [this.#values, this.#turns];
    [this.#values, this.#turns, this.#stored, this.#next] = [{}, [], this.#next ?? this.#stored, undefined];
    this.#signal.throwIfAborted();
    try {
      if (Object.keys(values).length > 0) await this.#keep(values);
    } catch (error) {
      // The hub in memory has them already: they are stored with the next turn.
      this.#values = { ...values, ...this.#values };
      this.#turns.unshift(...turns);
      this.#tickIn(1_000);
      throw error;
    }
    for (const { requests, events } of turns) {
      for (const request of requests) this.#run(this.#exchange(request));
      // What cannot be logged ends neither the hub nor its process.
      for (const event of events) void Promise.resolve().then(() => this.#onEvent?.(event)).catch(() => undefined);
    }
    this.#tickIn((turns.at(-1)?.waitUntil ?? this.#hub.now).getTime() - this.#hub.now.getTime());
  }

  async #exchange(request: HubRequest): Promise<void> {
    let response: HubResponse;
    try {
      response = await this.#send(request, this.#hub, this.#signal);
    } catch (error) {
      if (this.#signal.aborted) return;
      const { message, sent } = error as { message?: string; sent?: unknown };
      return this.perform(this.#hub.failed(request, message ?? String(error), { sent: sent !== false }));
    }
    if (!this.#signal.aborted) await this.perform(this.#taken(request, response));
  }

  /** The turn after a response; what is none ends its request as a failure. */
  #taken(request: HubRequest, response: HubResponse): HubTurn {
    try {
      return this.#hub.responded(request, response);
    } catch (error) {
      return this.#hub.failed(request, `\`send\` gave no response: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Keeps track of what runs. Values that could not be stored are stored with the next turn. */
  #run(work: Promise<void>): void {
    const run = work.catch(() => undefined);
    this.#running.add(run);
    void run.then(() => this.#running.delete(run));
  }

  #tick(): void {
    this.#run(this.perform(this.#hub.tick()));
  }

  #tickIn(wait: number): void {
    clearTimeout(this.#timer);
    if (!this.#signal.aborted) this.#timer = setTimeout(() => this.#tick(), Math.min(Math.max(wait, PAUSE.least), PAUSE.most));
  }
}
