/** Lengths and digests, for whoever publishes. */

import { free, glue, init, inside } from "./module.js";
import { reading } from "./one.js";
import type { Hashed, Source } from "./types.js";

/** The length and the digests of something, read once: `md5`, `sha-1`, `sha-256`, `sha-384`, `sha-512`. */
export async function hash(source: Source, algorithms: readonly string[] = ["sha-256"]): Promise<Hashed> {
  await init();
  const hasher = inside(() => new glue.Hasher([...algorithms]));
  let length = 0;
  try {
    for await (const window of reading(source)) {
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
