/** The changes between two inventories. */

import { asText, moment, type GivenEntry, type Moment } from "./given.js";
import type { Entry } from "./model.js";
import { free, glue, inside } from "./module.js";
import { iterable } from "./check-args.js";
import type { Kind } from "./types.js";

/** In what two versions of a resource differ. */
export type Aspect = "digest" | "length" | "lastmod" | "type" | "encoding" | "links";

/** A resource that differs between two inventories. */
export interface Difference {
  change: "created" | "updated" | "deleted";
  uri: string;
  /** For an update, in what the versions differ. */
  differs: Aspect[];
  /** What the old inventory says; absent if the resource was created. */
  old?: Entry;
  /** What the new inventory says; absent if the resource was deleted. */
  new?: Entry;
}

/**
 * Compares two inventories, both sorted bytewise by URI, in constant memory. Returns entries for a Change List with changes at
 * the given time. A resource is unchanged if its digests are the same or, if there are none in common, its length and lastmod.
 * Throws an `OptionError` if an inventory is out of order or contains a URI twice.
 */
export function* diff(old: Iterable<GivenEntry>, next: Iterable<GivenEntry>, at: Moment): Generator<Entry> {
  const when = moment(at, "the moment");
  yield* walk(old, next, (found) => found.next(when) as Entry | undefined);
}

/** Compares like `diff`, and returns what both inventories say of each resource that differs. */
export function differences(old: Iterable<GivenEntry>, next: Iterable<GivenEntry>): Generator<Difference> {
  return walk(old, next, (found) => found.versions() as Difference | undefined);
}

/**
 * Why the resources that documents of these kinds list cannot be compared: one of them does not list resources, or the kinds differ.
 * `undefined` if they can.
 */
export function incomparable(old: Kind, next: Kind): "no-resources" | "kinds" | undefined {
  return inside(() => glue.incomparable(old, next)) as "no-resources" | "kinds" | undefined;
}

function* walk<T>(old: Iterable<GivenEntry>, next: Iterable<GivenEntry>, step: (found: glue.Differences) => T | undefined): Generator<T> {
  iterable(old, "what was there");
  iterable(next, "what is there");
  const [before, after] = [old[Symbol.iterator](), next[Symbol.iterator]()];
  const found = inside(() => new glue.Differences(giver(before), giver(after)));
  try {
    for (;;) {
      const one = inside(() => step(found));
      if (one === undefined) return;
      yield one;
    }
  } finally {
    free(found);
    before.return?.();
    after.return?.();
  }
}

function giver(entries: Iterator<GivenEntry>): () => Entry | undefined {
  return () => {
    const { done, value } = entries.next();
    return done ? undefined : asText<Entry>(value);
  };
}
