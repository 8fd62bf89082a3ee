/** The crawl of a whole Source, with any function that fetches. */

import { abortable } from "./abort.js";
import { ABOUT_A_RUN, choice, known, object, texts } from "./check-args.js";
import { OptionError } from "./errors.js";
import { uri, type Uri } from "./given.js";
import * as inputs from "./input.js";
import { init } from "./loading.js";
import { free, glue, inside } from "./module.js";
import { baseline, runOptions } from "./options.js";
import { parseReport, toJson } from "./report.js";
import { access, readable, type Access } from "./sources.js";
import type { ByteSource, Reason, Report, RunOptions } from "./types.js";
import { Watch } from "./watch.js";

/** A request of the crawl. */
export interface FetchRequest {
  readonly id: number;
  readonly uri: string;
  readonly purpose: "document" | "discovery" | "robots" | "topic" | "package" | "resource";
  readonly method: "GET" | "HEAD";
  /** What kind of link leads to it. */
  readonly via: string;
  /** The document with the link. */
  readonly parent?: string;
  /** The content codings listed for a resource: what to accept. */
  readonly encoding?: string;
}

/** A response as plain values; the `Response` of `fetch` works too. */
export interface FetchResponse {
  /** The final URI, after redirects; that of the request, if absent. */
  readonly uri?: string | undefined;
  /** 200 if absent. */
  readonly status?: number | undefined;
  /** If absent, headers are not checked. */
  readonly headers?: Iterable<readonly [string, string]> | undefined;
  readonly body?: ByteSource | Blob | undefined;
  /**
   * True if the body is not content-decoded. `fetch` decodes it; then a resource that is listed with an `encoding` is not
   * compared with its digest and length.
   */
  readonly isRawBody?: boolean | undefined;
}

/** Why there is no response: one of the three, with the reason as a code of the library or as text in one line. */
export interface FetchError {
  /** It does not exist. */
  readonly notFound?: Reason | string;
  /** It was not requested, because of a policy. */
  readonly skipped?: Reason | string;
  /** It is unknown whether it exists: no connection, a timeout. */
  readonly failed?: Reason | string;
}

/** Fetches. `undefined` and `null` mean that it does not exist, an exception that the request failed. */
export type Fetch = (uri: string, request: FetchRequest & { signal: AbortSignal | undefined }) => Promise<Response | FetchResponse | FetchError | undefined | null> | Response | FetchResponse | FetchError | undefined | null;

/** How a Source is crawled. */
export interface CrawlOptions extends Omit<RunOptions, "onProgress" | "onDiagnostics"> {
  /** Default: the `fetch` of the platform. */
  fetch?: Fetch | undefined;
  /**
   * URIs of documents and packages that exist whether or not anything links to them, as in a folder. Those that nothing links to
   * are fetched last, with `via` being `folder`.
   */
  files?: readonly string[] | undefined;
  /** Maximum number of documents and packages. Default: 10,000. */
  documents?: number | undefined;
  /** How many resources of each Resource List to read and compare. Default: `none`. */
  resources?: number | "none" | "all" | undefined;
  /** How far packages are verified. Default: `full`. */
  packages?: "none" | "structure" | "full" | undefined;
  /** The report of an earlier crawl of the same Source, to check that closed documents have not changed. */
  earlier?: Report | string | undefined;
  /** Maximum number of open requests. Default: 4. */
  concurrency?: number | undefined;
  /** Called after each response. */
  onProgress?: ((progress: CrawlProgress) => void) | undefined;
}

/** The progress of a crawl. */
export interface CrawlProgress {
  /** The URI of the last response. */
  readonly uri: string;
  /** Documents and packages fetched so far. */
  readonly documents: number;
  /** Entries in them. */
  readonly entries: number;
}

const OWN = ["fetch", "files", "documents", "resources", "packages", "earlier", "concurrency"];

