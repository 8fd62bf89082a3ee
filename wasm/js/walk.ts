/** A whole Source, followed from where it begins, with whatever fetches. */

import { OptionError } from "./errors.js";
import { init } from "./loading.js";
import { free, glue, inside } from "./module.js";
import { ABOUT_A_RUN, known, object, texts } from "./names.js";
import * as one from "./one.js";
import { baseline, runOptions } from "./options.js";
import { parseReport, toJson } from "./report.js";
import { access, readable, type Access } from "./sources.js";
import type { Report, RunOptions, Source } from "./types.js";
import { Watch } from "./watch.js";

/** What a walk asks for. */
export interface Asked {
  readonly id: number;
  readonly uri: string;
  readonly purpose: "document" | "discovery" | "robots" | "topic" | "package" | "resource";
  readonly method: "GET" | "HEAD";
  /** How it was met, and where. */
  readonly via: string;
  readonly parent?: string;
  /** The content codings listed for a resource: what to accept. */
  readonly encoding?: string;
}

/** What answers: a `Response` of `fetch`, or the same in plain. */
export interface Answer {
  /** Where it came from in the end; that which was asked for, if absent. */
  readonly uri?: string | undefined;
  /** 200 if absent. */
  readonly status?: number | undefined;
  /** If absent, headers are not judged. */
  readonly headers?: Iterable<readonly [string, string]> | undefined;
  readonly body?: Source | Blob | undefined;
  /**
   * True if the body comes as it was sent, in its content coding. Else that was undone on the way, as `fetch` does, and what is
   * listed of a resource in such a coding is not compared with its bytes.
   */
  readonly isAsSent?: boolean | undefined;
}

/** Why something was not had. */
export interface NotHad {
  /** It is not there … */
  readonly missing?: string;
  /** … it was not to be asked for … */
  readonly leftOut?: string;
  /** … or nobody knows. */
  readonly failed?: string;
}

/** Gets what is asked for. Nothing means that it is not there; what is thrown, that it could not be had. */
export type Fetch = (uri: string, asked: Asked & { signal: AbortSignal | undefined }) => Promise<Response | Answer | NotHad | undefined | null> | Response | Answer | NotHad | undefined | null;

/** How a Source is followed. */
export interface WalkOptions extends Omit<RunOptions, "onProgress" | "onDiagnostics"> {
  /** `fetch` of the platform unless told otherwise. */
  fetch?: Fetch | undefined;
  /** Documents and packages asked for at most; 10,000 unless told otherwise. */
  documents?: number | undefined;
  /** How many resources of each Resource List are read too; none unless told otherwise. */
  resources?: number | "none" | "all" | undefined;
  /** How far packages are verified: `none`, `structure`, or `full`, which it is unless told otherwise. */
  packages?: "none" | "structure" | "full" | undefined;
  /** A report of an earlier walk over the same Source: what must not have changed is compared. */
  earlier?: Report | string | undefined;
  /** Asked for at the same time; 4 unless told otherwise. */
  concurrency?: number | undefined;
  /** Called for each answer. */
  onProgress?: ((progress: WalkProgress) => void) | undefined;
}

/** How far a walk has come. */
export interface WalkProgress {
  /** What was answered last. */
  readonly uri: string;
  /** Documents and packages that were had so far. */
  readonly documents: number;
  /** Entries in them. */
  readonly entries: number;
}

const OWN = ["fetch", "documents", "resources", "packages", "earlier", "concurrency"];

/**
 * Follows a whole Source: from a Source Description, a Capability List, any document, a page, or a host. Every document is
 * validated, and what they say of each other is compared. The report does not depend on what answered first. What is not there
 * or could not be had is in the report; rejected only if an option or an answer means nothing, or the signal says so.
 */
export async function walk(start: string | readonly string[], options: WalkOptions = {}): Promise<Report> {
  known(options, [...ABOUT_A_RUN, ...OWN]);
  const { fetch: get = usual, documents, resources, packages, earlier, concurrency = 4, onProgress, ...rest } = options;
  const starts = typeof start === "string" ? [start] : start;
  texts(starts, "start");
  if (starts.length === 0) throw new OptionError("start: a walk needs at least one URI to begin at");
  await init();
  const own = runOptions(rest);
  const following: Record<string, unknown> = { start: [...starts] };
  if (documents !== undefined) following["documents"] = documents;
  if (resources !== undefined) following["resources"] = typeof resources === "number" ? { some: resources } : resources;
  if (packages !== undefined) following["packages"] = packages;
  const before = typeof earlier === "object" ? toJson(earlier) : earlier;
  let inner: glue.Walk | undefined;
  try {
    const walk = (inner = inside(() => new glue.Walk(own, following, before)));
    const walker = new Walker(walk, get, new Watch(rest), options.signal, onProgress);
    await walker.go(Math.max(1, concurrency));
    inner = undefined;
    return parseReport(inside(() => walk.finish(baseline(rest))));
  } finally {
    free(inner);
    free(own);
  }
}

const usual: Fetch = (uri, { method, signal }) => fetch(uri, { method, ...(signal && { signal }) });

class Walker {
  readonly #walk: glue.Walk;
  readonly #get: Fetch;
  readonly #watch: Watch;
  readonly #signal: AbortSignal | undefined;
  readonly #told: WalkOptions["onProgress"];

