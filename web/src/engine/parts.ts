// The lists of an index that are not at hand.

import { unescaped } from "../address.js";

/** The name of a list that an index has and that is not among the files; folders are not compared, like by `resourcesync diff`. */
export function missingPart(uris: readonly string[], files: readonly { name: string }[]): string | undefined {
  const names = new Set(files.map(({ name }) => last(name)));
  return uris.map((uri) => unescaped(last(uri))).find((name) => !names.has(name));
}

function last(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