/**
 * Crawls and validates a whole Source: from a Source Description, a Capability List, any document, a page, or a host. Every
 * document is validated, and the documents are checked against each other. The report does not depend on the order of
 * responses. What does not exist or could not be fetched is in the report; the promise is rejected only for invalid options or
 * responses, or if the signal aborts.
 */
export async function crawl(start: Uri | readonly Uri[], options: CrawlOptions = {}): Promise<Report> {
  known(options, [...ABOUT_A_RUN, ...OWN]);
  const { fetch: get = usual, files, documents, resources, packages, earlier, concurrency = 4, onProgress, ...rest } = options;
  const starts = (Array.isArray(start) ? start : [start]).map((one) => uri(one, "start"));
  if (starts.length === 0) throw new OptionError("start: a crawl needs at least one URI");
  if (typeof resources === "string") choice(resources, ["none", "all"], "resources");
  if (packages !== undefined) choice(packages, ["none", "structure", "full"], "packages");
  await init();
  const own = runOptions(rest);
  const crawl: Record<string, unknown> = { start: starts };
  if (files !== undefined) {
    texts(files, "files");
    crawl["files"] = [...files];
  }
  if (documents !== undefined) crawl["documents"] = documents;
  if (resources !== undefined) crawl["resources"] = typeof resources === "number" ? { sample: resources } : resources;
  if (packages !== undefined) crawl["packages"] = packages;
  const before = typeof earlier === "object" ? toJson(earlier) : earlier;
  let inner: glue.Crawler | undefined;
  try {
    const crawler = (inner = inside(() => new glue.Crawler(own, crawl, before)));
    await new Driver(crawler, get, new Watch(rest), options.signal, onProgress).run(Math.max(1, concurrency));
    inner = undefined;
    return parseReport(inside(() => crawler.finish(baseline(rest))));
  } finally {
    free(inner);
    free(own);
  }
}

/** `fetch` of node takes a body that breaks off within a content coding for a whole one. Browsers do not send the field. */
const usual: Fetch = (uri, { method, encoding, signal }) => {
  const headers = encoding === undefined ? { "Accept-Encoding": "identity" } : undefined;
  return fetch(uri, { method, ...(headers && { headers }), ...(signal && { signal }) });
};

/** Runs the crawler: fetches what it needs, passes the responses on. */
class Driver {
  readonly #crawler: glue.Crawler;
  readonly #get: Fetch;
  readonly #watch: Watch;
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: CrawlOptions["onProgress"];

  constructor(crawler: glue.Crawler, get: Fetch, watch: Watch, signal: AbortSignal | undefined, onProgress: CrawlOptions["onProgress"]) {
    this.#crawler = crawler;
    this.#get = get;
    this.#watch = watch;
    this.#signal = signal;
    this.#onProgress = onProgress;
  }

  /** Keeps up to `most` requests open until the crawl is complete. */
  async run(most: number): Promise<void> {
    const open = new Set<Promise<void>>();
    try {
      await this.#all(most, open);
    } catch (error) {
      // Requests that are still open are abandoned.
      for (const request of open) request.catch(() => undefined);
      throw error;
    }
  }