  constructor(walk: glue.Walk, get: Fetch, watch: Watch, signal: AbortSignal | undefined, told: WalkOptions["onProgress"]) {
    this.#walk = walk;
    this.#get = get;
    this.#watch = watch;
    this.#signal = signal;
    this.#told = told;
  }

  /** Asks for so many at a time until there is nothing more. */
  async go(most: number): Promise<void> {
    const open = new Set<Promise<void>>();
    try {
      await this.#all(most, open);
    } catch (error) {
      // Nobody waits for what is still under way.
      for (const answered of open) answered.catch(() => undefined);
      throw error;
    }
  }

  async #all(most: number, open: Set<Promise<void>>): Promise<void> {
    for (;;) {
      this.#signal?.throwIfAborted();
      const next = open.size < most ? (inside(() => this.#walk.poll()) as Asked | "wait" | "done") : "wait";
      if (next === "done") return;
      if (next === "wait") {
        await Promise.race(open);
        continue;
      }
      const answered: Promise<void> = this.#one(next).finally(() => open.delete(answered));
      open.add(answered);
    }
  }

  async #one(asked: Asked): Promise<void> {
    let answer: Awaited<ReturnType<Fetch>>;
    try {
      answer = await this.#get(asked.uri, { ...asked, signal: this.#signal });
    } catch (error) {
      this.#signal?.throwIfAborted();
      answer = { failed: line(error) };
    }
    await this.#take(asked, answer);
    const [documents = 0, entries = 0] = inside(() => this.#walk.progress());
    this.#told?.({ uri: asked.uri, documents, entries });
  }

  async #take(asked: Asked, answer: Awaited<ReturnType<Fetch>>): Promise<void> {
    const { id } = asked;
    if (answer !== undefined && answer !== null) object(answer, "what `fetch` gives");
    const missed = reason(answer);
    if (missed) return inside(() => this.#walk.missed(id, missed));
    const had = answer as Response | Answer;
    if (had.body !== undefined && had.body !== null) readable(had.body);
    const head = headOf(asked.uri, had);
    const isGood = head.status >= 200 && head.status < 300;
    if (asked.purpose === "package" && isGood) return this.#package(asked, had, head);
    const visit = inside(() => this.#walk.visit(id, head));
    const body = had.body;
    try {
      if (body !== undefined && body !== null && asked.method !== "HEAD") {
        for await (const window of one.reading(body as Source)) {
          inside(() => visit.push(window));
          if (!inside(() => visit.wantsMore())) break;
          if (this.#watch.isLate) await this.#watch.breathe();
        }
      }
    } catch (error) {
      this.#signal?.throwIfAborted();
      return inside(() => this.#walk.cut(id, visit, line(error)));
    }
    inside(() => this.#walk.visited(id, visit));
  }

  async #package(asked: Asked, had: Response | Answer, head: Head): Promise<void> {
    let verification: glue.Verification | undefined;
    try {
      const own = await randomly(had);
      const begun = inside(() => this.#walk.verification(asked.id, own.size, own.block));
      verification = begun;
      await one.feed(begun, own, this.#watch, () => undefined);
      verification = undefined;
      inside(() => this.#walk.verified(asked.id, head, begun));
    } catch (error) {
      free(verification);
      this.#signal?.throwIfAborted();
      inside(() => this.#walk.missed(asked.id, { failed: { reason: line(error) } }));
    }
  }
}

interface Head {
  uri: string;
  status: number;
  headers?: [string, string][];
  isAsSent?: boolean;
}

function headOf(asked: string, answer: Response | Answer): Head {
  if (isResponse(answer)) {
    const head: Head = { uri: answer.url === "" ? asked : answer.url, status: answer.status };
    // Of another origin a browser shows a few headers only: nothing may be concluded from what is absent.
    if (answer.type !== "cors") head.headers = [...answer.headers];
    return head;
  }
  const { uri = asked, status = 200, headers, isAsSent = false } = answer;
  const head: Head = { uri, status, isAsSent };
  if (headers) head.headers = Array.from(headers, ([name, value]) => [name, value]);
  return head;
}

function isResponse(answer: object): answer is Response {
  return typeof Response !== "undefined" && answer instanceof Response;
}

function reason(answer: Awaited<ReturnType<Fetch>>): object | undefined {
  if (answer === undefined || answer === null) return { missing: { reason: "not there" } };
  if (isResponse(answer)) return undefined;
  const { missing, leftOut, failed } = answer as NotHad;
  if (missing !== undefined) return { missing: { reason: missing } };
  if (leftOut !== undefined) return { leftOut: { reason: leftOut } };
  return failed === undefined ? undefined : { failed: { reason: failed } };
}

/** Bytes at any offset of a body; one that can only be read from its beginning is kept as a `Blob`. */
async function randomly(answer: Response | Answer): Promise<Access> {
  const body: unknown = isResponse(answer) ? await answer.blob() : answer.body;
  const own = access(body);
  if (own) return own;
  const parts: BlobPart[] = [];
  for await (const window of one.reading(body as Source)) parts.push(window.slice());
  return access(new Blob(parts)) as Access;
}

function line(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split("\n", 1)[0] ?? "";
}

