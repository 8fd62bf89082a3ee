/** The cases of whole Sources: every report is byte for byte that of the Rust code, in any order of responses. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { crawl, toJson } from "resourcesync";

import { load, sources } from "./cases.mjs";

/** The content of each URI, as described in README.md of the corpus. */
function places(folder, { from, web = {}, edit = {} }) {
  const all = new Map();
  const put = (map, folder) => {
    for (const [uri, place] of Object.entries(map)) {
      if (place) all.set(uri, { ...place, folder });
      else all.delete(uri);
    }
  };
  if (from) put(JSON.parse(readFileSync(join(folder, from), "utf8")), dirname(join(folder, from)));
  put(web, folder);
  for (const [uri, edits] of Object.entries(edit)) {
    const place = all.get(uri);
    const body = edits.reduce((text, [old, next]) => {
      assert.ok(text.includes(old), `${uri} has no ${old}`);
      return text.replaceAll(old, () => next);
    }, bytes(place).toString());
    all.set(uri, { ...place, body, file: undefined, repeat: undefined });
  }
  return all;
}

function bytes({ body, file, repeat, folder }) {
  const plain = body === undefined ? (file ? readFileSync(join(folder, file)) : Buffer.alloc(0)) : Buffer.from(body);
  if (!repeat) return plain;
  const text = plain.toString();
  const at = text.lastIndexOf("</");
  const parts = Array.from({ length: repeat.count }, (_, n) => repeat.text.replaceAll("{n}", String(n + 1)));
  return Buffer.from(text.slice(0, at) + parts.join("") + text.slice(at));
}

async function crawled({ path, body }, concurrency) {
  const own = JSON.parse(body);
  const all = places(dirname(path), own);
  const { start = ["http://example.com/"], files, documents, resources, packages } = own.following ?? {};
  const options = { concurrency, files, documents, packages, resources: resources?.sample ?? resources };
  if (own.earlier) options.earlier = await crawled(load(join(dirname(path), own.earlier)), concurrency);
  let asked = 0;
  options.fetch = async (uri) => {
    // Later requests get earlier responses.
    await new Promise((go) => setTimeout(go, concurrency > 1 ? 5 - (asked++ % 5) : 0));
    let place = all.get(uri);
    while (place?.redirect) place = all.get((uri = place.redirect));
    if (!place) return { notFound: { code: "http-status", args: { status: "404" } } };
    const { missed, status, headers } = place;
    if (missed) return Object.fromEntries(Object.entries(missed).map(([how, { reason }]) => [how, reason]));
    return { uri, status, headers, body: bytes(place), isRawBody: true };
  };
  return crawl(start, options);
}

const all = sources();

test("cases of whole Sources are there", () => assert.ok(all.length > 90));

for (const one of all) {
  test(`${one.name} gives the expected bytes`, async () => {
    const expected = one.report();
    for (const concurrency of [1, 8]) assert.equal(toJson(await crawled(one, concurrency)), expected, `${concurrency} at a time`);
  });
}

test("bodies are requested without a content coding, which node does not check", async (context) => {
  const asked = [];
  context.mock.method(globalThis, "fetch", async (uri, { headers }) => (asked.push([uri, headers]), new Response("", { status: 404 })));
  await crawl("http://example.com/");
  assert.ok(asked.length > 0 && asked.every(([, headers]) => headers["Accept-Encoding"] === "identity"), JSON.stringify(asked));
});
