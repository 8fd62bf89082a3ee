/** Builders, which reject documents that would not be valid before they are written. */

import { RefusedError } from "./errors.js";
import { asText, type GivenEntry, type GivenHead } from "./given.js";
import type { Document, Entry, Head } from "./model.js";
import { free, glue, inside } from "./module.js";
import { BUILD_OPTIONS, iterable, known, object, text } from "./check-args.js";
import { buildOptions } from "./options.js";
import type { Diagnostic, Kind, Limits, Severity } from "./types.js";

/** How a document is built. */
export interface BuildOptions {
  /** Codes of findings to ignore, such as `AT-13` for unregistered media types. */
  ignore?: readonly string[] | undefined;
  limits?: Partial<Limits> | undefined;
  /** The lowest severity that is rejected: `error` by default. Less severe findings are reported. */
  failOn?: Severity | undefined;
}

/** Findings that did not prevent building, since they are less severe than `failOn`. */
export interface Accepted {
  /** The first 100 of each code. */
  readonly diagnostics: readonly Diagnostic[];
  /** The number of findings by code. */
  readonly counts: Readonly<Record<string, number>>;
}

/** How a whole document is built. */
export interface DocumentOptions extends BuildOptions {
  /** Called with the findings of the document, if there are any. */
  onAccepted?: ((accepted: Accepted) => void) | undefined;
}

/**
 * A document being built.
 *
 * An error that the validator would report throws a `RefusedError`, in the constructor, `push` or `finish`; `accepted` has the warnings
 * and infos.
 * Memory does not grow with the document if `take` is called regularly.
 */
export class Builder {
  readonly #inner: glue.Builder;

  constructor(kind: Kind, head: GivenHead, options: BuildOptions = {}) {
    known(options, BUILD_OPTIONS);
    text(kind, "the kind");
    const own = buildOptions(options);
    try {
      this.#inner = inside(() => new glue.Builder(own, kind, asText<Head>(head)));
    } finally {
      free(own);
    }
  }

  /** Adds an entry. A rejected entry does not change the builder. */
  push(entry: GivenEntry): void {
    inside(() => this.#inner.push(asText<Entry>(entry)));
  }

  /** Returns the bytes built since the last call. */
  take(): string {
    return inside(() => this.#inner.take());
  }

  /** Ends the document and returns the remaining bytes. If it throws, discard what was taken. */
  finish(): string {
    return inside(() => this.#inner.finish());
  }

  /** The findings so far that did not prevent building. */
  get accepted(): Accepted {
    return JSON.parse(inside(() => this.#inner.accepted())) as Accepted;
  }

  /** The number of entries so far. */
  get entries(): number {
    return inside(() => this.#inner.entries());
  }

  /** The number of bytes so far, including those taken. */
  get bytes(): number {
    return inside(() => this.#inner.bytes());
  }

  /** Frees the memory of the document. */
  [Symbol.dispose](): void {
    free(this.#inner);
  }
}

/**
 * Builds a whole document.
 *
 * Throws a `RefusedError` for an error that the validator would report; its `index` is the position of the entry. Throws an
 * `OptionError` for invalid names and values, and a `NotReadyError` before `init`.
 */
export function build(kind: Kind, head: GivenHead, entries: Iterable<GivenEntry> = [], options: DocumentOptions = {}): string {
  known(options, [...BUILD_OPTIONS, "onAccepted"]);
  iterable(entries, "what is listed");
  const { onAccepted, ...own } = options;
  const builder = new Builder(kind, head, own);
  let index = 0;
  try {
    const parts = [];
    for (const entry of entries) {
      builder.push(entry);
      index += 1;
      if (index % 1000 === 0) parts.push(builder.take());
    }
    index = -1;
    parts.push(builder.finish());
    const { accepted } = builder;
    if (onAccepted && Object.keys(accepted.counts).length > 0) onAccepted(accepted);
    return parts.join("");
  } catch (error) {
    if (error instanceof RefusedError && index >= 0) throw new RefusedError(error.diagnostic, { index, full: error.full });
    throw error;
  } finally {
    builder[Symbol.dispose]();
  }
}

/** Serializes a document. Equivalent to `build` with its parts, and throws as `build`. */
export function write(document: Document, options: DocumentOptions = {}): string {
  object(document, "the document");
  return build(document.kind, document.head, document.entries, options);
}
