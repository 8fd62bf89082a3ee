// Counts what valid documents and packages contain: period, lengths, digests, media types, changes, members.

import { entries, init, openPackage, type Entry } from "resourcesync/lite";
import type { Given } from "../state.js";
import { isDatetime } from "./datetime.js";

/** The contents of one document, or of the manifest of a package. */
export interface Numbers {
  name: string;
  kind: string;
  /** The times of its root. */
  time: { at?: string; completed?: string; from?: string; until?: string };
  entries: number;
  /** Entries of resources that exist: a deleted one has neither length nor digest. */
  existing: number;
  /** How many of these have a declared length, and the sum of the lengths. */
  withLength: number;
  bytes: number;
  withDigest: number;
  algorithms: [name: string, entries: number][];
  types: [name: string, entries: number][];
  changes: [name: string, entries: number][];
  /** Kinds of the documents it lists. */
  capabilities: [name: string, entries: number][];
  /** The latest time of an entry, as written. */
  newest?: string;
  /** Of a package: its members. */
  members?: Members;
}

/** The members of a package, without its manifest. */
export interface Members {
  files: number;
  bytes: number;
  packedBytes: number;
  /** The largest ones, and their bytes. */
  largest: [name: string, bytes: number][];
}

/** The maximum number of documents read. */
export const MOST = 200;
/** The maximum number of media types counted. */
const MOST_TYPES = 1_000;
/** Largest members that are named. */
const LARGEST = 3;

/** Reads the given files; a file that cannot be read has no numbers. */
export async function numbers(given: readonly Given[], wasm: WebAssembly.Module): Promise<Numbers[]> {
  await init(wasm);
  const all: Numbers[] = [];
  for (const own of given.slice(0, MOST)) {
    const found = await ofEither(own).catch(() => null);
    if (found) all.push(found);
  }
  return all;
}

/** Packages begin with `PK`, whatever they are called. */
async function ofEither(own: Given): Promise<Numbers> {
  return (await own.file.slice(0, 2).text()) === "PK" ? ofPackage(own) : of(own);
}

async function of({ name, file }: Given): Promise<Numbers> {
  const stream = entries(file);
  const first = await stream.next();
  const { kind, head } = await stream.head;
  const { at, completed, from, until } = head;
  const count = new Count();
  if (!first.done) count.take(first.value);
  for await (const entry of stream) count.take(entry);
  return { name, kind, time: { ...(at && { at }), ...(completed && { completed }), ...(from && { from }), ...(until && { until }) }, ...count.all() };
}

/** A package: its directory and its manifest are read, and no other member. */
async function ofPackage({ name, file }: Given): Promise<Numbers> {
  const { kind, members, absent } = await openPackage(file, { name, fixity: false });
  const count = new Count();
  const files = members.filter(({ kind }) => kind === "file");
  for (const { resources } of files) resources.forEach((resource) => count.take(resource));
  absent.forEach((resource) => count.take(resource));
  const sum = (sizes: readonly (number | bigint)[]) => sizes.reduce<number>((all, size) => all + Number(size), 0);
  const largest = files.map(({ name, size }): [string, number] => [name, Number(size)]).sort(([, one], [, other]) => other - one).slice(0, LARGEST);
  return { name, kind, time: {}, ...count.all(), members: { files: files.length, bytes: sum(files.map(({ size }) => size)), packedBytes: sum(files.map(({ packedSize }) => packedSize)), largest } };
}

/** What is counted of an entry, be it of a document or of the manifest of a package. */
type Counted = Pick<Entry, "length" | "type" | "change" | "capability" | "datetime" | "lastmod"> & { hashes?: Entry["hashes"]; hash?: string };

class Count {
  #entries = 0;
  #existing = 0;
  #withLength = 0;
  #bytes = 0;
  #withDigest = 0;
  #newest = { text: "", moment: Number.NEGATIVE_INFINITY };
  readonly #algorithms = new Map<string, number>();
  readonly #types = new Map<string, number>();
  readonly #changes = new Map<string, number>();
  readonly #capabilities = new Map<string, number>();

  take({ length, hashes, hash, type, change, capability, datetime, lastmod }: Counted): void {
    this.#entries += 1;
    if (change !== "deleted") {
      this.#existing += 1;
      if (length !== undefined) {
        this.#withLength += 1;
        this.#bytes += Number(length);
      }
      const algorithms = hashes ? Object.keys(hashes) : (hash?.match(/\S+/g) ?? []).map((own) => own.split(":")[0] ?? "");
      if (algorithms.length > 0) this.#withDigest += 1;
      for (const algorithm of algorithms) add(this.#algorithms, algorithm);
    }
    if (type) add(this.#types, type);
    if (change) add(this.#changes, change);
    if (capability) add(this.#capabilities, capability);
    const text = datetime ?? lastmod;
    const moment = text && isDatetime(text) ? Date.parse(text) : Number.NaN;
    if (text && moment > this.#newest.moment) this.#newest = { text, moment };
  }

  all(): Omit<Numbers, "name" | "kind" | "time"> {
    return {
      entries: this.#entries, existing: this.#existing, withLength: this.#withLength, bytes: this.#bytes, withDigest: this.#withDigest,
      algorithms: most(this.#algorithms), types: most(this.#types), changes: most(this.#changes), capabilities: most(this.#capabilities),
      ...(this.#newest.text && { newest: this.#newest.text }),
    };
  }
}

function add(counts: Map<string, number>, name: string): void {
  if (counts.has(name) || counts.size < MOST_TYPES) counts.set(name, (counts.get(name) ?? 0) + 1);
}

function most(counts: Map<string, number>): [string, number][] {
  return [...counts].sort(([, one], [, other]) => other - one);
}
