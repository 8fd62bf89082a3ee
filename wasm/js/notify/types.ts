/** The values of notifications. */

import type { Entry } from "../model.js";
import type { Reason, Report } from "../types.js";

/** What a channel announces: changes of resources, or of ResourceSync documents. */
export type Channel = "change-notification" | "framework-notification";
/** A hash function of `X-Hub-Signature`. */
export type SignatureAlgorithm = "sha1" | "sha256" | "sha384" | "sha512";
/** What is wrong with a signature. */
export type SignatureError = "missing" | "unknown-algorithm" | "weak-algorithm" | "wrong";
/** The state of a machine: values by their names, to be stored. */
export type ChannelState = Record<string, unknown>;

/** The topic of a channel, the hubs to subscribe with, and the Capability List of its set. */
export interface Topic {
  readonly uri: string;
  readonly hubs: readonly string[];
  readonly capabilityList?: string;
}

/** A request to make: exactly one exchange, without following redirects. `most` bytes of the response's body are of interest. */
export interface NotificationRequest {
  readonly id: number;
  readonly method: "GET" | "HEAD" | "POST";
  readonly uri: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  readonly most: number;
}

/** The answer to a request that came in. */
export interface NotificationReply {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

/** A notification document. `report` says what is wrong with it, if anything is. */
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

/** A payload on its way to a hub, by its number and the SHA-256 of its bytes. */
export interface Delivery {
  readonly topic: string;
  readonly hub: string;
  readonly payload: number;
  readonly digest: string;
}

/**
 * Something that happened.
 *
 * - `notified`: a channel announces something. Its entries are claims: fetch what they name within the scope of the Source only.
 * - `pull`: changes may have been missed; read the Change Lists of the set.
 * - `reread`: documents of a set changed.
 * - `changed`: a subscription changed; `until` is the end of its lease.
 * - `found`: something that whoever runs this may want to know, by its code.
 * - `sent`, `refused`, `postponed`: a hub accepted a payload, refused it, or could not take it now.
 * - `broken`: the intervals of a topic have a gap or overlap.
 */
export type NotificationEvent =
  | { readonly kind: "notified"; readonly channel: string; readonly source: string; readonly topic: string; readonly capabilityList?: string; readonly notification: Notification }
  | { readonly kind: "pull"; readonly set: string; readonly why: "subscribed" | "gap" | "invalid" | "safety"; readonly from?: string; readonly until?: string }
  | { readonly kind: "reread"; readonly set: string; readonly documents: readonly { readonly uri: string; readonly capability: string; readonly change: string; readonly index?: string }[] }
  | { readonly kind: "changed"; readonly channel: string; readonly source: string; readonly topic: string; readonly hub: string; readonly announces: Channel; readonly phase: string; readonly until?: string; readonly reason?: Reason | string }
  | { readonly kind: "found"; readonly code: string; readonly uri: string; readonly message: string; readonly channel?: string; readonly report?: Report }
  | ({ readonly kind: "sent"; readonly oddStatus?: number } & Delivery)
  | ({ readonly kind: "refused"; readonly status: number; readonly reason: Reason | string } & Delivery)
  | ({ readonly kind: "postponed"; readonly until: string; readonly reason: Reason | string; readonly status?: number } & Delivery)
  | { readonly kind: "broken"; readonly topic: string; readonly expected: string; readonly from: string };

/**
 * What follows from one input. Store `keep` first, whole: values by their names, `null` for one to remove. Then make `requests`, send `reply`,
 * and pass `events` on; call `tick` at `waitUntil`.
 */
export interface Turn {
  readonly keep: Readonly<Record<string, unknown>>;
  readonly requests: readonly NotificationRequest[];
  readonly reply?: NotificationReply;
  readonly events: readonly NotificationEvent[];
  readonly waitUntil?: Date;
}

/** What both machines are given. */
export interface Around {
  /** The state of an earlier one. */
  state?: ChannelState | undefined;
  /** Milliseconds since 1970. Default: `Date.now`. */
  clock?: (() => number) | undefined;
  /** Fills an array with random bytes that nobody can guess. Default: `crypto.getRandomValues`. */
  random?: ((bytes: Uint8Array) => unknown) | undefined;
}

/** How to publish. */
export interface PublisherOptions extends Around {
  /** Accept only 200 from a hub, as the specifications require. */
  strictHub?: boolean | undefined;
  /** Header fields for the hubs of one origin. */
  credentials?: readonly { readonly origin: string; readonly name: string; readonly value: string }[] | undefined;
}

/** How to subscribe. */
export interface SubscriberOptions extends Around {
  /** The URI that all callbacks are below; it ends with a slash. */
  callback: string;
  /** Kinds of channels to subscribe to. Default: both. */
  kinds?: readonly Channel[] | undefined;
  /** The lease to request, in seconds. Default: ten days. */
  lease?: number | undefined;
  /** Subscribe with every hub of a topic. */
  allHubs?: boolean | undefined;
  /** Send secrets to hubs without TLS too. */
  allowHttp?: boolean | undefined;
  /** Take signatures by SHA-1 too. */
  allowSha1?: boolean | undefined;
  /** Answer 202 to a delivery that is not signed as it should be, and drop it; otherwise 403, and the hub tries again. */
  dropUnsigned?: boolean | undefined;
  /** Bytes of a notification. Default: 8 MiB. */
  bodyBytes?: number | undefined;
}

/** A request to the callback as plain values; the `Request` of `fetch` works too. */
export interface CallbackRequest {
  readonly method: string;
  /** The path, as sent. */
  readonly path: string;
  /** What follows the `?`, as sent. */
  readonly query?: string | undefined;
  readonly headers?: Iterable<readonly [string, string]> | undefined;
  /** As it came, before anything decodes it. */
  readonly body?: Uint8Array | undefined;
  /** The body is longer than what was read. */
  readonly tooLarge?: boolean | undefined;
  /** The body stopped coming. */
  readonly stalled?: boolean | undefined;
}

/** How payloads are made. */
export interface AnnounceOptions {
  /** The Capability List of the set. */
  capabilityList?: string | undefined;
  /** The Source Description. */
  sourceDescription?: string | undefined;
  /** Bytes of a payload. Default: 1,000,000. */
  bytes?: number | undefined;
  /** Entries of a payload. Default: 10,000. */
  entries?: number | undefined;
}

/** A document that was published: what it is for, where it is, the SHA-256 of its bytes in hexadecimal, and the index that lists it. */
export interface PublishedDocument {
  readonly capability: string;
  readonly uri: string;
  readonly sha256: string;
  readonly index?: string | undefined;
}
