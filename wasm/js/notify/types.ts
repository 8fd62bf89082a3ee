/** The values of notifications. */

import type { Entry } from "../model.js";
import type { Reason, Report } from "../types.js";

/** What a channel announces: changes of resources, or of ResourceSync documents. */
export type Channel = "change-notification" | "framework-notification";
/** A hash function of `X-Hub-Signature`. */
export type SignatureAlgorithm = "sha1" | "sha256" | "sha384" | "sha512";
/** A problem of a signature. */
export type SignatureError = "missing" | "unknown-algorithm" | "weak-algorithm" | "wrong";
/** The state of a state machine: values by name, to be stored. */
export type ChannelState = Record<string, unknown>;

/** The topic of a channel, the hubs to subscribe with, and the Capability List of its set. */
export interface Topic {
  readonly uri: string;
  readonly hubs: readonly string[];
  readonly capabilityList?: string;
}

/** A request to send: exactly one exchange, without following redirects. At most `most` bytes of the response's body are needed. */
export interface NotificationRequest {
  readonly id: number;
  readonly method: "GET" | "HEAD" | "POST";
  readonly uri: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  readonly most: number;
}

/** The reply to an incoming request. */
export interface NotificationReply {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

/** A notification document. `report` contains its errors, if there are any. */
export interface Notification {
  readonly kind: Channel;
  /** The SHA-256 of the document, in hexadecimal. */
  readonly digest: string;
  readonly entries: number;
  readonly body: Uint8Array;
  readonly from?: string;
  readonly until?: string;
  readonly changes?: readonly Entry[];
  readonly report?: Report;
}

/** A payload sent to a hub, by its number and the SHA-256 of its bytes. */
export interface Delivery {
  readonly topic: string;
  readonly hub: string;
  readonly payload: number;
  readonly digest: string;
}

/**
 * An event.
 *
 * - `notified`: a notification from a channel. Its entries are unverified: fetch them only within the scope of the Source.
 * - `pull`: changes may have been missed; read the Change Lists of the set.
 * - `reread`: documents of a set changed.
 * - `sync`: of a listener, the copy has to be synchronized; `isRetry` if caches should not be used.
 * - `apply`: of a listener, a notification has to be applied to the copy: its changes continue what the copy has.
 * - `end`: of a listener, there is nothing left to listen to.
 * - `changed`: a subscription changed; `until` is the end of its lease.
 * - `found`: a finding for the operator, by its code.
 * - `sent`, `refused`, `postponed`: a hub accepted a payload, refused it, or could not take it now.
 * - `broken`: the intervals of a topic have a gap or overlap.
 */
export type NotificationEvent =
  | { readonly kind: "notified"; readonly channel: string; readonly source: string; readonly topic: string; readonly capabilityList?: string; readonly notification: Notification }
  | { readonly kind: "pull"; readonly set: string; readonly why: "subscribed" | "gap" | "invalid" | "safety"; readonly from?: string; readonly until?: string }
  | { readonly kind: "reread"; readonly set: string; readonly documents: readonly { readonly uri: string; readonly capability: string; readonly change: string; readonly index?: string }[] }
  | { readonly kind: "sync"; readonly why: readonly ("gap" | "invalid" | "notified" | "reread" | "safety" | "start" | "subscribed")[]; readonly isRetry: boolean }
  | { readonly kind: "apply"; readonly channel: string; readonly topic: string; readonly capabilityList: string; readonly body: Uint8Array }
  | { readonly kind: "end"; readonly why: "noChannel" | "denied" | "unsubscribed" | "unconfirmed" }
  | { readonly kind: "changed"; readonly channel: string; readonly source: string; readonly topic: string; readonly hub: string; readonly announces: Channel; readonly phase: string; readonly until?: string; readonly reason?: Reason | string }
  | { readonly kind: "found"; readonly code: string; readonly uri: string; readonly message: string; readonly channel?: string; readonly report?: Report }
  | ({ readonly kind: "sent"; readonly oddStatus?: number } & Delivery)
  | ({ readonly kind: "refused"; readonly status: number; readonly reason: Reason | string } & Delivery)
  | ({ readonly kind: "postponed"; readonly until: string; readonly reason: Reason | string; readonly status?: number } & Delivery)
  | { readonly kind: "broken"; readonly topic: string; readonly expected: string; readonly from: string };

/**
 * The result of one input. First store all of `keep`: values by name, `null` to remove one. Then send `requests` and `reply`, and pass
 * `events` on; call `tick` at `waitUntil`.
 */
export interface StateTurn<Event, Request extends NotificationRequest = NotificationRequest> {
  readonly keep: Readonly<Record<string, unknown>>;
  readonly requests: readonly Request[];
  readonly reply?: NotificationReply;
  readonly events: readonly Event[];
  readonly waitUntil?: Date;
}

/** The result of one input of a publisher or a subscriber. */
export type Turn = StateTurn<NotificationEvent>;

/** The options of all state machines. */
export interface Around {
  /** The state of an earlier instance. */
  state?: ChannelState | undefined;
  /** Milliseconds since 1970. Default: `Date.now`. */
  clock?: (() => number) | undefined;
  /** Fills an array with cryptographically secure random bytes. Default: `crypto.getRandomValues`. */
  random?: ((bytes: Uint8Array) => unknown) | undefined;
}

/** The options of a publisher. */
export interface PublisherOptions extends Around {
  /** Accept only 200 from a hub, as the specifications require. */
  strictHub?: boolean | undefined;
  /** Header fields for the hubs of one origin. */
  credentials?: readonly { readonly origin: string; readonly name: string; readonly value: string }[] | undefined;
}

/** The options of a subscriber. */
export interface SubscriberOptions extends Around {
  /** The base URI of all callbacks, with a trailing slash. */
  callback: string;
  /** Kinds of channels to subscribe to. Default: both. */
  kinds?: readonly Channel[] | undefined;
  /** The lease to request, in seconds. Default: ten days. */
  lease?: number | undefined;
  /** Subscribe with every hub of a topic. */
  allHubs?: boolean | undefined;
  /** Also send secrets to hubs without TLS. */
  allowHttp?: boolean | undefined;
  /** Also accept SHA-1 signatures. */
  allowSha1?: boolean | undefined;
  /** Reply 202 to a delivery without a valid signature, and drop it; otherwise 403, and the hub retries. */
  dropUnsigned?: boolean | undefined;
  /** Maximum bytes of a notification. Default: 8 MiB. */
  bodyBytes?: number | undefined;
}

/** The options of a listener. */
export interface ListenerOptions extends SubscriberOptions {
  /** How the copy is kept in sync: after `poll` seconds at the latest (default: an hour), and with `direct` by applying notifications without reading lists. `null` without a copy. */
  copy?: { readonly poll?: number | undefined; readonly direct?: boolean | undefined } | null | undefined;
}

/** The result of a run on a copy: the time of the state that the copy has, the resources that changed, and those that could not be brought up to date. */
export interface RunResult {
  /** A notification was applied completely if this is `incomplete`, since no list was read, and nothing is unfinished. */
  readonly outcome: "in-step" | "incomplete" | "refused" | "locked" | "interrupted" | "failed";
  readonly asOf?: string | undefined;
  readonly changed?: number | undefined;
  readonly unfinished?: number | undefined;
}

/** A request of a client as plain values; the `Request` of `fetch` works too. */
export interface IncomingRequest {
  readonly method: string;
  /** The path, as sent. */
  readonly path: string;
  /** The query string after the `?`, as sent. */
  readonly query?: string | undefined;
  readonly headers?: Iterable<readonly [string, string]> | undefined;
  /** The raw bytes, before any decoding. */
  readonly body?: Uint8Array | undefined;
  /** The body is longer than the part that was read. */
  readonly tooLarge?: boolean | undefined;
  /** The body ended prematurely. */
  readonly stalled?: boolean | undefined;
}

/** The options of payloads. */
export interface AnnounceOptions {
  /** The Capability List of the set. */
  capabilityList?: string | undefined;
  /** The Source Description. */
  sourceDescription?: string | undefined;
  /** Maximum bytes of a payload. Default: 1,000,000. */
  bytes?: number | undefined;
  /** Maximum entries of a payload. Default: 10,000. */
  entries?: number | undefined;
}

/** A published document: its capability, its URI, the SHA-256 of its bytes in hexadecimal, and the index that lists it. */
export interface PublishedDocument {
  readonly capability: string;
  readonly uri: string;
  readonly sha256: string;
  readonly index?: string | undefined;
}
