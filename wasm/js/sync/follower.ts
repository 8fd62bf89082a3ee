/** Follows Change Lists: the state machine, and its requests with `fetch`. */

import { object } from "../check-args.js";
import { OptionError } from "../errors.js";
import * as glue from "../glue/sync/glue.js";
import { received } from "../received.js";
import { headersOf, waited, type Wanted } from "./exchange.js";
import { init, inside } from "./module.js";
import type { Checkpoint, FollowedChanges, FollowOptions, FollowRequest } from "./types.js";

/**
 * Reads the Change Lists of a Source since a checkpoint, with any HTTP client: call `poll` for the next request, and pass its result to
 * `answer`, `push` and `end`, or to `failed`; call `finish` at the end. In browsers and workers, `await init()` first.
 */
export class ChangeFollower {
  readonly #inner: glue.SyncFollower;
  #uri = "";

  constructor(checkpoint: Checkpoint, { now = Date.now(), acceptOlder = false }: FollowOptions = {}) {
    object(checkpoint, "checkpoint");
    this.#inner = inside(() => new glue.SyncFollower(JSON.stringify({ checkpoint, now: Math.floor(now / 1000), acceptOlder })));
  }

  /** The next document to request; `undefined` at the end. */
  poll(): FollowRequest | undefined {
    const text = inside(() => this.#inner.poll());
    if (text === undefined) return undefined;
    const request = JSON.parse(text) as Wanted;
    const { uri, pause = 0 } = request;
    this.#uri = uri;
    return { uri, headers: headersOf(request), pause };
  }

  /** The head of the response; `uri` is its URI after redirects. */
  answer(status: number, headers: Iterable<readonly [string, string]>, uri: string = this.#uri): void {
    inside(() => this.#inner.answer(JSON.stringify({ uri, status, headers: [...headers] })));
  }

  /** Bytes of its body. */
  push(bytes: Uint8Array): void {
    inside(() => this.#inner.push(bytes));
  }

  /** The end of its body. */
  end(): void {
    inside(() => this.#inner.end());
  }

  /** There is no response, or it broke off. */
  failed(reason: string): void {
    inside(() => this.#inner.failed(reason));
  }

  /** What changed. */
  finish(): FollowedChanges {
    const text = inside(() => this.#inner.finish());
    if (text === undefined) throw new OptionError("the result was taken already");
    this.#inner.free();
    return JSON.parse(text) as FollowedChanges;
  }
}

/**
 * Reads the Change Lists of a Source since a checkpoint: the last change of each resource, and the next checkpoint.
 *
 * The default `fetch` connects to any address of a name; pass your own if that is a risk.
 */
export async function followChanges(
  checkpoint: Checkpoint,
  options: FollowOptions & { readonly fetch?: ((uri: string, init: RequestInit) => Promise<Response>) | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<FollowedChanges> {
  const { fetch: get = fetch, signal, ...own } = options;
  await init();
  const follower = new ChangeFollower(checkpoint, own);
  for (let request = follower.poll(); request; request = follower.poll()) {
    const { uri, headers, pause } = request;
    await waited(pause, signal);
    try {
      const response = await get(uri, { headers, ...(signal && { signal }) });
      follower.answer(response.status, response.headers, response.url || uri);
      await received(response, (bytes) => follower.push(bytes), signal);
      follower.end();
    } catch (error) {
      signal?.throwIfAborted();
      follower.failed(error instanceof Error ? error.message : String(error));
    }
  }
  return follower.finish();
}
