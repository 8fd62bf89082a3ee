/** Publishing a whole Source. */

import type { BuildOptions } from "./build.js";
import { OptionError } from "./errors.js";
import type { Entry } from "./model.js";
import { free, glue, inside } from "./module.js";
import { iterable, known, maybeCount, maybeText, object, text } from "./check-args.js";
import { runOptions } from "./options.js";
import { contentOf, type Bitstream } from "./pack.js";
import { bytesOf, windows } from "./sources.js";
import type { Bytes } from "./types.js";

/** How a Source is published. */
export interface PublicationOptions extends BuildOptions {
  /** What describes the Source as a whole. */
  describedby?: string | undefined;
  /** How the names of documents end: `.xml`, or `.xml.gz` where the store packs them. */
  suffix?: string | undefined;
  /** Entries of one document; at most 50,000. */
  documentEntries?: number | undefined;
  /** Bytes of one document; at most 50,000,000. */
  documentBytes?: number | undefined;
  /** Entries of one package; at most 50,000. */
  packageEntries?: number | undefined;
  /** Bytes of the bitstreams in one package. */
  packageBytes?: number | undefined;
  /** Where files go; without it, do yourself what `take` and `finish` give. */
  store?: Store | undefined;
}

/** Takes files one after the other; promises are waited for. A path is relative, with `/`, and never leads out of where it goes. */
export interface Store {
  begin(path: string): unknown;
  write(bytes: Uint8Array): unknown;
  end(): unknown;
}

/** What is to be done with files, in this order: leaves before roots, one file at a time. */
export type Step = { readonly begin: string } | { readonly write: Uint8Array } | { readonly end: true };

/** Give it to the next publication. A text stands for one that begins at that moment. */
export interface ChangeHistory {
  closed: { number: number; from: string; until: string }[];
  open: { number: number; from: string };
}

/** Give it to the next publication. */
export interface DumpHistory {
  from: string;
  packages: { number: number; from: string; until: string; length: number; sha256: string }[];
  next: number;
}

/** What is announced: its capability, such as `changelist` or `resourcelist`, and where it is. */
export interface Announced {
  readonly capability: string;
  /** Of a notification channel, its topic. */
  readonly uri: string;
  /** Of a notification channel, where to subscribe. */
  readonly hub?: string | undefined;
}

/** What was published. */
export interface Published {
  /** The files written, in order. */
  readonly written: readonly string[];
  /** Files of earlier publications that are still referred to. */
  readonly kept: readonly string[];
  readonly sets: readonly {
    readonly name: string;
    readonly resources: number;
    readonly changes?: ChangeHistory;
    readonly dump?: DumpHistory;
  }[];
}

const OWN = ["describedby", "suffix", "documentEntries", "documentBytes", "packageEntries", "packageBytes"] as const;

/**
 * A whole Source being published. With a `store`, `resourceList`, `changeLists`, `resourceDump`, `changeDump` and `publish` write
 * it. Without one it says what to write where: `begin…`, `push`, and after each call do what `take` gives; it stays small as long
 * as that is done.
 *
 * What would be wrong is a `RefusedError`; then throw away what was written.
 */
export class Publication {
  readonly #inner: glue.Publication;
  readonly #store: Store | undefined;

