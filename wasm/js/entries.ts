/** Reads documents entry by entry, or as a whole. */

import { OptionError, ReadError } from "./errors.js";
import type { Document, Entry } from "./model.js";
import { init } from "./loading.js";
import { free, glue, inside } from "./module.js";
import { known } from "./check-args.js";
import { unread } from "./input.js";
import { runOptions } from "./options.js";
import { content, windowsSync, type AnySource } from "./sources.js";
import type { Bytes, Diagnostic, Limits, ByteSource } from "./types.js";

/** How a document is read. */
export interface ReadOptions {
  limits?: Partial<Limits> | undefined;
  signal?: AbortSignal | undefined;
}

/** The kind of a document and its root metadata. */
export type About = Pick<Document, "kind" | "head">;

/** The entries of a document, in order. */
export interface EntryStream extends AsyncIterableIterator<Entry> {
  /**
   * The kind and root metadata. Before the loop it reads up to the first entry, which is not lost. Rejected with the error that
   * ended reading, or with an `OptionError` if the loop was left before.
   */
  readonly head: Promise<About>;
}

/**
 * Reads a document entry by entry. The source is read on demand, so memory does not grow with the document, and closed when the
 * loop ends.
 *
 * Nothing is validated. If a document cannot be parsed further, a `ReadError` is thrown after the preceding entries.
 */
export function entries(source: ByteSource, options: ReadOptions = {}): EntryStream {
  known(options, ["limits", "signal"]);
  content(source);
  let give!: (about: About) => void;
  let fail!: (error: unknown) => void;
  const head = new Promise<About>((resolve, reject) => ([give, fail] = [resolve, reject]));
  // Avoids an unhandled rejection if nobody awaits it.
  head.catch(() => undefined);
  const all = one(source, options, give);
  let first: Promise<IteratorResult<Entry, undefined>> | undefined;
  let begun = false;
  const read = async () => {
    begun = true;
    try {
      return await all.next();
    } catch (error) {
      fail(error);
      throw error;
    }
  };
  const next = () => {
    const had = first;
    first = undefined;
    return had ?? read();
  };
  const leave = async () => {
    begun = true;
    first = undefined;
    await all.return(undefined);
    fail(new OptionError("the entries were left before the document said what it is"));
    return { done: true as const, value: undefined };
  };
  return {
    get head() {
      if (!begun) {
        first = read();
        // The loop over the entries throws the error.
        first.catch(() => undefined);
      }
      return head;
    },
    next,
    return: leave,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* one(source: AnySource, options: ReadOptions, head: (about: About) => void): AsyncGenerator<Entry, undefined> {
  await init();
  const { signal } = options;
  const reader = begin(options, false);
  let told = false;
  const tell = () => {
    if (!told) head(about(reader));
    told = true;
  };
  try {
    for await (const window of unread(source, signal)) {
      const complete = inside(() => reader.push(window)) as Entry[];
      if (complete.length > 0) tell();
      for (const entry of complete) {
        yield entry;
        signal?.throwIfAborted();
      }
      check(reader);
    }
    const rest = inside(() => reader.finish()) as Entry[];
    // The head of a document that ends within it is unknown.
    if (rest.length > 0 || inside(() => reader.failure()) === undefined) tell();
    for (const entry of rest) {
      yield entry;
      signal?.throwIfAborted();
    }
    check(reader);
    return undefined;
  } finally {
    free(reader);
  }
}

/**
 * Reads a whole document into memory, gzip-compressed or not, including values that are not valid.
 *
 * Rejected with a `ReadError` if it cannot be parsed to the end, and a `SourceError` if the source cannot be read.
 */
export async function read(source: ByteSource, options: ReadOptions = {}): Promise<Document> {
  known(options, ["limits", "signal"]);
  content(source);
  await init();
  const reader = begin(options, true);
  try {
    const entries: Entry[] = [];
    for await (const window of unread(source, options.signal)) {
      take(inside(() => reader.push(window)), entries);
      check(reader);
    }
    return whole(reader, entries);
  } finally {
    free(reader);
  }
}

/** Synchronous `read`, for strings and bytes. Throws as `read`, and a `NotReadyError` before `init`. */
export function readSync(source: string | Bytes, options: ReadOptions = {}): Document {
  known(options, ["limits", "signal"]);
  content(source);
  const reader = begin(options, true);
  try {
    const entries: Entry[] = [];
    for (const window of windowsSync(source)) {
      take(inside(() => reader.push(window)), entries);
      check(reader);
    }
    return whole(reader, entries);
  } finally {
    free(reader);
  }
}

function begin({ limits }: ReadOptions, keeping: boolean): glue.ItemReader {
  const own = runOptions({ limits });
  try {
    return inside(() => new glue.ItemReader(own, keeping));
  } finally {
    free(own);
  }
}

function take(read: unknown[], entries: Entry[]): void {
  for (const entry of read) entries.push(entry as Entry);
}

function whole(reader: glue.ItemReader, entries: Entry[]): Document {
  take(inside(() => reader.finish()), entries);
  check(reader);
  return { ...about(reader), entries };
}

function about(reader: glue.ItemReader): About {
  const { kind, head } = inside(() => reader.head()) as Document;
  return { kind, head };
}

function check(reader: glue.ItemReader): void {
  const failure = inside(() => reader.failure());
  if (failure !== undefined) throw new ReadError(JSON.parse(failure) as Diagnostic);
}
