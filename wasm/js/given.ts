/** What a program gives to be written: parts of documents, in which a time may be a `Date`, and a URI a `URL`. */

import { OptionError } from "./errors.js";
import type { Entry, Head, Link } from "./model.js";

/** A point in time: text in a format of the standard, or a `Date`. */
export type Moment = string | Date;
/** A URI: text, or a `URL`. */
export type Uri = string | URL;

const MOMENTS = ["lastmod", "datetime", "at", "completed", "from", "until", "modified"] as const;
const URIS = ["uri", "href"] as const;
/** What an entry, and a link, consist of. */
const ENTRY: readonly (keyof Entry)[] = [
  "uri", "lastmod", "changefreq", "priority", "change", "datetime", "capability", "at", "completed", "from", "until", "hashes", "length", "type", "encoding", "path",
  "links", "attributes", "elements",
];
const LINK: readonly (keyof Link)[] = ["rel", "href", "pri", "modified", "hashes", "length", "type", "encoding", "path", "attributes"];

/** A part of a document to write: a time may be a `Date`, and a URI a `URL`. */
export type Given<T> = {
  [K in keyof T]: K extends (typeof MOMENTS)[number] ? T[K] | Date : K extends (typeof URIS)[number] ? T[K] | URL : K extends "links" ? Given<Link>[] | undefined : T[K];
};
/** An entry to write. */
export type GivenEntry = Given<Entry>;
/** The root metadata of a document to write. */
export type GivenHead = Given<Head>;

/** The same part of a document, with text for each `Date` and `URL`. Everything else is checked by the module. */
export function asText<T extends Entry | Head | Link>(given: Given<T>, names: readonly string[] = ENTRY): T {
  if (typeof given !== "object" || given === null) return given;
  const from = given as Readonly<Record<string, unknown>>;
  const texts: Record<string, unknown> = {};
  // What a class has in getters is not its own, and would be lost in a copy and on the way to a worker.
  if (!Array.isArray(given) && Object.getPrototypeOf(given) !== Object.prototype) for (const name of names) if (from[name] !== undefined) texts[name] = from[name];
  for (const name of MOMENTS) if (from[name] instanceof Date) texts[name] = moment(from[name], `\`${name}\``);
  for (const name of URIS) if (from[name] instanceof URL) texts[name] = from[name].href;
  const links = from["links"];
  if (Array.isArray(links)) {
    const own = links.map((link: Given<Link>) => asText<Link>(link, LINK));
    if (own.some((link, place) => link !== links[place])) texts["links"] = own;
  }
  return (Object.keys(texts).length === 0 ? given : { ...given, ...texts }) as T;
}

/** A record of a resource, as text. Throws an `OptionError` if it is one of a change: it would be published as a resource that is there. */
export function asResource(record: GivenEntry): Entry {
  const entry = asText<Entry>(record);
  for (const name of ["change", "datetime"] as const) {
    if (entry?.[name] !== undefined) throw new OptionError(`a record with \`${name}\` is a change: state changes with \`upsert\` and \`delete\` of a \`Source\``);
  }
  return entry;
}

/** A time as text. Throws an `OptionError` that names it if it is neither text nor a valid `Date`. */
export function moment(value: unknown, what: string): string {
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  if (typeof value === "string") return value;
  throw new OptionError(`${what} has to be text such as \`2024-05-01T00:00:00Z\`, or a valid Date`);
}

/** A URI as text. Throws an `OptionError` that names it if it is neither text nor a `URL`. */
export function uri(value: unknown, what: string): string {
  if (value instanceof URL) return value.href;
  if (typeof value === "string") return value;
  throw new OptionError(`${what} has to be text or a URL`);
}
