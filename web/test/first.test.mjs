// What a report says about itself at once: what it is about, how much was read, what is kept, where the command comes from.

import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, fits, give, over, root, sample, start } from "./page.mjs";

let session;
before(async () => (session = await start()));
after(() => session.close());

const kept = (page) => page.evaluate(() => new Promise((done) => {
  const open = indexedDB.open("resourcesync-page");
  open.onupgradeneeded = () => open.transaction.abort();
  open.onerror = () => done(0);
  open.onsuccess = () => {
    const all = open.result.transaction("summaries").objectStore("summaries").count();
    all.onsuccess = () => {
      open.result.close();
      done(all.result);
    };
  };
}));

test("where a document cannot be read to its end, the size says how much of it was read", async () => {
  const page = await session.open();
  const text = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><a></b>${" ".repeat(200_000)}</urlset>`;
  await give(page, { name: "broken.xml", mimeType: "application/xml", buffer: Buffer.from(text) });
  await over(page);
  await page.waitForFunction(() => /of 200.\d kB read/.test(document.querySelector(".verdict .size")?.textContent ?? ""));
  await give(page, sample("changelist.xml"));
  await session.leave(page);
  const other = await session.open();
  await give(other, { name: "wide.xml", mimeType: "application/xml", buffer: Buffer.from(`\ufeff${text.replace("<a></b>", "")}`, "utf16le") });
  await over(other);
  assert.doesNotMatch(await other.textContent(".verdict .numbers"), /read/);
  await session.leave(other);
});

test("the tab is called by the file and its verdict", async () => {
  const page = await session.open();
  await give(page, sample("changelist.xml"));
  await over(page);
  assert.equal(await page.title(), "Invalid: changelist.xml – ResourceSync validator");
  await give(page, sample("resourcelist.xml"));
  await page.waitForFunction(() => document.title === "Invalid: changelist.xml and 1 more – ResourceSync validator");
  await session.leave(page);
});

test("nothing is kept until the user was asked, once", async () => {
  const page = await session.open({ keep: null });
  await give(page, sample("changelist.xml"));
  await over(page);
  await page.waitForSelector(".keep-question");
  assert.equal(await kept(page), 0);
  for (const size of [{ width: 1440, height: 900 }, { width: 320, height: 700 }]) {
    await page.setViewportSize(size);
    await fits(page, `question at ${size.width} px`);
  }
  await accessible(page, "question", ".keep-question");
  await page.locator("[data-keep=yes]").click();
  await page.waitForSelector(".keep-question", { state: "detached" });
  for (let left = 50; left > 0 && await kept(page) === 0; left--) await page.waitForTimeout(100);
  assert.equal(await kept(page), 1);
  await page.reload();
  await over(page);
  assert.equal(await page.locator(".keep-question").count(), 0);
  await session.leave(page);

  const shared = await session.open({ keep: null, lang: "ja" });
  await give(shared, sample("changelist.xml"));
  await over(shared);
  await shared.locator("[data-keep=no]").click();
  await shared.goto(`${session.url}#/`);
  await shared.waitForSelector(".last-checks");
  assert.equal(await shared.isChecked("#keep"), false);
  assert.equal(await kept(shared), 0);
  await session.leave(shared);
});

test("each command leads to how it is installed, and the footer where the host says", async (t) => {
  const page = await session.open();
  await give(page, sample("changelist.xml"));
  await over(page);
  await page.locator(".repeat .install").click();
  await page.waitForSelector("dialog[open] .command");
  assert.match(await page.textContent("dialog[open] .command code"), /install/);
  await accessible(page, "installation", "dialog");
  await session.leave(page);

  const folder = mkdtempSync(join(tmpdir(), "site-"));
  const build = (site) => {
    writeFileSync(join(folder, "site.json"), JSON.stringify(site));
    execFileSync(process.execPath, [join(root, "web/build.mjs"), join(folder, "out"), "--site", join(folder, "site.json")], { stdio: "pipe" });
  };
  // What docs/page.md shows is accepted as it stands.
  const [, shown] = /```json\n(.*?)```/s.exec(readFileSync(join(root, "docs/page.md"), "utf8"));
  build(JSON.parse(shown));
  build({ project: "https://example.org/project", problems: "mailto:help@example.org", install: ["pip install resourcesync", "npm install -g resourcesync"] });
  const own = await start(join(folder, "out"));
  t.after(() => own.close());
  const hosted = await own.open();
  const links = await hosted.locator("footer a").evaluateAll((all) => all.map(({ href }) => href));
  assert.ok(links.includes("https://example.org/project") && links.includes("mailto:help@example.org"), links.join());
  await give(hosted, sample("changelist.xml"));
  await over(hosted);
  await hosted.locator(".repeat .install").click();
  await hosted.waitForSelector("dialog[open] .command");
  assert.equal(await hosted.locator("dialog[open] .command").count(), 3);
  assert.equal(await hosted.textContent(".brand"), "ResourceSync validator");

  // The file beside the page is enough, without a build; what is wrong in it does not count.
  const put = (site) => writeFileSync(join(folder, "out/site.json"), typeof site === "string" ? site : JSON.stringify(site));
  put({ title: { en: "Example Library", ja: "例示図書館 ResourceSync 検証" }, language: "ja", links: [{ text: { en: "Help", ja: "ヘルプ" }, href: "https://example.org/help" }], contact: "javascript:alert(1)" });
  const branded = await own.open({ lang: "fr" });
  assert.equal(await branded.textContent(".brand"), "例示図書館 ResourceSync 検証");
  assert.match(await branded.title(), /^例示図書館/);
  assert.equal(await branded.textContent("h1"), "例示図書館 ResourceSync 検証");
  const hrefs = await branded.locator("footer a").evaluateAll((all) => all.map((link) => [link.textContent, link.getAttribute("href")]));
  assert.deepEqual(hrefs.filter(([text]) => text === "ヘルプ" || text === "問い合わせ"), [["ヘルプ", "https://example.org/help"]]);
  for (const width of [1440, 375, 320]) {
    await branded.setViewportSize({ width, height: 800 });
    await fits(branded, `branded, ${width} px`);
  }
  await accessible(branded, "branded");
  await branded.locator("#language").click();
  assert.equal(await branded.textContent(".brand"), "Example Library");
  assert.deepEqual(branded.complaints, []);
  await session.leave(branded);
  const english = await own.open({ lang: "en" });
  assert.equal(await english.textContent(".brand"), "Example Library", "the language of the browser is preferred");
  await session.leave(english);
  put("{ broken");
  const usual = await own.open();
  assert.equal(await usual.textContent(".brand"), "ResourceSync validator");
  await session.leave(usual);

  assert.throws(() => build({ projekt: "https://example.org/" }), /projekt/);
  assert.throws(() => build({ project: "javascript:alert(1)" }), /project/);
  rmSync(folder, { recursive: true });
});
