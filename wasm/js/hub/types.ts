/** The values of a hub. */

import type { Around, Channel, NotificationRequest, SignatureAlgorithm, StateTurn } from "../notify/types.js";
import type { Hub } from "./hub.js";

/** A topic of a hub: its URI, what it announces, and the names of the Sources that may send its payloads. */
export interface HubTopic {
  readonly uri: string;
  readonly kind: Channel;
  readonly publishers: readonly string[];
  /** The hub also answers requests for the topic, whose URI then has the host of the hub. */
  readonly serve?: boolean | undefined;
}

/** A Source: authenticated by a bearer token with this SHA-256 in hexadecimal, or by signatures with a shared secret. */
export type HubPublisher = { readonly name: string; readonly tokenSha256: string } | { readonly name: string; readonly hmac: string };

/** The options of a hub. */
export interface HubOptions extends Around {
  /** The URI of the hub. */
  publicUri: string;
  /** The topics whose payloads it accepts. */
  topics: readonly HubTopic[];
  /** The Sources. */
  publishers: readonly HubPublisher[];
  /** The new URI of a hub that moved, to which subscribers are redirected. */
  movedTo?: string | undefined;
  /** The algorithm of the signatures of deliveries. Default: `sha256`. */
  signature?: SignatureAlgorithm | undefined;
  /** Allowed ports of callbacks. Default: 80, 443, 8080 and 8443. */
  ports?: readonly number[] | undefined;
  /** Callbacks allowed although they are not public: `10.1.0.0/16`, or `receiver.internal:9000`. */
  allow?: readonly string[] | undefined;
  /** Seconds between attempts of a delivery; the last one repeats. */
  retry?: readonly number[] | undefined;
  /** Seconds after which a payload becomes a dead letter. Default: a day. */
  giveUp?: number | undefined;
  /** Seconds that payloads are stored. Default: a week. */
  retention?: number | undefined;
  /** Maximum bytes of the stored payloads of a topic. Default: 1 GiB. */
  retentionBytes?: number | undefined;
  /** Maximum deliveries at the same time, and always at most 8 to one host. Default: 64. */
  deliveries?: number | undefined;
}

/** A request to a callback: the verification of a subscription, the delivery of a payload, or the news that a subscription was denied. */
export interface HubRequest extends NotificationRequest {
  readonly purpose: "verification" | "delivery" | "denial";
}

/** The response of a callback, with at most the needed bytes of its body. */
export interface HubResponse {
  readonly status: number;
  readonly headers?: Iterable<readonly [string, string]> | undefined;
  readonly body?: Uint8Array | undefined;
}

/** The subscriptions that an order concerns. A host is a name with a port, such as `receiver.example:443`. */
export type HubTarget = { readonly subscription: number } | { readonly topic: string } | { readonly host: string };

/**
 * Something for the logs of a hub. It has no secret, and of a callback only its host and a digest. `ordered` is the result of an order: how
 * many subscriptions, topics or payloads it concerned, or `null` if there is no such one.
 */
export type HubEvent =
  | {
      readonly kind: "accepted" | "repeated" | "refused" | "gap" | "overlap" | "subscribed" | "ended" | "unverified" | "delivered" | "failed" | "dead-letter" | "expired" | "not-allowed" | "unknown-topic";
      readonly topic?: string;
      readonly callback?: string;
      readonly detail?: string;
    }
  | { readonly kind: "ordered"; readonly count: number | null };

/**
 * The result of one input. First store all of `keep`: values by name, `null` to remove one. Then send `requests` and `reply`; call `tick`
 * at `waitUntil`.
 */
export interface HubTurn extends StateTurn<HubEvent, HubRequest> {
  readonly waitUntil: Date;
}

/**
 * Sends one request without following redirects, to an address that the hub `allows`, and returns the response. Rejects if there is none, with an
 * error whose `sent` is `false` if no connection was made.
 */
export type HubSend = (request: HubRequest, hub: Hub, signal: AbortSignal) => Promise<HubResponse>;

/** The options of a driver. */
export interface HubDriverOptions {
  /**
   * Stores values by name, all or none of them; `null` removes one. It resolves when they are on disk. If it rejects, so do the
   * replies that depend on it, and the values are passed to the next call.
   */
  keep: (values: Readonly<Record<string, unknown>>) => unknown;
  /** Sends a request. Default in node, Deno and Bun: to allowed addresses, in 30 seconds at most. Required elsewhere. */
  send?: HubSend | undefined;
  /** Receives the events, for logs. Its errors are ignored. */
  onEvent?: ((event: HubEvent) => unknown) | undefined;
  /** Stops the driver. */
  signal?: AbortSignal | undefined;
}
