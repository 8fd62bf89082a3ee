/** A size budget for downloaded files. */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

const KIB = 1024;
/** Modules that were built to be tested are larger, and so is their JavaScript. */
const quick = existsSync(new URL("../../target/npm/quick", import.meta.url));
const packed = (name) => gzipSync(readFileSync(new URL(`../dist/${name}`, import.meta.url)), { level: 9 }).length;

for (const [name, budget] of [
  // What a page loads to validate.
  ["validate.wasm", 305 * KIB],
  // With the rules of OAI-PMH in both languages.
  ["core.wasm", 1325 * KIB],
  // Node alone reads it, from its disk. A quarter checks notifications and sends them to hubs.
  ["publish.wasm", 745 * KIB],
  ["notify.wasm", 500 * KIB],
  // The whole Destination, of which followers of Change Lists need half.
  ["sync.wasm", 700 * KIB],
  // 220 KiB are the tables of encodings.
  ["oai.wasm", 560 * KIB],
  ["hub.wasm", 410 * KIB],
  ["worker-script.js", 20 * KIB],
  ["worker.js", 1 * KIB],
  ["rules.en.json", 96 * KIB],
  ["rules.ja.json", 96 * KIB],
]) {
  test(`${name} is at most ${budget / KIB} KiB packed`, { skip: quick && !name.endsWith(".json") && "the modules are not optimized" }, () => {
    const size = packed(name);
    assert.ok(size <= budget, `${Math.ceil(size / KIB)} KiB`);
  });
}
