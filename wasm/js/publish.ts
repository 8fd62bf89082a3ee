/** Publishing a whole Source. */

import type { Accepted, BuildOptions } from "./build.js";
import { OptionError, RefusedError } from "./errors.js";
import { asText, moment, uri as uriOf, type GivenEntry, type Moment, type Uri } from "./given.js";
import type { Entry } from "./model.js";
import { free, glue, inside } from "./module.js";
import { BUILD_OPTIONS, iterable, known, maybeCount, object, text } from "./check-args.js";
import { buildOptions } from "./options.js";
import { contentOf, type Bitstream } from "./pack.js";
import { bytesOf, windows } from "./sources.js";
import type { Bytes } from "./types.js";

/** How a Source is published. */
export interface PublicationOptions extends BuildOptions {
  /** The URI of a document that describes the Source. */
  describedby?: string | undefined;
  /** The extension of documents: `.xml`, or `.xml.gz` if the store compresses them. */
  suffix?: string | undefined;
  /** Maximum number of entries of a document; at most 50,000. */
  maxDocumentEntries?: number | undefined;
  /** Maximum size of a document in bytes; at most 50,000,000. */
  maxDocumentBytes?: number | undefined;
  /** Maximum number of entries of a package; at most 50,000. */
  maxPackageEntries?: number | undefined;
  /** Maximum size of the bitstreams in a package, in bytes. */
  maxPackageBytes?: number | undefined;
  /** Where files are written; without it, execute the actions of `take` and `finish`. */
  store?: Store | undefined;
}

/** Receives one file after the other; promises are awaited. Paths are relative, with `/`, and without `..`. */
export interface Store {
  begin(path: string): unknown;
  write(bytes: Uint8Array): unknown;
  end(): unknown;
  /** Called when all files are written, to make the publication take effect atomically. */
  commit?(published: Published, at: string, base: string): unknown;
}

/** Called with a rejected entry, and with the error; the list continues without it. */
export type OnRefused = (entry: GivenEntry, error: RefusedError) => unknown;

/** Actions on files, one file at a time, in this order: documents come before those that link to them. */
export type Step = { readonly begin: string } | { readonly write: Uint8Array } | { readonly end: true };

/** Pass it to the next publication. A string is the start of a new history. */
export interface ChangeHistory {
  closed: { number: number; from: string; until: string }[];
  open: { number: number; from: string };
}

/** Pass it to the next publication. */
export interface DumpHistory {
  from: string;
  packages: { number: number; from: string; until: string; length: number; sha256: string }[];
  next: number;
}

/** An announcement: a capability, such as `changelist` or `resourcelist`, and its URI. */
export interface Announced {
  readonly capability: string;
  /** The topic of a notification channel. */
  readonly uri: Uri;
  /** The hub of a notification channel. */
  readonly hub?: Uri | undefined;
}

/** The result of a publication. */
export interface Published {
  /** The files written, in order. */
  readonly written: readonly string[];
  /** Files of earlier publications that are still referenced. */
  readonly kept: readonly string[];
  readonly sets: readonly {
    readonly name: string;
    readonly resources: number;
    readonly changes?: ChangeHistory;
    readonly dump?: DumpHistory;
  }[];
  /** Findings that did not prevent publishing. */
  readonly accepted: Accepted;
}

const OWN = ["describedby", "suffix", "maxDocumentEntries", "maxDocumentBytes", "maxPackageEntries", "maxPackageBytes"] as const;

/**
 * Publishes a whole Source. With a `store`, `resourceList`, `changeLists`, `resourceDump`, `changeDump` and `publish` write it.
 * Without one, call `begin…` and `push`, and execute the actions that `take` returns after each call, which keeps memory constant.
 * Parts are written one after the other: await each.
 *
 * Throws a `RefusedError` if the result would not be valid. After an error nothing can be published, even if it is caught: the
 * publication would not be complete.
 */
