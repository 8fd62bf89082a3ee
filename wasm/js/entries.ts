/** Reading: a document entry by entry, or as a whole. */

import { OptionError, ReadError } from "./errors.js";
import type { Document, Entry } from "./model.js";
import { init } from "./loading.js";
import { free, glue, inside } from "./module.js";
import { known } from "./check-args.js";
import { reading } from "./input.js";
import { runOptions } from "./options.js";
import { windowsSync, type AnySource } from "./sources.js";
import type { Bytes, Diagnostic, Limits, ByteSource } from "./types.js";

/** How a document is read. */
export interface ReadOptions {
  limits?: Partial<Limits> | undefined;
  signal?: AbortSignal | undefined;
}

/** What a document is and says of itself. */
export type About = Pick<Document, "kind" | "head">;

/** The entries of a document, one after the other. */
export interface EntryStream extends AsyncIterableIterator<Entry> {
  /**
   * What the document is and says of itself. Asked for before the loop it reads as far as the first entry, which is not lost.
   * Rejected with what ended the reading, and with an `OptionError` if the entries were left before.
   */
  readonly head: Promise<About>;
}

/**
 * Reads a document entry by entry. The source is asked for more only when the entries read so far were taken, so memory
 * does not grow with the document, and it is closed when the loop is left.
 *
 * Nothing is judged. Where a document cannot be read further a `ReadError` is thrown, after the entries before it.
 */
export function entries(source: ByteSource, options: ReadOptions = {}): EntryStream {
  known(options, ["limits", "signal"]);
  let give!: (about: About) => void;
  let fail!: (error: unknown) => void;
  const head = new Promise<About>((resolve, reject) => ([give, fail] = [resolve, reject]));
  // Whoever does not ask for it does not have to catch it.
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
        // Whoever goes on to the entries hears of it.
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
  const reader = begin(options, false);
  let told = false;
  const tell = () => {
    if (!told) head(about(reader));
    told = true;
  };
  try {
    options.signal?.throwIfAborted();
    for await (const window of reading(source)) {
      options.signal?.throwIfAborted();
      const complete = inside(() => reader.push(window)) as Entry[];
      if (complete.length > 0) tell();
      yield* complete;
      check(reader);
    }
    const rest = inside(() => reader.finish()) as Entry[];
    // Of a document that ends in the middle of its head nobody knows what it would have said.
    if (rest.length > 0 || inside(() => reader.failure()) === undefined) tell();
    yield* rest;
    check(reader);
    return undefined;
  } finally {
    free(reader);
  }
}

/**
 * Reads a whole document into memory, gzip-packed or not, with all it says, right or wrong.
 *
 * Rejected with a `ReadError` if it cannot be read to its end, a `SourceError` if the source cannot.
 */
export async function read(source: ByteSource, options: ReadOptions = {}): Promise<Document> {
  known(options, ["limits", "signal"]);
  await init();
  const reader = begin(options, true);
  try {
    const entries: Entry[] = [];
    for await (const window of reading(source)) {
      options.signal?.throwIfAborted();
      take(inside(() => reader.push(window)), entries);
      check(reader);
    }
    return whole(reader, entries);
  } finally {
    free(reader);
  }
}

/** `read` at once, for text and bytes. Throws as `read`, and a `NotReadyError` before `init`. */
export function readSync(source: string | Bytes, options: ReadOptions = {}): Document {
  known(options, ["limits", "signal"]);
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
