/** A Blob is read to its end in Chromium even if memory is collected while waiting for its bytes. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { begin, folders, serve } from "./chromium.mjs";

/** Milliseconds after which a response is considered lost. */
const NEVER = 20_000;

let browser, server;
before(async () => {
  browser = await begin("--js-flags=--expose-gc");
  server = await serve(folders, { "/": "<!doctype html><title>a page</title>" });
});
after(async () => {
  await browser?.close();
  server?.close();
});

test("what is waited for is not collected", async () => {
  const page = await browser.newPage();
  await page.goto(server.url);
  const verdicts = await page.evaluate(async (never) => {
    const { init, verifyPackage } = await import("/dist/browser.js");
    await init();
    const blob = await (await fetch("/corpus/zip/PKG-01/plain/package.zip")).blob();
    const all = new Set();
    for (let round = 0; round < 100; round++) {
      const verdict = verifyPackage(blob).then((report) => report.verdict);
      gc();
      setTimeout(gc);
      all.add(await Promise.race([verdict, new Promise((give) => setTimeout(give, never, "never"))]));
      if (all.has("never")) break;
    }
    return [...all];
  }, NEVER);
  assert.deepEqual(verdicts, ["valid"]);
  await page.close();
});
