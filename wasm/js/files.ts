/** Open files of node, read at any offset. */

import { fstatSync, readSync } from "node:fs";

import type { Access } from "./sources.js";
import type { OpenFile } from "./types.js";

/** Bytes read at a time. */
const BLOCK = 1 << 20;

/** Random access to an open file, with a reused buffer. */
export function ofFile({ fd }: OpenFile): Access {
  let room = new Uint8Array(0);
  const read = (offset: number, length: number) => {
    if (room.length < length) room = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const count = readSync(fd, room, filled, length - filled, offset + filled);
      if (count === 0) throw new Error("unexpected end of file");
      filled += count;
    }
    return room.subarray(0, length);
  };
  const is = fstatSync(fd);
  if (!is.isFile()) throw new Error("it is no regular file, and has no length: give a stream, such as that of `createReadStream`");
  return { size: is.size, block: BLOCK, read };
}
