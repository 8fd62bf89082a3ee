/** Surveys in Chromium: what node gives out, too. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";

import * as sync from "resourcesync/sync";

import { root } from "./cases.mjs";
import { begin, folders, serve } from "./chromium.mjs";
import { surveyed } from "./surveyed.mjs";

let browser, server;
before(async () => {
  browser = await begin();
  server = await serve({ ...folders, "/tests/": join(root, "wasm/tests") }, { "/": "<!doctype html><title>a page</title>" });
});
after(async () => {
  await browser?.close();
  server?.close();
});

test("a Source is surveyed, and its bytes are verified, as in node", async () => {
  const page = await browser.newPage();
  await page.goto(server.url);
  const found = await page.evaluate(async () => {
    const [sync, { surveyed }] = await Promise.all([import("/dist/sync.js"), import("/tests/surveyed.mjs")]);
    return surveyed(sync);
  });
  const expected = await surveyed(sync);
  assert.deepEqual(found, JSON.parse(JSON.stringify(expected)));
  assert.deepEqual([expected.first.length, expected.later, expected.verified], [3, ["deleted old"], ["one", "MISMATCH"]]);
});
