/** Documents as plain objects. Values are strings as written; absent values have no key. */

import type { Kind } from "./types.js";

/** A number, or a `bigint` above 2^53. */
export type Length = number | bigint;

/** Digests by algorithm, in the order written: `{ "md5": "…", "sha-256": "…" }`. */
export type Digests = { [algorithm: string]: string };

/** An attribute without a property of its own. */
export interface Attribute {
  name: string;
  /** Absent for attributes without a namespace. */
  namespace?: string | undefined;
  prefix?: string | undefined;
  value: string;
}

/** A link. */
export interface Link {
  rel?: string | undefined;
  href?: string | undefined;
  /** Priority, 1 to 999999; lower is better. */
  pri?: number | undefined;
  modified?: string | undefined;
  hashes?: Digests | undefined;
  length?: Length | undefined;
  type?: string | undefined;
  encoding?: string | undefined;
  /** Path of its bitstream in the package. */
  path?: string | undefined;
  attributes?: Attribute[] | undefined;
}

/** The root metadata of a document. */
export interface Head {
  /** When building, defaults to that of the kind. */
  capability?: string | undefined;
  /** When taking the snapshot began. */
  at?: string | undefined;
  /** When taking the snapshot was completed. */
  completed?: string | undefined;
  /** The start of the interval. */
  from?: string | undefined;
  /** The end of the interval. */
  until?: string | undefined;
  /** `up`, `index`, `describedby` … */
  links?: Link[] | undefined;
  attributes?: Attribute[] | undefined;
  /** Elements in other namespaces, as self-contained XML. */
  elements?: string[] | undefined;
  rootAttributes?: Attribute[] | undefined;
}

/** One entry: a resource, a change, a package, a document. */
export interface Entry {
  /** The URI in `loc`. */
  uri: string;
  lastmod?: string | undefined;
  changefreq?: string | undefined;
  priority?: string | undefined;
  /** `created`, `updated` or `deleted`. */
  change?: string | undefined;
  /** When the change happened. */
  datetime?: string | undefined;
  /** The capability of its target. */
  capability?: string | undefined;
  at?: string | undefined;
  completed?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
  hashes?: Digests | undefined;
  /** Length of the bitstream in bytes; also absent if the value is not a number. */
  length?: Length | undefined;
  /** Media type of the bitstream. */
  type?: string | undefined;
  encoding?: string | undefined;
  /** Path of the bitstream in the package. */
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
