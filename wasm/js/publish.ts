/** Publishing: packages, whole Sources, and the changes between two inventories. */

import { free, glue, inside } from "./module.js";
import type { Entry, Head } from "./model.js";
import { known } from "./names.js";
import { encoded, windows, bytesOf } from "./sources.js";
import { runOptions } from "./options.js";
import type { BuildOptions } from "./build.js";
import type { Bytes } from "./types.js";

/** A resource and the bytes of its bitstream; a deletion has none. */
export interface Bitstream {
  readonly entry: Entry;
  readonly bytes?: string | Bytes | AsyncIterable<Bytes> | Iterable<Bytes> | undefined;
}

/** A package that was written. */
export interface Packed {
  /** Its manifest, for a copy of it beside the package. */
  readonly manifest: string;
  readonly length: number;
  /** Of the package, as a `hash` lists it. */
  readonly sha256: string;
}

/** A package, piece by piece. What the last step gives says what to list of it. */
export async function* createPackage(
  kind: "resource-dump-manifest" | "change-dump-manifest",
  head: Head,
  bitstreams: Iterable<Bitstream> | AsyncIterable<Bitstream>,
  options: BuildOptions = {},
): AsyncGenerator<Uint8Array, Packed, undefined> {
  known(options, ["ignore", "limits"]);
  const own = runOptions(options);
  let packing: glue.Packing | undefined;
  try {
    const writer = (packing = inside(() => new glue.Packing(own, kind, head)));
    for await (const { entry, bytes } of bitstreams) {
      inside(() => writer.push(entry));
      for await (const window of pieces(bytes)) {
        inside(() => writer.write(window));
        const written = inside(() => writer.take());
        if (written.length > 0) yield written;
      }
    }
    packing = undefined;
    const { rest, manifest, length, sha256 } = inside(() => writer.finish()) as Packed & { rest: Uint8Array };
    yield rest;
    return { manifest, length, sha256 };
  } finally {
    free(packing);
    free(own);
  }
}

async function* pieces(bytes: Bitstream["bytes"]): AsyncGenerator<Uint8Array> {
  if (bytes === undefined) return;
  if (typeof bytes === "string") return yield* encoded(bytes);
  if (bytes instanceof ArrayBuffer || ArrayBuffer.isView(bytes)) return yield* windows(bytesOf(bytes));
  for await (const part of bytes) yield* windows(bytesOf(part));
}

export interface PublicationOptions extends BuildOptions {
  /** What describes the Source as a whole. */
  describedby?: string | undefined;
  /** How the names of documents end: `.xml`, or `.xml.gz` where the store packs them. */
  suffix?: string | undefined;
  /** Entries of one document; at most 50,000. */
  documentEntries?: number | undefined;
  documentBytes?: number | undefined;
  packageEntries?: number | undefined;
  packageBytes?: number | undefined;
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
 * A whole Source being published: it says what to write where. After each call, do what `take` gives; it stays small as long as
 * that is done.
 *
 * What would be wrong is a `RefusedError`; then throw away what was written.
 */
export class Publication {
  readonly #inner: glue.Publication;

  /** Below a base URI that ends with a slash, at a moment such as `2024-05-01T00:00:00Z`. */
  constructor(base: string, at: string, options: PublicationOptions = {}) {
    known(options, ["ignore", "limits", ...OWN]);
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
    inside(() => this.#inner.set(name, describedby));
  }

  /** Begins the Resource List of the set; if it is known how many resources will follow, nothing is held back. */
  beginResourceList(expected?: number): void {
    inside(() => this.#inner.beginResourceList(expected));
  }

  /** Begins the Change Lists: push all changes of the open interval, by datetime. `close` closes it at that moment. */
  beginChangeLists(history: ChangeHistory | string, close?: string): void {
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

  [Symbol.dispose](): void {
    free(this.#inner);
  }
}

function step(given: unknown): Step {
  if (typeof given === "string") return { begin: given };
  return given === null ? { end: true } : { write: given as Uint8Array };
}

/**
 * The changes between two inventories, both sorted bytewise by URI, in constant memory: entries for a
 * Change List whose changes happened at a moment.
 */
export function* diff(old: Iterable<Entry>, next: Iterable<Entry>, at: string): Generator<Entry> {
  const [before, after] = [old[Symbol.iterator](), next[Symbol.iterator]()];
  const differences = inside(() => new glue.Differences(giver(before), giver(after)));
  try {
    for (;;) {
      const change = inside(() => differences.next(at)) as Entry | undefined;
      if (change === undefined) return;
      yield change;
    }
  } finally {
    free(differences);
    before.return?.();
    after.return?.();
  }
}

function giver(entries: Iterator<Entry>): () => Entry | undefined {
  return () => {
    const { done, value } = entries.next();
    return done ? undefined : value;
  };
}
