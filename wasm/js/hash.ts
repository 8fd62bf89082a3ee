/** Lengths and digests. */

import { init } from "./loading.js";
import { free, glue, inside } from "./module.js";
import { known, texts } from "./check-args.js";
import { reading } from "./input.js";
import type { Hashed, ByteSource } from "./types.js";

/** Options of `hash`. */
export interface HashOptions {
  /** Rejects the promise with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The length in bytes and the digests of a source, which is read once: `md5`, `sha-1`, `sha-256`, `sha-384`, `sha-512`.
 *
 * Rejected with an `OptionError` for any other algorithm, and a `SourceError` if the source cannot be read.
 */
export async function hash(source: ByteSource, algorithms: readonly string[] = ["sha-256"], options: HashOptions = {}): Promise<Hashed> {
  texts(algorithms, "algorithms");
  known(options, ["signal"]);
  await init();
  const hasher = inside(() => new glue.Hasher([...algorithms]));
  let length = 0;
  try {
    for await (const window of reading(source, options.signal)) {
      inside(() => hasher.push(window));
      length += window.length;
    }
    const listed = inside(() => hasher.finish()).split(" ").filter((one) => one !== "");
    return { length, hashes: Object.fromEntries(listed.map((one) => one.split(":") as [string, string])) };
  } catch (error) {
    free(hasher);
    throw error;
  }
}
