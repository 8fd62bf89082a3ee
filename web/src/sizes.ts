// The size of many files: a browser may ask the file system for each, so the page gets its turn in between.

import type { Given } from "./state.js";
import { turn } from "./turn.js";

/** Files that are asked for at once. */
const PART = 50;

const known = new WeakMap<readonly Given[], Promise<number>>();

/** The sum of the sizes. */
export function sizeOf(given: readonly Given[]): Promise<number> {
  let sum = known.get(given);
  if (!sum) known.set(given, (sum = add(given)));
  return sum;
}

async function add(given: readonly Given[]): Promise<number> {
  let sum = 0;
  for (const [at, { file }] of given.entries()) {
    if (at % PART === PART - 1) await turn();
    sum += file.size;
  }
  return sum;
}
