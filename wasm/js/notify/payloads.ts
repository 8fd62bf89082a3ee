/** The functions without a state machine: signatures, payloads, the response of a topic. */

import { asText, moment, type GivenEntry, type Moment } from "../given.js";
import type { Entry } from "../model.js";
import { reply, type Said } from "./machine.js";
import * as glue from "../glue/notify/glue.js";
import { inside } from "./module.js";
import { parseReport } from "../report.js";
import type { AnnounceOptions, Channel, Notification, NotificationReply, PublishedDocument, SignatureAlgorithm, SignatureError, Topic } from "./types.js";

/** The algorithms accepted by default. */
const USUAL: readonly SignatureAlgorithm[] = ["sha256", "sha384", "sha512"];

/** The value of `X-Hub-Signature` for a body. */
export function sign(algorithm: SignatureAlgorithm, secret: Uint8Array, body: Uint8Array): string {
  return inside(() => glue.notifySign(algorithm, secret, body));
}

/**
 * The algorithm of a valid signature among the values of `X-Hub-Signature`; `undefined` if none is valid. Compares in constant time.
 */
export function verifySignature(secret: Uint8Array, headers: string | readonly string[], body: Uint8Array, algorithms: readonly SignatureAlgorithm[] = USUAL): SignatureAlgorithm | undefined {
  const found = verified(secret, headers, body, algorithms);
  return found.startsWith("!") ? undefined : (found as SignatureAlgorithm);
}

/** Why `verifySignature` returns `undefined`, for logs; `undefined` if the signature is valid. */
export function signatureError(secret: Uint8Array, headers: string | readonly string[], body: Uint8Array, algorithms: readonly SignatureAlgorithm[] = USUAL): SignatureError | undefined {
  const found = verified(secret, headers, body, algorithms);
  return found.startsWith("!") ? (found.slice(1) as SignatureError) : undefined;
}

function verified(secret: Uint8Array, headers: string | readonly string[], body: Uint8Array, algorithms: readonly SignatureAlgorithm[]): string {
  return inside(() => glue.notifyVerify(secret, typeof headers === "string" ? [headers] : [...headers], body, [...algorithms]));
}

/** Reads a notification document: its interval, its changes, and its errors. */
export function readNotification(body: Uint8Array, kind: Channel = "change-notification"): Notification {
  const [json, report] = inside(() => glue.notifyRead(body, kind)) as [string, string | undefined];
  return { ...(JSON.parse(json) as Omit<Notification, "body">), body, ...(report !== undefined && { report: parseReport(report) }) };
}

/**
 * The Change Notifications of an interval, in order; none if there are no changes. The intervals of a channel are contiguous: `from` is the
 * end of the last one. Throws a `RefusedError` if validation would report a finding.
 */
export function announce(changes: readonly GivenEntry[], from: Moment, until: Moment, options: AnnounceOptions = {}): Notification[] {
  return made(inside(() => glue.notifyAnnounce(moment(from, "from"), moment(until, "until"), [...changes].map((change) => asText<Entry>(change)), JSON.stringify(options))));
}

/** The Framework Notifications about the documents changed between two publications of a set; none if there are none. */
export function announceDocuments(before: readonly PublishedDocument[], after: readonly PublishedDocument[], datetime?: Moment, options: AnnounceOptions = {}): Notification[] {
  return made(inside(() => glue.notifyAnnounceDocuments(JSON.stringify(before), JSON.stringify(after), datetime === undefined ? undefined : moment(datetime, "datetime"), JSON.stringify(options))));
}

function made(outputs: (string | Uint8Array)[]): Notification[] {
  const all: Notification[] = [];
  for (let at = 0; at < outputs.length; at += 2) {
    all.push({ ...(JSON.parse(outputs[at] as string) as Omit<Notification, "body">), body: outputs[at + 1] as Uint8Array });
  }
  return all;
}

/** The response of a topic: the last payload, or an empty body before the first. */
export function topicReply(topic: Topic, method: string, { ifNoneMatch, last }: { ifNoneMatch?: string | undefined; last?: Uint8Array | undefined } = {}): NotificationReply {
  const [json, body] = inside(() => glue.notifyTopicReply(JSON.stringify(topic), method, ifNoneMatch, last)) as [string, Uint8Array];
  return reply(JSON.parse(json) as Said, body);
}
