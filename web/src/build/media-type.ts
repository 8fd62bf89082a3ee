// Media types by file extension: those of the command, so that both list the same of a file.

import types from "./media-types.txt";

/** Lines of a type and its extensions, as in the `mime.types` of web servers. */
const TYPES = new Map(types.split("\n").filter((line) => !line.startsWith("#")).flatMap((line) => {
  const [type = "", ...endings] = line.split(" ");
  return endings.map((ending): [string, string] => [ending, type]);
}));

/** The media type of a file; `undefined` if its name does not determine it. */
export function mediaType(name: string): string | undefined {
  return TYPES.get(/[^/]\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "");
}
