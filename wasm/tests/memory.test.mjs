/** The memory of the module does not grow with the document. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as whole from "../js/glue/glue.js";
import * as small from "../js/glue/small/glue.js";

const HEAD = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:md capability="resourcelist" at="2024-01-01T00:00:00Z"/>`;
const MIB = 1 << 20;

for (const [name, glue] of [["core.wasm", whole], ["validate.wasm", small]]) test(`a list of fifty thousand entries and as many megabytes needs less than 16 MiB in ${name}`, () => {
  const { memory } = glue.initSync({ module: readFileSync(new URL(`../dist/${name}`, import.meta.url)) });
  const validation = new glue.Validation(new glue.Options(undefined), "list.xml", undefined, "argument");
  const push = (text) => validation.push(new TextEncoder().encode(text));
  push(HEAD);
  const filler = "x".repeat(900);
  for (let number = 0; number < 50_000; number += 250) {
    push(Array.from({ length: 250 }, (_, at) => `<url><loc>http://example.com/${filler}/${number + at}</loc></url>`).join("\n"));
  }
  push("</urlset>");
  const outcome = validation.finish();
  assert.equal(outcome.entries, 50_000);
  assert.ok(memory.buffer.byteLength <= 16 * MIB, `${memory.buffer.byteLength / MIB} MiB`);
});