export class Publication {
  readonly #inner: glue.Publication;
  readonly #store: Store | undefined;
  readonly #base: string;
  readonly #at: string;
  /** The reason why nothing can be published any more. */
  #failed: { readonly cause: unknown } | undefined;
  /** True while a part is being written. */
  #isBusy = false;

  /** Publishes below a base URI with a trailing slash, at a time such as `2024-05-01T00:00:00Z`. */
  constructor(base: Uri, at: Moment, options: PublicationOptions = {}) {
    known(options, [...BUILD_OPTIONS, "store", ...OWN]);
    this.#store = options.store;
    this.#base = uriOf(base, "the base");
    this.#at = moment(at, "the moment");
    const given = Object.fromEntries(OWN.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])));
    const own = buildOptions(options);
    try {
      this.#inner = inside(() => new glue.Publication(own, this.#base, this.#at, given));
    } finally {
      free(own);
    }
  }

  /** Starts a set in its own folder, or at the top level (`""`), and ends the previous one. */
  set(name: string, describedby?: Uri): void {
    text(name, "the name of a set");
    const described = describedby === undefined ? undefined : uriOf(describedby, "describedby");
    this.#idle();
    inside(() => this.#inner.set(name, described));
  }

  /** Adds a notification channel, or a document published by other means, to the Capability List of the set. */
  announce({ capability, uri, hub }: Announced): void {
    text(capability, "the capability");
    const [target, relay] = [uriOf(uri, "the URI"), hub === undefined ? undefined : uriOf(hub, "the hub")];
    inside(() => this.#inner.announce(capability, target, relay));
  }

  /** Starts the Resource List of the set. If the number of resources is known, nothing is buffered. */
  beginResourceList(expected?: number): void {
    maybeCount(expected, "the number of resources");
    inside(() => this.#inner.beginResourceList(expected));
  }

  /** Starts the Change Lists: push all changes of the open interval, by datetime. `close` closes it at this time. */
  beginChangeLists(history: ChangeHistory | Moment, close?: Moment): void {
    const [since, end] = [sinceOf(history), close === undefined ? undefined : moment(close, "close")];
    inside(() => this.#inner.beginChangeLists(since, end));
  }

  /** Starts the Resource Dump: push each resource, then write its bytes. */
  beginResourceDump(): void {
    inside(() => this.#inner.beginResourceDump());
  }

  /** Starts the Change Dump: push the changes since the last package, and write the bytes of each that has a bitstream. */
  beginChangeDump(history: DumpHistory | Moment): void {
    const since = sinceOf(history);
    inside(() => this.#inner.beginChangeDump(since));
  }

  /** Adds a resource or a change to the current list or dump. */
  push(entry: GivenEntry): void {
    inside(() => this.#inner.push(asText<Entry>(entry)));
  }

  /** Adds bytes of the last entry to a dump. */
  write(bytes: Bytes): void {
    for (const window of windows(bytesOf(bytes))) inside(() => this.#inner.write(window));
  }

  /** The pending actions. */
  take(): Step[] {
    return inside(() => this.#inner.take()).map(step);
  }

  /** Ends the publication: the remaining actions, and the result. */
  finish(): { steps: Step[]; published: Published } {
    this.#check();
    this.#idle();
    return this.#finished();
  }

  #finished(): { steps: Step[]; published: Published } {
    const done = inside(() => this.#inner.finish()) as { steps: unknown[]; published: Omit<Published, "accepted">; accepted: string };
    return { steps: done.steps.map(step), published: { ...done.published, accepted: JSON.parse(done.accepted) as Accepted } };
  }

  /** Publishes the Resource List of the set, from all its resources. */
  async resourceList(resources: Iterable<GivenEntry> | AsyncIterable<GivenEntry>, expected?: number, onRefused?: OnRefused): Promise<void> {
    await this.#whole(async () => {
      this.beginResourceList(expected ?? (Array.isArray(resources) ? resources.length : undefined));
      await this.#each(resources, onRefused);
    });
  }

  /** Publishes the Change Lists of the set, from all changes since the open one began, by datetime. */
  async changeLists(history: ChangeHistory | Moment, changes: Iterable<GivenEntry> | AsyncIterable<GivenEntry>, close?: Moment, onRefused?: OnRefused): Promise<void> {
    await this.#whole(async () => {
      this.beginChangeLists(history, close);
      await this.#each(changes, onRefused);
    });
  }

  /** Publishes the Resource Dump of the set, from all its resources with their bytes. */
  async resourceDump(bitstreams: Iterable<Bitstream> | AsyncIterable<Bitstream>): Promise<void> {
    await this.#whole(async () => {
      this.beginResourceDump();
      await this.#packed(bitstreams);
    });
  }

  /** Publishes the Change Dump of the set, from the changes since its last package with the bytes of those that have a bitstream. */
  async changeDump(history: DumpHistory | Moment, bitstreams: Iterable<Bitstream> | AsyncIterable<Bitstream>): Promise<void> {
    await this.#whole(async () => {
      this.beginChangeDump(history);
      await this.#packed(bitstreams);
    });
  }

  /** Ends the publication, writes the rest to the store, and returns the result. */
  async publish(): Promise<Published> {
    const store = this.#given();
    return this.#whole(async () => {
      const { steps, published } = this.#finished();
      await follow(steps, store);
      await store.commit?.(published, this.#at, this.#base);
      return published;
    });
  }

  #check(): void {
    if (this.#failed) throw new OptionError("a part of this publication failed, so nothing can be published");
  }

  /** Throws an `OptionError` while a part is being written. */
  #idle(): void {
    if (this.#isBusy) throw new OptionError("a part of this publication is being written: wait for its promise first");
  }

  /** Runs a part; after a failed part the publication would be incomplete. */
  async #whole<T>(part: () => Promise<T>): Promise<T> {
    this.#check();
    try {
      this.#idle();
      this.#isBusy = true;
      const done = await part();
      this.#isBusy = false;
      return done;
    } catch (cause) {
      this.#failed = { cause };
      throw cause;
    }
  }

  async #each(entries: Iterable<GivenEntry> | AsyncIterable<GivenEntry>, onRefused?: OnRefused): Promise<void> {
    const store = this.#given();
    iterable(entries, "what is published", true);
    for await (const entry of entries) {
      try {
        this.push(entry);
      } catch (error) {
        if (!onRefused || !(error instanceof RefusedError)) throw error;
        await onRefused(entry, error);
        continue;
      }
      await follow(this.take(), store);
    }
  }

  async #packed(bitstreams: Iterable<Bitstream> | AsyncIterable<Bitstream>): Promise<void> {
    const store = this.#given();
    iterable(bitstreams, "what is packed", true);
    for await (const bitstream of bitstreams) {
      object(bitstream, "a bitstream");
      this.push(bitstream.entry);
      for await (const window of contentOf(bitstream.bytes)) {
        inside(() => this.#inner.write(window));
        await follow(this.take(), store);
      }
    }
  }

  #given(): Store {
    if (this.#store) return this.#store;
    throw new OptionError("there is no `store` to write to: give one, or use `push`, `take` and `finish`");
  }

  [Symbol.dispose](): void {
    free(this.#inner);
  }
}

/** A history, or the start of a new one. */
function sinceOf<T>(history: T | Moment): T | string {
  return history instanceof Date ? moment(history, "the start of the history") : history;
}

/** Executes actions on files. @internal */
export async function follow(steps: Iterable<Step>, store: Store): Promise<void> {
  for (const step of steps) {
    if ("begin" in step) await store.begin(step.begin);
    else if ("write" in step) await store.write(step.write);
    else await store.end();
  }
}

/** An action of the module. @internal */
export function step(given: unknown): Step {
  if (typeof given === "string") return { begin: given };
  return given === null ? { end: true } : { write: given as Uint8Array };
}
