/** Building: what would be wrong is refused before it is written. */

import { RefusedError } from "./errors.js";
import type { Document, Entry, Head } from "./model.js";
import { free, glue, inside } from "./module.js";
import { iterable, known, object, text } from "./check-args.js";
import { runOptions } from "./options.js";
import type { Kind, Limits } from "./types.js";

/** How a document is built. */
export interface BuildOptions {
  /** Findings to let pass, such as `AT-13` for media types that are not registered. */
  ignore?: readonly string[] | undefined;
  limits?: Partial<Limits> | undefined;
}

/**
 * A document being built.
 *
 * Whatever would be found in it, be it error, warning or info, is a `RefusedError`: at the head, at each entry, at the end.
 * Memory does not grow with the document as long as what was built is taken away.
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

  /** Adds an entry. One that is refused leaves everything as it was. */
  push(entry: Entry): void {
    inside(() => this.#inner.push(entry));
  }

  /** What was built since the last call. */
  take(): string {
    return inside(() => this.#inner.take());
  }

  /** Ends the document and gives what was not taken yet. If it throws, throw away what was taken. */
  finish(): string {
    return inside(() => this.#inner.finish());
  }

  /** Entries so far. */
  get entries(): number {
    return inside(() => this.#inner.entries);
  }

  /** Bytes so far, those taken away among them. */
  get bytes(): number {
    return inside(() => this.#inner.bytes);
  }

  /** Gives the memory back of what will not be finished. */
  [Symbol.dispose](): void {
    free(this.#inner);
  }
}

/**
 * Builds a whole document.
 *
 * Throws a `RefusedError` for what a validator would find; its `index` is the place of the entry among those given. Throws an
 * `OptionError` for names and values that mean nothing, and a `NotReadyError` before `init`.
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

/** Writes a document that was read, or made by hand: the same as `build` with its parts, and throws as `build`. */
export function write(document: Document, options: BuildOptions = {}): string {
  object(document, "the document");
  return build(document.kind, document.head, document.entries, options);
}
