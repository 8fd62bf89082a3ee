/** Change and Framework Notification over WebSub: machines without I/O, for any server and any `fetch`. */

import { object, text } from "./check-args.js";
import { init } from "./loading.js";
import { glue, inside } from "./module.js";
import { parseReport } from "./report.js";
import type { Entry } from "./model.js";
import type { Reason, Report } from "./types.js";

/** What a channel announces: changes of resources, or of ResourceSync documents. */
export type Channel = "change-notification" | "framework-notification";
/** A hash function of `X-Hub-Signature`. */
export type SignatureAlgorithm = "sha1" | "sha256" | "sha384" | "sha512";
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
interface Around {
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

interface Inner {
  turn(now: number, random: (bytes: Uint8Array) => unknown, input: string, body?: Uint8Array): unknown[];
}

class Machine {
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

  /** Everything that was to be kept so far: with it a new machine continues. */
  get state(): ChannelState {
    return { ...this.#state };
  }

  /** Time passed. */
  tick(): Turn {
    return this.turn("tick", {});
  }

  /** Takes the response to a request. */
  responded(request: NotificationRequest | number, response: { status: number; headers?: Iterable<readonly [string, string]> | undefined; body?: Uint8Array | undefined }): Turn {
    const { status, headers = [], body = new Uint8Array() } = response;
    return this.turn("answered", { id: number(request), status, headers: [...headers] }, body);
  }

  /** There is no response; the reason is one of the library's, or text in one line. */
  failed(request: NotificationRequest | number, reason: Reason | string): Turn {
    return this.turn("failed", { id: number(request), reason });
  }

  /** Takes an input by its name. */
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

type Said = Record<string, unknown>;

const number = (request: NotificationRequest | number): number => (typeof request === "number" ? request : request.id);

function reply(said: Said, body: Uint8Array): NotificationReply {
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

/**
 * Takes payloads to the hubs of their topics, in order, until each hub has accepted them. Hubs do not wait for each other.
 * In browsers and workers, `await init()` first.
 */
export class Publisher extends Machine {
  readonly #publisher: glue.NotifyPublisher;

  constructor(options: PublisherOptions = {}) {
    object(options, "options");
    const { strictHub = false, credentials = [], ...around } = options;
    let publisher!: glue.NotifyPublisher;
    super((state) => (publisher = new glue.NotifyPublisher(JSON.stringify({ strictHub, credentials }), state)), around);
    this.#publisher = publisher;
  }

  /** Takes a payload for the hubs of a topic; the same payload again changes nothing. Throws a `RefusedError` if it is not valid. */
  publish(topic: Topic, body: Uint8Array, kind: Channel = "change-notification"): Turn {
    return this.turn("publish", { topic, kind }, body);
  }

  /** Sends a payload again that a hub refused. */
  retry(payload: number): Turn {
    return this.turn("retry", { payload });
  }

  /** Gives up a payload. Subscribers see a gap, and read the Change List. */
  discard(payload: number): Turn {
    return this.turn("discard", { payload });
  }

  /** The last payload of a topic, which the topic serves. */
  last(topic: string): string | undefined {
    return inside(() => this.#publisher.last(topic));
  }

  /** The end of the last interval of a topic, where the next one begins. */
  until(topic: string): string | undefined {
    return inside(() => this.#publisher.until(topic));
  }

  /** Payloads that some hub has not accepted yet. */
  get waiting(): number {
    return inside(() => this.#publisher.waiting());
  }
}

/**
 * Finds the channels of Sources, subscribes, renews, answers hubs, and passes on what is announced, in order.
 * In browsers and workers, `await init()` first.
 */
export class Subscriber extends Machine {
  readonly #most: number;

  constructor(options: SubscriberOptions) {
    object(options, "options");
    const { state, clock, random, ...own } = options;
    super((kept) => new glue.NotifySubscriber(JSON.stringify(own), kept), { state, clock, random });
    this.#most = own.bodyBytes ?? 8 << 20;
  }

  /** Subscribes to the channels of a Source: by its Source Description, a Capability List, or a topic. */
  follow(uri: string): Turn {
    text(uri, "uri");
    return this.turn("follow", { uri });
  }

  /** Ends the subscriptions that `follow` began. */
  unfollow(uri: string): Turn {
    return this.turn("unfollow", { uri });
  }

  /** Gives a channel another callback. */
  rotate(channel: string): Turn {
    return this.turn("rotate", { channel });
  }

  /** The changes of a set were read; `isNews` if there were changes that nobody had announced. */
  pulled(set: string, isNews: boolean): Turn {
    return this.turn("pulled", { set, isNews });
  }

  /** Answers a request to the callback: the turn has a reply. */
  answerSync(request: CallbackRequest): Turn & { readonly reply: NotificationReply } {
    const { method, path, query = "", headers = [], body = new Uint8Array(), tooLarge = false, stalled = false } = request;
    const said = { id: 1, method, path, query, headers: [...headers], ...(tooLarge && { tooLarge }), ...(stalled && { stalled }) };
    return this.turn("request", said, body) as Turn & { reply: NotificationReply };
  }

  /** Answers the `Request` of a server that speaks `fetch`. Its body is read up to the limit; store `keep` before the response is returned. */
  async answer(request: Request): Promise<Omit<Turn, "reply"> & { readonly reply: Response }> {
    await init();
    const target = request.url.slice(new URL(request.url).origin.length);
    const [path = "/", query] = target.split("#")[0]?.split(/\?(.*)/s) ?? [];
    const { body, tooLarge, stalled } = await bodyOf(request, this.#most);
    const turn = this.answerSync({ method: request.method, path: path || "/", query, headers: request.headers, body, tooLarge, stalled });
    const { status, headers, body: said } = turn.reply;
    const isEmpty = status === 204 || status === 304;
    return { ...turn, reply: new Response(isEmpty ? null : (said as Uint8Array<ArrayBuffer>), { status, headers: headers as [string, string][] }) };
  }
}

/** The body of a request, as far as it is wanted. */
async function bodyOf(request: Request, most: number): Promise<{ body: Uint8Array; tooLarge: boolean; stalled: boolean }> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  try {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      size += read.value.length;
      if (size > most) {
        await reader?.cancel().catch(() => undefined);
        return { body: new Uint8Array(), tooLarge: true, stalled: false };
      }
      pieces.push(read.value);
    }
  } catch {
    return { body: new Uint8Array(), tooLarge: false, stalled: true };
  }
  const body = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    body.set(piece, at);
    at += piece.length;
  }
  return { body, tooLarge: false, stalled: false };
}

/**
 * Makes the requests of a turn, and those that follow, one at a time. `keep` stores what a turn keeps, before the requests of that turn are
 * made. Gives the events, and when to call `tick`.
 *
 * The default `fetch` connects to whatever address a name has; where that matters, give one that does not.
 */
export async function drive(
  machine: Publisher | Subscriber,
  turn: Turn,
  keep: (keep: Readonly<Record<string, unknown>>) => unknown,
  get: (uri: string, init: RequestInit) => Promise<Response> = fetch,
): Promise<{ events: NotificationEvent[]; waitUntil: Date | undefined }> {
  const [events, waiting]: [NotificationEvent[], NotificationRequest[]] = [[], []];
  for (let step = turn; ; ) {
    if (Object.keys(step.keep).length > 0) await keep(step.keep);
    events.push(...step.events);
    waiting.push(...step.requests);
    const request = waiting.shift();
    if (!request) return { events, waitUntil: step.waitUntil };
    step = await exchange(machine, request, get);
  }
}

async function exchange(machine: Publisher | Subscriber, request: NotificationRequest, get: (uri: string, init: RequestInit) => Promise<Response>): Promise<Turn> {
  const { method, uri, headers, body } = request;
  let response: Response, read: Uint8Array;
  try {
    response = await get(uri, { method, headers: headers as [string, string][], redirect: "manual", ...(method === "POST" && { body: body as Uint8Array<ArrayBuffer> }) });
    read = await beginning(response, request.most);
  } catch (error) {
    return machine.failed(request, error instanceof Error ? error.message : String(error));
  }
  return machine.responded(request, { status: response.status, headers: response.headers, body: read });
}

/** The first bytes of a response. */
async function beginning(response: Response, most: number): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  const bytes = new Uint8Array(most);
  let size = 0;
  while (reader && size < most) {
    const { done, value } = await reader.read();
    if (done) return bytes.slice(0, size);
    const piece = value.subarray(0, most - size);
    bytes.set(piece, size);
    size += piece.length;
  }
  await reader?.cancel().catch(() => undefined);
  return bytes.slice(0, size);
}

/** The value of `X-Hub-Signature` for a body. */
export function sign(algorithm: SignatureAlgorithm, secret: Uint8Array, body: Uint8Array): string {
  return inside(() => glue.notifySign(algorithm, secret, body));
}

/**
 * The algorithm by which a body is signed, by the values of its `X-Hub-Signature`; `undefined` if none of them is right. Compares in
 * constant time.
 */
export function verifySignature(secret: Uint8Array, headers: string | readonly string[], body: Uint8Array, algorithms: readonly SignatureAlgorithm[] = ["sha256", "sha384", "sha512"]): SignatureAlgorithm | undefined {
  const found = inside(() => glue.notifyVerify(secret, typeof headers === "string" ? [headers] : [...headers], body, [...algorithms]));
  return found.startsWith("!") ? undefined : (found as SignatureAlgorithm);
}

/** Reads a notification document: its interval, its changes, and what is wrong with it. */
export function readNotification(body: Uint8Array, kind: Channel = "change-notification"): Notification {
  const [json, report] = inside(() => glue.notifyRead(body, kind)) as [string, string | undefined];
  return { ...(JSON.parse(json) as Omit<Notification, "body">), body, ...(report !== undefined && { report: parseReport(report) }) };
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

/**
 * The Change Notifications of an interval, in order; none if there are no changes. The intervals of a channel are contiguous: `from` is the
 * end of the last one. Throws a `RefusedError` if validating would find something.
 */
export function announce(changes: readonly Entry[], from: string, until: string, options: AnnounceOptions = {}): Notification[] {
  return made(inside(() => glue.notifyAnnounce(from, until, [...changes], JSON.stringify(options))));
}

/** A document that was published: what it is for, where it is, the SHA-256 of its bytes in hexadecimal, and the index that lists it. */
export interface PublishedDocument {
  readonly capability: string;
  readonly uri: string;
  readonly sha256: string;
  readonly index?: string | undefined;
}

/** The Framework Notifications about what changed from one publication of a set to the next; none if nothing did. */
export function announceDocuments(before: readonly PublishedDocument[], after: readonly PublishedDocument[], datetime?: string, options: AnnounceOptions = {}): Notification[] {
  return made(inside(() => glue.notifyAnnounceDocuments(JSON.stringify(before), JSON.stringify(after), datetime, JSON.stringify(options))));
}

function made(outputs: (string | Uint8Array)[]): Notification[] {
  const all: Notification[] = [];
  for (let at = 0; at < outputs.length; at += 2) {
    all.push({ ...(JSON.parse(outputs[at] as string) as Omit<Notification, "body">), body: outputs[at + 1] as Uint8Array });
  }
  return all;
}

/** The answer of a topic to a request: the last payload, or nothing before there is one. */
export function topicReply(topic: Topic, method: string, { ifNoneMatch, last }: { ifNoneMatch?: string | undefined; last?: Uint8Array | undefined } = {}): NotificationReply {
  const [json, body] = inside(() => glue.notifyTopicReply(JSON.stringify(topic), method, ifNoneMatch, last)) as [string, Uint8Array];
  return reply(JSON.parse(json) as Said, body);
}
