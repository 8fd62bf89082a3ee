// Writes a Brotli and a gzip version next to each file that gets smaller, as static hosts expect them.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const codings = (quality, level) => [
  ["br", (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })],
  ["gz", (bytes) => promisify(gzip)(bytes, { level })],
];

/** Compresses files of a folder: as far as possible, but modules in a few seconds if that has to do. */
export async function compress(folder, files, quick) {
  await Promise.all(files.map(async (file) => {
    const bytes = await readFile(join(folder, file));
    for (const [ending, pack] of codings(...(quick && file.endsWith(".wasm") ? [5, 6] : [11, 9]))) {
      const packed = await pack(bytes);
      if (packed.length < bytes.length) await writeFile(join(folder, `${file}.${ending}`), packed);
    }
  }));
}
