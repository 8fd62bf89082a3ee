/** Shared by the state machines: converts an input to JSON, and its outputs to a turn. */

import { parseReport } from "../report.js";
import type { Reason } from "../types.js";
import { inside } from "./module.js";
import type { Around, ChannelState, NotificationEvent, NotificationReply, NotificationRequest, Turn } from "./types.js";

interface Inner {
  turn(now: number, random: (bytes: Uint8Array) => unknown, input: string, body?: Uint8Array): unknown[];
}

/** A state machine of the module, which processes inputs. */
export class Machine {
  readonly #inner: Inner;
  readonly #state: ChannelState;
  readonly #clock: () => number;
  readonly #random: (bytes: Uint8Array) => unknown;

  protected constructor(make: (state: string) => Inner, { state = {}, clock = Date.now, random = (bytes) => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>) }: Around) {
    this.#state = { ...state };
    this.#clock = clock;
    this.#random = random;
    this.#inner = inside(() => make(JSON.stringify(this.#state)));
  }

  /** All values kept so far, from which a new state machine continues. */
  get state(): ChannelState {
    return { ...this.#state };
  }

  /** Time passed. */
  tick(): Turn {
    return this.turn("tick", {});
  }

  /** Processes the response to a request. */
  responded(request: NotificationRequest | number, response: { status: number; headers?: Iterable<readonly [string, string]> | undefined; body?: Uint8Array | undefined }): Turn {
    const { status, headers = [], body = new Uint8Array() } = response;
    return this.turn("answered", { id: number(request), status, headers: [...headers] }, body);
  }

  /** Reports that there is no response; the reason is one of the library's, or text in one line. */
  failed(request: NotificationRequest | number, reason: Reason | string): Turn {
    return this.turn("failed", { id: number(request), reason });
  }

  /** Processes an input by its name. */
  protected turn(name: string, said: Record<string, unknown>, body?: Uint8Array): Turn {
    const outputs = inside(() => this.#inner.turn(this.#clock(), this.#random, JSON.stringify({ [name]: said }), body)) as (string | Uint8Array | undefined)[];
    const turn: { keep: Record<string, unknown>; requests: NotificationRequest[]; events: NotificationEvent[]; reply?: NotificationReply; waitUntil?: Date } = { keep: {}, requests: [], events: [] };
    for (let at = 0; at < outputs.length; at += 2) {
      const content = (outputs[at + 1] as Uint8Array | undefined) ?? new Uint8Array();
      const [[kind, value]] = Object.entries(JSON.parse(outputs[at] as string) as Record<string, Said>) as [[string, Said]];
      if (kind === "keep") {
        const { key, value: kept } = value as { key: string; value: unknown };
        turn.keep[key] = kept ?? null;
        if (kept == null) delete this.#state[key];
        else this.#state[key] = kept;
      } else if (kind === "send") turn.requests.push({ headers: [], ...value, body: content } as unknown as NotificationRequest);
      else if (kind === "reply") turn.reply = reply(value, content);
      else if (kind === "wait") turn.waitUntil = new Date(value["until"] as string);
      else turn.events.push(event(kind, value, content));
    }
    return turn;
  }
}

/** A part of an output. */
export type Said = Record<string, unknown>;

const number = (request: NotificationRequest | number): number => (typeof request === "number" ? request : request.id);

/** A reply, from its parts. */
export function reply(said: Said, body: Uint8Array): NotificationReply {
  return { status: said["status"] as number, headers: said["headers"] as [string, string][], body };
}

function event(kind: string, said: Said, body: Uint8Array): NotificationEvent {
  if (kind === "notified") {
    const { channel, source, topic, capabilityList, body: _, ...notification } = said;
    return { kind, channel, source, topic, ...(capabilityList !== undefined && { capabilityList }), notification: { ...notification, body } } as NotificationEvent;
  }
  if (kind === "changed") {
    const { kind: announces, ...rest } = said;
    return { kind, ...rest, announces } as unknown as NotificationEvent;
  }
  if (kind === "found" && said["report"] !== undefined) return { kind, ...said, report: parseReport(JSON.stringify(said["report"])) } as unknown as NotificationEvent;
  return { kind, ...said } as unknown as NotificationEvent;
}
