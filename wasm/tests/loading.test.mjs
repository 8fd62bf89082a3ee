/** Loading the module: once for all callers, and again after a failure. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { init, initSync, NotReadyError, SourceError, validate } from "resourcesync/lite";

const bytes = readFileSync(new URL("../dist/core.wasm", import.meta.url));
const LIST = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"></urlset>';

test("what is no module is said, and does not stand in the way of one", async () => {
  assert.throws(() => initSync(new Uint8Array(8)), SourceError);
  await assert.rejects(init(new Uint8Array(8)), SourceError);
  await assert.rejects(init(new Response("", { status: 404 })), SourceError);
});

test("however many ask for it at once, one module is loaded and stays", async () => {
  let go;
  const gate = new Promise((open) => (go = open));
  async function* late() {
    yield bytes.subarray(0, 1000);
    await gate;
    yield bytes.subarray(1000);
  }
  const first = init(new Response(ReadableStream.from(late()), { headers: { "content-type": "application/wasm" } }));
  const second = init(bytes);
  // What is begun when the second says so must not be lost when the first arrives.
  async function* around() {
    yield LIST.slice(0, 20);
    await first;
    yield LIST.slice(20);
  }
  const begun = second.then(() => validate(around()));
  assert.throws(() => initSync(bytes), NotReadyError);
  setTimeout(go, 30);
  await Promise.all([first, init(), init(bytes)]);
  assert.equal((await begun).verdict, "invalid");
});
