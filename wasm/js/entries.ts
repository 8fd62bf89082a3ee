/** Reads documents entry by entry, or as a whole. */

import { OptionError, ReadError } from "./errors.js";
import type { Document, Entry } from "./model.js";
import { init } from "./loading.js";
import { free, glue, inside } from "./module.js";
import { known } from "./check-args.js";
import { unread } from "./input.js";
import { runOptions } from "./options.js";
import { content, windowsSync, type AnySource } from "./sources.js";
import { Unpacker } from "./unpack.js";
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
  const hand: Hand = { entries: [], next: 0 };
  const all = one(source, options, hand, give);
  let first: Promise<IteratorResult<Entry, undefined>> | undefined;
  let begun = false;
  let waiting = 0;
  const read = async () => {
    begun = true;
    waiting++;
    try {
      return await all.next();
    } catch (error) {
      fail(error);
      throw error;
    } finally {
      waiting--;
    }
  };
  const next = (): Promise<IteratorResult<Entry, undefined>> => {
    const had = first;
    first = undefined;
    if (had) return had;
    // Without a turn of the generator, which would take as long as making the entry.
    const entry = waiting === 0 && !options.signal?.aborted ? hand.entries[hand.next] : undefined;
    if (!entry) return read();
    hand.next++;
    return Promise.resolve({ done: false, value: entry });
  };
  const leave = async () => {
    begun = true;
    first = undefined;
    hand.entries = [];
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

/** Entries that were read and are not taken yet, from `next` on. */
interface Hand {
  entries: Entry[];
  next: number;
}

async function* one(source: AnySource, options: ReadOptions, hand: Hand, head: (about: About) => void): AsyncGenerator<Entry, undefined> {
  await init();
  const { signal } = options;
  const reading = new Reading(options, false);
  let told = false;
  const tell = () => {
    if (!told) head(reading.about());
    told = true;
  };
  function* each(entries: Entry[]): Generator<Entry> {
    if (entries.length > 0) tell();
    hand.entries = entries;
    // Entries may be taken from the hand meanwhile.
    for (hand.next = 0; hand.next < entries.length; ) {
      yield entries[hand.next++] as Entry;
      signal?.throwIfAborted();
    }
    reading.check();
  }
  try {
    for await (const window of unread(source, signal)) yield* each(reading.push(window));
    const rest = reading.finish();
    // The head of a document that ends within it is unknown.
    if (!reading.failure()) tell();
    yield* each(rest);
    return undefined;
  } finally {
    reading.free();
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
  const reading = new Reading(options, true);
  try {
    const entries: Entry[] = [];
    for await (const window of unread(source, options.signal)) reading.add(reading.push(window), entries);
    return reading.whole(entries);
  } finally {
    reading.free();
  }
}

/** Synchronous `read`, for strings and bytes. Throws as `read`, and a `NotReadyError` before `init`. */
export function readSync(source: string | Bytes, options: ReadOptions = {}): Document {
  known(options, ["limits", "signal"]);
  content(source);
  const reading = new Reading(options, true);
  try {
    const entries: Entry[] = [];
    for (const window of windowsSync(source)) reading.add(reading.push(window), entries);
    return reading.whole(entries);
  } finally {
    reading.free();
  }
}

/** A document being read by the module. */
class Reading {
  readonly #reader: glue.ItemReader;
  readonly #unpacker = new Unpacker();

  constructor({ limits }: ReadOptions, keeping: boolean) {
    const own = runOptions({ limits });
    try {
      this.#reader = inside(() => new glue.ItemReader(own, keeping));
    } finally {
      free(own);
    }
  }

  /** Reads the next window; returns the entries it completed. */
  push(window: Uint8Array): Entry[] {
    return this.#unpacked(inside(() => this.#reader.push(window)));
  }

  /** Ends the document; returns the last entries. */
  finish(): Entry[] {
    return this.#unpacked(inside(() => this.#reader.finish()));
  }

  #unpacked(places: Uint32Array): Entry[] {
    return this.#unpacker.entries(inside(() => glue.moduleMemory()) as WebAssembly.Memory, places);
  }

  /** Adds entries to others, unless reading failed after them. */
  add(some: Entry[], entries: Entry[]): void {
    for (const entry of some) entries.push(entry);
    this.check();
  }

  whole(entries: Entry[]): Document {
    this.add(this.finish(), entries);
    return { ...this.about(), entries };
  }

  about(): About {
    const { kind, head } = inside(() => this.#reader.head()) as Document;
    return { kind, head };
  }

  failure(): Diagnostic | undefined {
    const failure = inside(() => this.#reader.failure());
    return failure === undefined ? undefined : (JSON.parse(failure) as Diagnostic);
  }

  /** Throws what ended reading. */
  check(): void {
    const failure = this.failure();
    if (failure) throw new ReadError(failure);
  }

  free(): void {
    free(this.#reader);
  }
}
