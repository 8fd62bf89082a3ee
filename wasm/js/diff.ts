/** The changes between two inventories. */

import { asText, moment, type GivenEntry, type Moment } from "./given.js";
import type { Entry } from "./model.js";
import { free, glue, inside } from "./module.js";
import { iterable } from "./check-args.js";

/**
 * Compares two inventories, both sorted bytewise by URI, in constant memory. Returns entries for a Change List with changes at
 * the given time. A resource is unchanged if its digests are the same or, if there are none in common, its length and lastmod.
 * Throws an `OptionError` if an inventory is out of order or contains a URI twice.
 */
export function* diff(old: Iterable<GivenEntry>, next: Iterable<GivenEntry>, at: Moment): Generator<Entry> {
  iterable(old, "what was there");
  iterable(next, "what is there");
  const when = moment(at, "the moment");
  const [before, after] = [old[Symbol.iterator](), next[Symbol.iterator]()];
  const differences = inside(() => new glue.Differences(giver(before), giver(after)));
  try {
    for (;;) {
      const change = inside(() => differences.next(when)) as Entry | undefined;
      if (change === undefined) return;
      yield change;
    }
  } finally {
    free(differences);
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
