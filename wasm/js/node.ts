/** The entry for node: ready at import, synchronous and without promises, so that `require` works too. */

import { fstatSync, readFileSync, readSync } from "node:fs";
import { readFile } from "node:fs/promises";

import { initSync } from "./module.js";
import { setTexts } from "./rules.js";
import { setFiles } from "./sources.js";

initSync(readFileSync(new URL("./core.wasm", import.meta.url)));
setTexts(async (lang) => JSON.parse(await readFile(new URL(`./rules.${lang}.json`, import.meta.url), "utf8")));

/** Room that is read into again and again: whoever reads has taken what was in it before he asks again. */
let room = new Uint8Array(0);

setFiles(
  ({ fd }, offset, length) => {
    if (room.length < length) room = new Uint8Array(length);
    const bytes = room.subarray(0, length);
    let filled = 0;
    while (filled < length) {
      const read = readSync(fd, bytes, filled, length - filled, offset + filled);
      if (read === 0) throw new Error("the file ends before its size");
      filled += read;
    }
    return bytes;
  },
  ({ fd }) => fstatSync(fd).size,
);

export * from "./api.js";
