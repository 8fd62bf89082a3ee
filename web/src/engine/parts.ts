// The lists of an index that are not at hand.

import { unescaped } from "../address.js";

/** The name of a list that an index has and that is not among the files. Folders are not compared, like by `resourcesync diff`, but lists of one name are counted. */
export function missingPart(uris: readonly string[], files: readonly { name: string }[]): string | undefined {
  const names = files.map(({ name }) => last(name));
  return uris.map((uri) => unescaped(last(uri))).find((name) => {
    const at = names.indexOf(name);
    return at < 0 || names.splice(at, 1).length === 0;
  });
}

function last(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