  async #all(most: number, open: Set<Promise<void>>): Promise<void> {
    for (;;) {
      this.#signal?.throwIfAborted();
      const next = open.size < most ? (inside(() => this.#crawler.poll()) as FetchRequest | "wait" | "done") : "wait";
      if (next === "done") return;
      if (next === "wait") {
        await abortable(Promise.race(open), this.#signal);
        continue;
      }
      const request: Promise<void> = this.#fetch(next).finally(() => open.delete(request));
      open.add(request);
    }
  }

  async #fetch(request: FetchRequest): Promise<void> {
    let response: Awaited<ReturnType<Fetch>>;
    try {
      response = await this.#get(request.uri, { ...request, signal: this.#signal });
    } catch (error) {
      this.#signal?.throwIfAborted();
      response = { failed: line(error) };
    }
    await this.#handle(request, response);
    const [documents = 0, entries = 0] = inside(() => this.#crawler.progress());
    this.#onProgress?.({ uri: request.uri, documents, entries });
  }

  async #handle(request: FetchRequest, response: Awaited<ReturnType<Fetch>>): Promise<void> {
    const { id } = request;
    if (response !== undefined && response !== null) object(response, "what `fetch` returns");
    const error = errorOf(response);
    if (error) return inside(() => this.#crawler.fail(id, error));
    const own = response as Response | FetchResponse;
    if (own.body !== undefined && own.body !== null) readable(own.body);
    const head = headOf(request.uri, own);
    const isGood = head.status >= 200 && head.status < 300;
    if (request.purpose === "package" && isGood) return this.#package(request, own, head);
    const reader = inside(() => this.#crawler.reader(id, head));
    const body = own.body;
    try {
      if (body !== undefined && body !== null && request.method !== "HEAD") {
        for await (const window of inputs.reading(body as ByteSource, this.#signal)) {
          inside(() => reader.push(window));
          if (!inside(() => reader.wantsMore())) break;
          if (this.#watch.isLate) await this.#watch.breathe();
        }
      }
    } catch (error) {
      this.#signal?.throwIfAborted();
      return inside(() => this.#crawler.failBody(id, reader, line(error)));
    }
    inside(() => this.#crawler.handle(id, reader));
  }

  async #package(request: FetchRequest, response: Response | FetchResponse, head: Head): Promise<void> {
    let verification: glue.Verification | undefined;
    try {
      const own = await randomly(response, this.#signal);
      const begun = inside(() => this.#crawler.verification(request.id, own.size, own.block));
      verification = begun;
      await inputs.feed(begun, own, this.#watch, () => undefined);
      verification = undefined;
      inside(() => this.#crawler.handlePackage(request.id, head, begun));
    } catch (error) {
      free(verification);
      this.#signal?.throwIfAborted();
      inside(() => this.#crawler.fail(request.id, { failed: { reason: line(error) } }));
    }
  }
}

interface Head {
  uri: string;
  status: number;
  headers?: [string, string][];
  isRawBody?: boolean;
}

function headOf(requested: string, response: Response | FetchResponse): Head {
  if (isResponse(response)) {
    const head: Head = { uri: response.url === "" ? requested : response.url, status: response.status };
    // Browsers expose few headers of other origins, so a missing header proves nothing.
    if (response.type !== "cors") head.headers = [...response.headers];
    return head;
  }
  const { uri = requested, status = 200, headers, isRawBody = false } = response;
  const head: Head = { uri, status, isRawBody };
  if (headers) head.headers = Array.from(headers, ([name, value]) => [name, value]);
  return head;
}

function isResponse(response: object): response is Response {
  return typeof Response !== "undefined" && response instanceof Response;
}

function errorOf(response: Awaited<ReturnType<Fetch>>): object | undefined {
  if (response === undefined || response === null) return { notFound: { reason: { code: "not-there" } } };
  if (isResponse(response)) return undefined;
  const { notFound, skipped, failed } = response as FetchError;
  if (notFound !== undefined) return { notFound: { reason: notFound } };
  if (skipped !== undefined) return { skipped: { reason: skipped } };
  return failed === undefined ? undefined : { failed: { reason: failed } };
}

/** Random access to a body; one that can only be read sequentially is kept as a `Blob`. */
async function randomly(response: Response | FetchResponse, signal: AbortSignal | undefined): Promise<Access> {
  const body: unknown = isResponse(response) ? await response.blob() : response.body;
  const own = access(body);
  if (own) return own;
  const parts: BlobPart[] = [];
  for await (const window of inputs.reading(body as ByteSource, signal)) parts.push(window.slice());
  return access(new Blob(parts)) as Access;
}

function line(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n", 1)[0] ?? "";
}
