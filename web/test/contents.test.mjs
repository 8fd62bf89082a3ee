// What the page shows of a valid document and of a valid Source.

import { strict as assert } from "node:assert";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, fits, give, over, sample, start } from "./page.mjs";
import { source, write } from "./source-set.mjs";
import { archive, changeDump, manifest } from "./zip.mjs";

let session;
before(async () => (session = await start()));
after(() => session.close());

/** The rows of a card, as `name: value`. */
const rows = (page, at = 0) => page.locator(".contents-list .fact-card").nth(at).locator("dl > div").evaluateAll((rows) =>
  Object.fromEntries(rows.map((row) => [row.children[0].textContent, row.children[1].textContent])));
const known = (page) => page.waitForSelector(".contents-list[data-known=true]");

test("a valid Resource List shows its numbers", async () => {
  const page = await session.open();
  await give(page, sample("resourcelist.xml"));
  await over(page);
  await known(page);
  assert.deepEqual(await rows(page), {
    Snapshot: "2026-04-01T09:00:00Z – 2026-04-01T09:01:30Z",
    Entries: "3",
    "Total length": "207.9 kB (3 of 3 entries, 100%)",
    Digests: "2 of 3 entries, 67% (sha-256: 1, md5: 1)",
    "Media types": "text/html: 1, application/pdf: 1, image/png: 1",
    "Newest change": "2026-03-30T08:15:00Z",
  });
  assert.match(await page.textContent(".next"), /Choose a folder.*--format github resourcelist\.xml/s);
  await session.leave(page);
});

test("names of digests are not broken at their hyphen, whatever the width", async () => {
  const page = await session.open({ size: "phone" });
  await give(page, sample("resourcelist.xml"));
  await over(page);
  await known(page);
  for (let width = 320; width <= 460; width += 4) {
    await page.setViewportSize({ width, height: 844 });
    const lines = await page.evaluate(() => {
      const walk = document.createTreeWalker(document.querySelector(".contents-list"), NodeFilter.SHOW_TEXT);
      while (walk.nextNode()) {
        const at = walk.currentNode.data.indexOf("sha-256");
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(walk.currentNode, at);
        range.setEnd(walk.currentNode, at + "sha-256".length);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size;
      }
    });
    assert.equal(lines, 1, `${width} px`);
  }
  await session.leave(page);
});

test("a valid package shows its members, sizes, types, digests and the largest of them", async () => {
  const page = await session.open();
  const members = [["/small.pdf", "a"], ["/large.pdf", "b".repeat(2_500)]].map(([path, data]) => ({ path, name: path.slice(1), data, length: data.length, sha256: createHash("sha256").update(data).digest("hex") }));
  const zip = archive([{ name: "manifest.xml", data: manifest(members) }, ...members]);
  await give(page, { name: "dump.zip", mimeType: "application/zip", buffer: zip });
  await over(page);
  await known(page);
  assert.deepEqual(await rows(page), {
    Members: "2 files, 2.5 kB (2.5 kB in the package)", "Entries of the manifest": "2", "Total length": "2.5 kB (2 of 2 entries, 100%)", Digests: "2 of 2 entries, 100% (sha-256: 2)",
    "Media types": "application/pdf: 2", "Largest members": "large.pdf (2.5 kB), small.pdf (1 byte)",
  });
  await fits(page, "a package");
  await session.leave(page);

  const changes = await session.open();
  await give(changes, { name: "changes", mimeType: "application/zip", buffer: changeDump().package });
  await over(changes);
  await known(changes);
  const own = await rows(changes);
  assert.equal(own.Members, "1 file, 18 bytes (18 bytes in the package)");
  assert.equal(own.Changes, "updated: 1, deleted: 1");
  assert.equal(own.Digests, "1 of 1 entries that are not deletions, 100% (sha-256: 1)");
  await session.leave(changes);
});

test("a valid Source shows its sets and documents, and an input shows its own", async () => {
  const page = await session.open();
  await page.locator(".samples button").nth(3).click();
  await over(page);
  await known(page);
  const cards = page.locator(".fact-card");
  assert.equal(await cards.count(), 5);
  assert.match(await cards.first().textContent(), /Change List: 1, Resource List: 1.*3 \(207\.9 kB\)/s);
  assert.equal((await rows(page, 0)).Documents, "Capability List: 1");
  assert.equal((await rows(page, 3)).Period, "since 2026-04-01T09:00:00Z");
  await page.locator(".tree .node", { hasText: "changelist.xml" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".fact-card").length === 1);
  assert.equal((await rows(page)).Changes, "updated: 1, deleted: 1");
  assert.match(await page.textContent(".next"), /validate --follow https:\/\/repository\.example\.org\//);
  await session.leave(page);
});

for (const look of [{ lang: "en", theme: "light", size: "desktop" }, { lang: "ja", theme: "dark", size: "phone" }]) {
  test(`the contents are accessible: ${Object.values(look).join(", ")}`, async () => {
    const page = await session.open(look);
    await page.locator(".samples button").nth(3).click();
    await over(page);
    await known(page);
    await accessible(page, "contents");
    await fits(page, "contents");
    assert.deepEqual(page.complaints, []);
    await session.leave(page);
  });
}

test("a URI of a Source is no command for a shell", async () => {
  const folder = mkdtempSync(join(tmpdir(), "quoted-"));
  const base = "https://example.org/$(touch$IFS/tmp/x)/";
  const files = source({ sets: 1, changeLists: 1 });
  write(folder, Object.fromEntries(Object.entries(files).map(([name, text]) => [name, text.replaceAll("https://repository.example.org/", base)])));
  const page = await session.open();
  await page.setInputFiles("#folder", folder);
  await over(page);
  rmSync(folder, { recursive: true });
  const commands = await page.locator(".next .command code, .repeat .command code").allTextContents();
  assert.equal(commands.length, 3);
  for (const text of commands) assert.equal(text.replaceAll(`'${base}'`, "").includes("$"), false, text);
  await session.leave(page);
});
