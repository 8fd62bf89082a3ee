/** The memory of the module does not grow with the document, nor does that of a value that is kept. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { entries } from "resourcesync";

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

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

/** The memory in MiB that what is kept of the entries of a list takes, and how many there are. The list has more than 46 MB. */
async function kept(entry, keep) {
  async function* list() {
    yield HEAD;
    for (let number = 0; number < 50_000; number += 250) yield Array.from({ length: 250 }, (_, at) => entry(number + at)).join("");
    yield "</urlset>";
  }
  const all = [];
  collect();
  const before = process.memoryUsage().heapUsed;
  let number = 0;
  for await (const one of entries(list())) all.push(...keep(one, number++));
  collect();
  return [(process.memoryUsage().heapUsed - before) / MIB, all.length];
}

const filler = "x".repeat(900);

test("values of one in a hundred entries keep little of what was read", async () => {
  const entry = (number) => `<url><loc>http://example.com/${number}/${filler}</loc><lastmod>2024-01-01T00:00:00.${number}Z</lastmod></url>`;
  const [grown, count] = await kept(entry, ({ uri, lastmod }, number) => (number % 100 === 0 ? [uri, lastmod] : []));
  assert.equal(count, 1000);
  assert.ok(grown < 16, `${grown.toFixed(1)} MiB`);
});

test("the URIs of all entries do not keep their links", async () => {
  const entry = (number) => `<url><loc>http://example.com/${number}/</loc><rs:ln rel="describedby" href="http://example.com/${filler}/${number}"/></url>`;
  const [grown, count] = await kept(entry, ({ uri }) => [uri]);
  assert.equal(count, 50_000);
  assert.ok(grown < 12, `${grown.toFixed(1)} MiB`);
});
