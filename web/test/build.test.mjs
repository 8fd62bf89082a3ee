// The build view: its documents are valid.

import { strict as assert } from "node:assert";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, over, start } from "./page.mjs";

let session;
let folder;
before(async () => {
  session = await start();
  folder = mkdtempSync(join(tmpdir(), "page-"));
});
after(async () => {
  await session.close();
  rmSync(folder, { recursive: true, force: true });
});

async function built(page) {
  await page.locator("form button[type=submit]").click();
  await page.waitForSelector(".made li, .build-view [role=alert] .verdict");
}

test("from URIs comes a Source without a finding", async () => {
  const page = await session.open({ hash: "#/build" });
  await page.fill("#build-uris", "https://example.org/dataset/a.html 2026-03-12T13:00:00Z\nhttps://example.org/dataset/図版.png\n");
  await page.fill("#build-base", "https://example.org/dataset/");
  await page.fill("#build-about", "https://example.org/about.html");
  await built(page);
  assert.equal(await page.locator(".made li").count(), 3);
  await accessible(page, "built");
  await page.getByRole("button", { name: "Validate", exact: true }).click();
  assert.equal(await over(page), "done");
  assert.equal(await page.textContent(".verdict h1"), "Valid");
  assert.match(await page.textContent(".contents"), /No findings/);
  assert.match(await page.textContent(".whole"), /Validated as a whole Source under https:\/\/example\.org\//);
  await page.context().close();
});

test("from a folder come entries with length, type and digests", async () => {
  mkdirSync(join(folder, "dataset/sub"), { recursive: true });
  writeFileSync(join(folder, "dataset/hello.txt"), "hello");
  writeFileSync(join(folder, "dataset/sub/図 1.png"), "png");
  const page = await session.open({ hash: "#/build", lang: "ja" });
  await page.setInputFiles("#build-folder", join(folder, "dataset"));
  await page.fill("#build-base", "https://example.org/dataset/");
  await page.getByLabel("MD5").check();
  await built(page);
  const list = page.locator(".made li").last();
  await list.locator("summary").click();
  const text = await list.locator("pre").textContent();
  assert.match(text, /https:\/\/example\.org\/dataset\/hello\.txt/);
  assert.match(text, /sha-256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824/);
  assert.match(text, /md5:5d41402abc4b2a76b9719d911017c592/);
  assert.match(text, /length="5"/);
  assert.match(text, /sub\/%E5%9B%B3%201\.png/);
  await accessible(page, "built from a folder");
  await page.context().close();
});

test("more than 50,000 resources are split, with an index", async () => {
  const page = await session.open({ hash: "#/build" });
  await page.evaluate((count) => {
    const text = document.querySelector("#build-uris");
    text.value = Array.from({ length: count }, (_, at) => `https://example.org/dataset/${at}`).join("\n");
    text.dispatchEvent(new Event("input"));
  }, 50_001);
  await page.fill("#build-base", "https://example.org/dataset/");
  await built(page);
  assert.equal(await page.locator(".made li").count(), 5);
  await page.getByRole("button", { name: "Validate", exact: true }).click();
  assert.equal(await over(page, 60_000), "done");
  assert.equal(await page.textContent(".verdict h1"), "Valid");
  await page.context().close();
});

test("what cannot be listed is refused with a reason and a remedy", async () => {
  const page = await session.open({ hash: "#/build" });
  await page.fill("#build-base", "https://example.org/dataset/");
  await built(page);
  assert.match(await page.textContent("[role=alert]"), /Enter URIs or choose a folder first/);
  await page.fill("#build-uris", "not a uri\n");
  await built(page);
  assert.match(await page.textContent("[role=alert]"), /Could not build the documents/);
  await accessible(page, "refused");
  await page.fill("#build-base", "example.org");
  await built(page);
  assert.match(await page.textContent("[role=alert]"), /ends with a slash/);
  await page.context().close();
});
