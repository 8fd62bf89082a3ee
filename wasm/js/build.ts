/** Builders, which reject documents that would not be valid before they are written. */

import { RefusedError } from "./errors.js";
import type { Document, Entry, Head } from "./model.js";
import { free, glue, inside } from "./module.js";
import { iterable, known, object, text } from "./check-args.js";
import { runOptions } from "./options.js";
import type { Kind, Limits } from "./types.js";

/** How a document is built. */
export interface BuildOptions {
  /** Codes of findings to ignore, such as `AT-13` for unregistered media types. */
  ignore?: readonly string[] | undefined;
  limits?: Partial<Limits> | undefined;
}

/**
 * A document being built.
 *
 * Anything that the validator would report (error, warning or info) throws a `RefusedError`, in the constructor, `push` or `finish`.
 * Memory does not grow with the document if `take` is called regularly.
 */
export class Builder {
  readonly #inner: glue.Builder;

  constructor(kind: Kind, head: Head, options: BuildOptions = {}) {
    known(options, ["ignore", "limits"]);
    text(kind, "the kind");
    const own = runOptions(options);
    try {
      this.#inner = inside(() => new glue.Builder(own, kind, head));
    } finally {
      free(own);
    }
  }

  /** Adds an entry. A rejected entry does not change the builder. */
  push(entry: Entry): void {
    inside(() => this.#inner.push(entry));
  }

  /** Returns the bytes built since the last call. */
  take(): string {
    return inside(() => this.#inner.take());
  }

  /** Ends the document and returns the remaining bytes. If it throws, discard what was taken. */
  finish(): string {
    return inside(() => this.#inner.finish());
  }

  /** The number of entries so far. */
  get entries(): number {
    return inside(() => this.#inner.entries);
  }

  /** The number of bytes so far, including those taken. */
  get bytes(): number {
    return inside(() => this.#inner.bytes);
  }

  /** Frees the memory of an unfinished document. */
  [Symbol.dispose](): void {
    free(this.#inner);
  }
}

/**
 * Builds a whole document.
 *
 * Throws a `RefusedError` for anything that the validator would report; its `index` is the position of the entry. Throws an
 * `OptionError` for invalid names and values, and a `NotReadyError` before `init`.
 */
export function build(kind: Kind, head: Head, entries: Iterable<Entry> = [], options: BuildOptions = {}): string {
  iterable(entries, "what is listed");
  const builder = new Builder(kind, head, options);
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
    return parts.join("");
  } catch (error) {
    builder[Symbol.dispose]();
    if (error instanceof RefusedError && index >= 0) throw new RefusedError(error.diagnostic, { index, full: error.full });
    throw error;
  }
}

/** Serializes a document. Equivalent to `build` with its parts, and throws as `build`. */
export function write(document: Document, options: BuildOptions = {}): string {
  object(document, "the document");
  return build(document.kind, document.head, document.entries, options);
}
