// Writes a Brotli and a gzip version next to each file that gets smaller, as static hosts expect them.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const CODINGS = [
  ["br", (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })],
  ["gz", (bytes) => promisify(gzip)(bytes, { level: 9 })],
];

/** Compresses files of a folder. */
export async function compress(folder, files) {
  await Promise.all(files.map(async (file) => {
    const bytes = await readFile(join(folder, file));
    for (const [ending, pack] of CODINGS) {
      const packed = await pack(bytes);
      if (packed.length < bytes.length) await writeFile(join(folder, `${file}.${ending}`), packed);
    }
  }));
}