  /** Below a base URI that ends with a slash, at a moment such as `2024-05-01T00:00:00Z`. */
  constructor(base: string, at: string, options: PublicationOptions = {}) {
    known(options, ["ignore", "limits", "store", ...OWN]);
    this.#store = options.store;
    text(base, "the base");
    text(at, "the moment");
    const given = Object.fromEntries(OWN.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])));
    const own = runOptions({ ignore: options.ignore, limits: options.limits });
    try {
      this.#inner = inside(() => new glue.Publication(own, base, at, given));
    } finally {
      free(own);
    }
  }

  /** Begins a set in a folder of its own, or in none (`""`); ends the one before. */
  set(name: string, describedby?: string): void {
    text(name, "the name of a set");
    maybeText(describedby, "describedby");
    inside(() => this.#inner.set(name, describedby));
  }

  /** Lists a notification channel, or a document that is published by other means, in the Capability List of the set. */
  announce({ capability, uri, hub }: Announced): void {
    text(capability, "the capability");
    text(uri, "the URI");
    maybeText(hub, "the hub");
    inside(() => this.#inner.announce(capability, uri, hub));
  }

  /** Begins the Resource List of the set; if it is known how many resources will follow, nothing is held back. */
  beginResourceList(expected?: number): void {
    maybeCount(expected, "the number of resources");
    inside(() => this.#inner.beginResourceList(expected));
  }

  /** Begins the Change Lists: push all changes of the open interval, by datetime. `close` closes it at that moment. */
  beginChangeLists(history: ChangeHistory | string, close?: string): void {
    maybeText(close, "close");
    inside(() => this.#inner.beginChangeLists(history, close));
  }

  /** Begins the Resource Dump: push each resource, then write its bytes. */
  beginResourceDump(): void {
    inside(() => this.#inner.beginResourceDump());
  }

  /** Begins the Change Dump: push the changes since the last package, and write the bytes of each that has some. */
  beginChangeDump(history: DumpHistory | string): void {
    inside(() => this.#inner.beginChangeDump(history));
  }

  /** Adds a resource or a change to what was begun last. */
  push(entry: Entry): void {
    inside(() => this.#inner.push(entry));
  }

  /** Adds bytes of the entry pushed last to a dump. */
  write(bytes: Bytes): void {
    for (const window of windows(bytesOf(bytes))) inside(() => this.#inner.write(window));
  }

  /** What is to be done now. */
  take(): Step[] {
    return inside(() => this.#inner.take()).map(step);
  }

  /** Ends the publication: what is still to be done, and what was published. */
  finish(): { steps: Step[]; published: Published } {
    const { steps, published } = inside(() => this.#inner.finish()) as { steps: unknown[]; published: Published };
    return { steps: steps.map(step), published };
  }

  /** Publishes the Resource List of the set, from all its resources. */
  async resourceList(resources: Iterable<Entry> | AsyncIterable<Entry>, expected?: number): Promise<void> {
    this.beginResourceList(expected ?? (Array.isArray(resources) ? resources.length : undefined));
    await this.#each(resources);
  }

  /** Publishes the Change Lists of the set, from all changes since the open one began, by datetime. */
  async changeLists(history: ChangeHistory | string, changes: Iterable<Entry> | AsyncIterable<Entry>, close?: string): Promise<void> {
    this.beginChangeLists(history, close);
    await this.#each(changes);
  }

  /** Publishes the Resource Dump of the set, from all its resources with their bytes. */
  async resourceDump(bitstreams: Iterable<Bitstream> | AsyncIterable<Bitstream>): Promise<void> {
    this.beginResourceDump();
    await this.#packed(bitstreams);
  }

  /** Publishes the Change Dump of the set, from the changes since its last package with the bytes of those that have some. */
  async changeDump(history: DumpHistory | string, bitstreams: Iterable<Bitstream> | AsyncIterable<Bitstream>): Promise<void> {
    this.beginChangeDump(history);
    await this.#packed(bitstreams);
  }

  /** Ends the publication, gives the store the rest, and says what was published. */
  async publish(): Promise<Published> {
    const store = this.#given();
    const { steps, published } = this.finish();
    await follow(steps, store);
    return published;
  }

  async #each(entries: Iterable<Entry> | AsyncIterable<Entry>): Promise<void> {
    const store = this.#given();
    iterable(entries, "what is published", true);
    for await (const entry of entries) {
      this.push(entry);
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

async function follow(steps: Iterable<Step>, store: Store): Promise<void> {
  for (const step of steps) {
    if ("begin" in step) await store.begin(step.begin);
    else if ("write" in step) await store.write(step.write);
    else await store.end();
  }
}

function step(given: unknown): Step {
  if (typeof given === "string") return { begin: given };
  return given === null ? { end: true } : { write: given as Uint8Array };
}
