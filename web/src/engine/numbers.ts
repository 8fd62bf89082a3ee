// Counts what valid documents contain: period, lengths, digests, media types, changes.

import { entries, init, type Entry } from "resourcesync/lite";
import type { Given } from "../state.js";

/** The contents of one document. */
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
}

/** The maximum number of documents read. */
export const MOST = 200;
/** The maximum number of media types counted. */
const MOST_TYPES = 1_000;

/** Reads the documents among the given files; a file that cannot be read has no numbers. */
export async function numbers(given: readonly Given[], wasm: WebAssembly.Module): Promise<Numbers[]> {
  await init(wasm);
  const all: Numbers[] = [];
  for (const own of given.filter(({ name }) => !/\.zip$/i.test(name)).slice(0, MOST)) {
    const found = await of(own).catch(() => null);
    if (found) all.push(found);
  }
  return all;
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

  take({ length, hashes, type, change, capability, datetime, lastmod }: Entry): void {
    this.#entries += 1;
    if (change !== "deleted") {
      this.#existing += 1;
      if (length !== undefined) {
        this.#withLength += 1;
        this.#bytes += Number(length);
      }
      const algorithms = Object.keys(hashes ?? {});
      if (algorithms.length > 0) this.#withDigest += 1;
      for (const algorithm of algorithms) add(this.#algorithms, algorithm);
    }
    if (type) add(this.#types, type);
    if (change) add(this.#changes, change);
    if (capability) add(this.#capabilities, capability);
    const text = datetime ?? lastmod;
    const moment = text ? Date.parse(text) : Number.NaN;
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
