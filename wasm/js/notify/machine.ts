/** Shared by the state machines: converts an input to JSON, and its outputs to a turn. */

import type { Reason } from "../types.js";
import type { Around, ChannelState, NotificationReply, NotificationRequest, StateTurn } from "./types.js";

/** A state machine of a module. */
export interface Inner {
  turn(now: number, random: (bytes: Uint8Array) => unknown, input: string, body?: Uint8Array): unknown[];
}

/** Calls the module of a state machine. */
type Inside = <R>(work: () => R) => R;

/** A state machine, which processes inputs. */
export class Machine<Event, Request extends NotificationRequest = NotificationRequest> {
  readonly #inside: Inside;
  readonly #inner: Inner;
  readonly #event: (kind: string, said: Said, body: Uint8Array) => Event;
  readonly #state: ChannelState;
  readonly #clock: () => number;
  readonly #random: (bytes: Uint8Array) => unknown;

  protected constructor(inside: Inside, inner: Inner, event: (kind: string, said: Said, body: Uint8Array) => Event, { state = {}, clock = Date.now, random = (bytes) => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>) }: Around) {
    this.#inside = inside;
    this.#inner = inner;
    this.#event = event;
    this.#state = { ...state };
    this.#clock = clock;
    this.#random = random;
  }

  /** All values kept so far, from which a new state machine continues. */
  get state(): ChannelState {
    return { ...this.#state };
  }

  /** The current time by its clock. */
  get now(): Date {
    return new Date(this.#clock());
  }

  /** Time passed. */
  tick(): StateTurn<Event, Request> {
    return this.turn("tick", {});
  }

  /** Processes the response to a request. */
  responded(request: NotificationRequest | number, response: { status: number; headers?: Iterable<readonly [string, string]> | undefined; body?: Uint8Array | undefined }): StateTurn<Event, Request> {
    const { status, headers = [], body = new Uint8Array() } = response;
    return this.turn("answered", { id: number(request), status, headers: [...headers] }, body);
  }

  /** Reports that there is no response; the reason is one of the library's, or text in one line. */
  failed(request: NotificationRequest | number, reason: Reason | string): StateTurn<Event, Request> {
    return this.turn("failed", { id: number(request), reason });
  }

  /** Processes an input by its name. */
  protected turn(name: string, said: Said, body?: Uint8Array): StateTurn<Event, Request> {
    const outputs = this.#inside(() => this.#inner.turn(this.#clock(), this.#random, JSON.stringify({ [name]: said }), body)) as (string | Uint8Array | undefined)[];
    const turn: { keep: Record<string, unknown>; requests: Request[]; events: Event[]; reply?: NotificationReply; waitUntil?: Date } = { keep: {}, requests: [], events: [] };
    for (let at = 0; at < outputs.length; at += 2) {
      const content = (outputs[at + 1] as Uint8Array | undefined) ?? new Uint8Array();
      const [[kind, value]] = Object.entries(JSON.parse(outputs[at] as string) as Record<string, Said>) as [[string, Said]];
      if (kind === "keep") {
        const { key, value: kept } = value as { key: string; value: unknown };
        turn.keep[key] = kept ?? null;
        if (kept == null) delete this.#state[key];
        else this.#state[key] = kept;
      } else if (kind === "send") turn.requests.push({ headers: [], ...value, body: content } as unknown as Request);
      else if (kind === "reply") turn.reply = reply(value, content);
      else if (kind === "wait") turn.waitUntil = new Date(value["until"] as string);
      else turn.events.push(this.#event(kind, value, content));
    }
    return turn;
  }
}

/** A part of an output. */
export type Said = Record<string, unknown>;

/** The number of a request. */
export const number = (request: NotificationRequest | number): number => (typeof request === "number" ? request : request.id);

/** A reply, from its parts. */
export function reply(said: Said, body: Uint8Array): NotificationReply {
  return { status: said["status"] as number, headers: said["headers"] as [string, string][], body };
}
