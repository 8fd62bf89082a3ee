// The lists of an index or a Capability List that are not at hand.

import { unescaped } from "../address.js";

/**
 * The URI of a list that is not among the files. Files are found by their paths below the folder that was given; else, like by
 * `resourcesync diff`, folders are not compared, but lists of one name are counted.
 */
export function missingPart(uris: readonly string[], files: readonly { name: string }[]): string | undefined {
  const left = files.map(({ name }) => name);
  const takes = (isIt: (name: string) => boolean) => {
    const at = left.findIndex(isIt);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
  // Two documents may lead to the same list, in other spellings.
  const lists = [...new Map(uris.map((uri) => [unescaped(uri), uri]))];
  const others = lists.filter(([path]) => !takes((name) => path.endsWith(`/${name.slice(name.indexOf("/") + 1)}`)));
  return others.find(([path]) => !takes((name) => last(name) === last(path)))?.[1];
}

function last(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
