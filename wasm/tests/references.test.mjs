/** No export may have a single reference as its result, on which V8 of node 20 may abort. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import binaryen from "binaryen";
import { entries } from "resourcesync";

/** Each module once: those for tests are the same. */
const modules = new Map();
for (const [name, least] of [["core.wasm", 50], ["notify.wasm", 10], ["hub.wasm", 5], ["sync.wasm", 5], ["oai.wasm", 5]]) {
  const bytes = readFileSync(new URL(`../dist/${name}`, import.meta.url));
  if (![...modules.values()].some((known) => known.bytes.equals(bytes))) modules.set(name, { bytes, least });
}

for (const [name, { bytes, least }] of modules) test(`no export of ${name} has a reference as its only result`, () => {
  const module = binaryen.readBinary(bytes);
  const exported = Array.from({ length: module.getNumExports() }, (_, at) => binaryen.getExportInfo(module.getExportByIndex(at)));
  const functions = exported.filter(({ kind }) => kind === binaryen.ExternalFunction);
  const references = functions.filter(({ value }) => binaryen.getFunctionInfo(module.getFunction(value)).results === binaryen.externref);
  assert.ok(functions.length > least);
  assert.deepEqual(references.map(({ name }) => name), []);
});

test("thousands of readers that are left early, or never finished, end nothing", async () => {
  const head = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="resourcelist"/>';
  const list = `${head}${Array.from({ length: 200 }, (_, at) => `<url><loc>http://example.com/${at}</loc></url>`).join("")}</urlset>`;
  let taken = 0;
  for (let at = 0; at < 3000; at += 1) {
    for await (const { uri } of entries(list)) {
      taken += uri.length > 0;
      break;
    }
  }
  for (let at = 0; at < 3000; at += 1) taken += (await entries(list).next()).done === false;
  assert.equal(taken, 6000);
});
