/** The cases of whole Sources: the very bytes of every expected report, whatever answers first. */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";

import { toJson, walk } from "resourcesync";

import { corpus } from "./cases.mjs";

function folders(folder) {
  if (existsSync(join(folder, "case.json"))) return [folder];
  const below = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return below.flatMap((entry) => folders(join(folder, entry.name)));
}

const said = (folder) => JSON.parse(readFileSync(join(folder, "case.json"), "utf8"));

/** What is at each URI, as README.md of the corpus describes it. */
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

async function walked(folder, concurrency) {
  const own = said(folder);
  const all = places(folder, own);
  const { start = ["http://example.com/"], documents, resources, packages } = own.following ?? {};
  const options = { concurrency, documents, packages, resources: resources?.some ?? resources };
  if (own.earlier) options.earlier = await walked(join(folder, own.earlier), concurrency);
  let asked = 0;
  options.fetch = async (uri) => {
    // The later it was asked for, the sooner it answers.
    await new Promise((go) => setTimeout(go, concurrency > 1 ? 5 - (asked++ % 5) : 0));
    let place = all.get(uri);
    while (place?.redirect) place = all.get((uri = place.redirect));
    if (!place) return { missing: "the server answered 404" };
    const { missed, status, headers } = place;
    if (missed) return Object.fromEntries(Object.entries(missed).map(([how, { reason }]) => [how, reason]));
    return { uri, status, headers, body: bytes(place), isAsSent: true };
  };
  return walk(start, options);
}

const all = folders(join(corpus, "set"));

test("cases of whole Sources are there", () => assert.ok(all.length > 90));

for (const folder of all) {
  test(`${relative(corpus, folder)} gives the expected bytes`, async () => {
    const expected = readFileSync(join(folder, "expected.json"), "utf8");
    for (const concurrency of [1, 8]) assert.equal(toJson(await walked(folder, concurrency)), expected, `${concurrency} at a time`);
  });
}
