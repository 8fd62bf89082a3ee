/** Unambiguous repairs of documents. */

import { known, maybeText, text as checked } from "./check-args.js";
import { glue, inside } from "./module.js";
import { checkWhole, content } from "./sources.js";
import type { Span } from "./types.js";

/** Information that a document does not contain. */
export interface RepairOptions {
  /** The time zone of datetimes without one, such as `Z` or `+09:00`. By default they are not changed. */
  zone?: string | undefined;
}

/** One repair. */
export interface Repair {
  readonly kind: "namespace" | "head" | "prefix" | "spelling" | "utc" | "zone" | "relation" | "order";
  /** Its path, as in reports. */
  readonly path: string;
  /** Its position in the original text. */
  readonly span: Span;
  readonly before: string;
  readonly after: string;
}

/** A repaired document. */
export interface Repaired {
  /** The text, unchanged except for the repairs. */
  readonly text: string;
  /** In the order of the original text. */
  readonly repairs: readonly Repair[];
  /** True if the document had to be formatted again, which drops comments and layout. */
  readonly rewritten: boolean;
}

/**
 * Repairs the text of a document, as `resourcesync fix` does: only what is unambiguous. Validate the result to see what remains. A
 * document that cannot be read to its end stays as it is.
 *
 * Throws a `FormatError` if a repair would lose part of the document, an `OptionError` for invalid options, a `SourceError` for half a
 * character, and a `NotReadyError` before `init`.
 */
export function repair(text: string, options: RepairOptions = {}): Repaired {
  known(options, ["zone"]);
  checked(text, "the document");
  content(text);
  checkWhole(text);
  const { zone } = options;
  maybeText(zone, "zone");
  return inside(() => glue.repair(text, zone)) as Repaired;
}
