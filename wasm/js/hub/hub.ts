/** The hub inside an application. */

import { object } from "../check-args.js";
import { plain, received, response } from "../notify/incoming.js";
import { Machine, number, type Said } from "../notify/machine.js";
import type { IncomingRequest, NotificationReply } from "../notify/types.js";
import * as glue from "../glue/hub/glue.js";
import { init, inside } from "./module.js";
import type { HubEvent, HubOptions, HubRequest, HubResponse, HubTarget, HubTurn } from "./types.js";

/** Maximum bytes of a payload. */
const MOST = 8 << 20;

/**
 * A hub inside an application: accepts payloads from its Sources, verifies subscriptions, and delivers every payload to every subscriber
 * in order. All rows of its ledger are in memory; `keep` of each turn has the changed ones, to be stored before the rest of the turn is
 * performed: a reply of 200 promises that a payload is stored. One instance at a time may use a ledger. For more than a few thousand
 * subscriptions run `resourcesync hub serve`.
 *
 * `HubDriver` does what a turn requires. Without it, call `tick` at `waitUntil`, and once after a restart. In browsers and workers,
 * `await init()` first.
 */
export class Hub extends Machine<HubEvent, HubRequest> {
  readonly #inner: glue.NotifyHub;

  constructor(options: HubOptions) {
    object(options, "options");
    const { state = {}, clock, random, ...own } = options;
    const inner = inside(() => new glue.NotifyHub(JSON.stringify(own), JSON.stringify(state)));
    super(inside, inner, event, { state, clock, random });
    this.#inner = inner;
  }

  /** Processes a request to the hub, or to a topic that it serves: the turn has a reply. `client` is the address of the client, for rate limits. */
  answerSync(client: string, request: IncomingRequest): HubTurn & { readonly reply: NotificationReply } {
    const [said, body] = plain(request);
    return this.turn("request", { client, request: said }, body) as HubTurn & { reply: NotificationReply };
  }

  /** Processes the `Request` of a server with the `fetch` API. Store `keep` before the response is returned. */
  async answer(client: string, request: Request): Promise<Omit<HubTurn, "reply"> & { readonly reply: Response }> {
    await init();
    const turn = this.answerSync(client, await received(request, MOST));
    return { ...turn, reply: response(turn.reply, request) };
  }

  override responded(request: HubRequest | number, response: HubResponse): HubTurn {
    return super.responded(request, response) as HubTurn;
  }

  /**
   * Reports that a callback did not respond, with the reason in one line. `sent` is `false` if the callback certainly did not receive the
   * request; a new callback that may have is not asked for its confirmation again.
   */
  override failed(request: HubRequest | number, reason: string, { sent = true }: { sent?: boolean | undefined } = {}): HubTurn {
    return this.turn("failed", { id: number(request), reason, sent });
  }

  override tick(): HubTurn {
    return super.tick() as HubTurn;
  }

  /** Delivers the stored payloads from this number again. */
  replay(from: number, target: HubTarget): HubTurn {
    return this.turn("order", { replay: { target, from } });
  }

  /** Ends subscriptions, and informs the subscribers. A host, such as `receiver.example:443`, stays denied. */
  deny(target: HubTarget, reason = ""): HubTurn {
    return this.turn("order", { deny: { target, reason } });
  }

  /** Accepts subscriptions of a denied host again. */
  allow(host: string): HubTurn {
    return this.turn("order", { allow: { host } });
  }

  /** Delivers nothing of a topic, or of all, but accepts payloads. */
  pause(topic?: string): HubTurn {
    return this.turn("order", { pause: { topic } });
  }

  /** Delivers again. */
  resume(topic?: string): HubTurn {
    return this.turn("order", { resume: { topic } });
  }

  /** Removes payloads and dead letters older than a moment. */
  prune(before: Date | string): HubTurn {
    return this.turn("order", { prune: { before: typeof before === "string" ? before : before.toISOString() } });
  }

  /** Whether a request to a callback may be sent to this address of its host. Connect to the address that was checked, at every attempt. */
  allows(uri: string, address: string): boolean {
    return inside(() => this.#inner.allows(uri, address));
  }

  /** An input of the state machine alone: its outputs, each followed by its body. */
  protected step(input: unknown, random: (bytes: Uint8Array) => unknown): unknown[] {
    return inside(() => this.#inner.step(this.now.getTime(), random, JSON.stringify(input)));
  }

  protected override turn(name: string, said: Said, body?: Uint8Array): HubTurn {
    return super.turn(name, said, body) as HubTurn;
  }
}

/** An event, from an output of the module. */
function event(kind: string, said: Said): HubEvent {
  return (kind === "event" ? said : { kind, ...said }) as HubEvent;
}
