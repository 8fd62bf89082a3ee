// Work in turns: long work is divided so that the page answers in between.

/** Resolves in a task of its own, after what the browser has to do. */
export function turn(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}

/** Slices of a list. */
export function* slices<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}
