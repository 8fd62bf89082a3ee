/** What documents say, as plain objects. Everything is text as it is written; absent means absent. */

import type { Kind } from "./types.js";

/** A number; a `bigint` above 2^53, where a number would not be exact. */
export type Length = number | bigint;

/** Digests by algorithm, in the order written: `{ "md5": "…", "sha-256": "…" }`. */
export type Digests = { [algorithm: string]: string };

/** An attribute that has no name of its own here. */
export interface Attribute {
  name: string;
  /** Absent for attributes without one. */
  namespace?: string | undefined;
  prefix?: string | undefined;
  value: string;
}

/** A link. */
export interface Link {
  rel?: string | undefined;
  href?: string | undefined;
  /** How much it is preferred, 1 to 999999; low is better. */
  pri?: number | undefined;
  modified?: string | undefined;
  hashes?: Digests | undefined;
  length?: Length | undefined;
  type?: string | undefined;
  encoding?: string | undefined;
  /** Where its bitstream lies in the package. */
  path?: string | undefined;
  attributes?: Attribute[] | undefined;
}

/** What a document says of itself. */
export interface Head {
  /** When building, that of the kind if absent. */
  capability?: string | undefined;
  /** When the snapshot was begun. */
  at?: string | undefined;
  /** When the snapshot was finished. */
  completed?: string | undefined;
  /** The beginning of the interval. */
  from?: string | undefined;
  /** The end of the interval. */
  until?: string | undefined;
  /** `up`, `index`, `describedby` … */
  links?: Link[] | undefined;
  attributes?: Attribute[] | undefined;
  /** Elements of other vocabularies, as XML that needs nothing from around it. */
  elements?: string[] | undefined;
  rootAttributes?: Attribute[] | undefined;
}

/** One entry: a resource, a change, a package, a document. */
export interface Entry {
  /** What is listed: `loc`. */
  uri: string;
  lastmod?: string | undefined;
  changefreq?: string | undefined;
  priority?: string | undefined;
  /** `created`, `updated` or `deleted`. */
  change?: string | undefined;
  /** When the change happened. */
  datetime?: string | undefined;
  /** That of the document it leads to. */
  capability?: string | undefined;
  at?: string | undefined;
  completed?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
  hashes?: Digests | undefined;
  /** Bytes of the bitstream; absent also where what is written is no number. */
  length?: Length | undefined;
  /** Media type of the bitstream. */
  type?: string | undefined;
  encoding?: string | undefined;
  /** Where the bitstream lies in the package. */
  path?: string | undefined;
  links?: Link[] | undefined;
  attributes?: Attribute[] | undefined;
  elements?: string[] | undefined;
}

/** A whole document. */
export interface Document {
  kind: Kind;
  head: Head;
  entries: Entry[];
}
