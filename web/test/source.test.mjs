// The document next to its findings: where a finding is, and which finding is there.

import { strict as assert } from "node:assert";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { accessible, give, over, sample, start } from "./page.mjs";

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

const marked = (page) => page.textContent(".source mark.shown");
const shows = (page, text) => page.waitForFunction((text) => document.querySelector(".source mark.shown")?.textContent === text, text);
const inView = (page) => page.evaluate(() => {
  const [mark, view] = [document.querySelector(".source mark.shown"), document.querySelector(".source")].map((element) => element.getBoundingClientRect());
  return mark.top >= view.top && mark.bottom <= view.bottom && mark.left >= view.left && mark.left < view.right;
});

test("a finding is shown in its document, and another one in the gutter can be chosen", async () => {
  const page = await session.open();
  await give(page, sample("changelist.xml"));
  await over(page);
  await page.locator(".finding", { hasText: "AT-21" }).click();
  await shows(page, "modified");
  assert.ok(await inView(page));
  assert.match(await page.textContent(".source-row:nth-child(13)"), /^\s*13/);
  await page.locator(".gutter-mark").first().click();
  await page.waitForFunction(() => document.querySelector(".finding[aria-current=true]")?.dataset.at === document.querySelector(".gutter-mark[aria-pressed=true]")?.dataset.at);
  await page.locator(".source mark", { hasText: "mirror/article-9.html" }).click();
  await page.waitForFunction(() => document.querySelector(".finding[aria-current=true]")?.textContent.includes("LK-03"));
  await shows(page, "mirror/article-9.html");
  await accessible(page, "source");
  await session.leave(page);
});

test("a related place is a link into the document", async () => {
  const page = await session.open();
  await give(page, sample("changelist.xml"));
  await over(page);
  await page.locator(".finding", { hasText: "13:40" }).click();
  await page.waitForSelector(".source mark.shown");
  await page.locator(".where button").click();
  await page.waitForFunction(() => document.querySelector(".source mark.shown")?.closest(".source-row").textContent.trim().startsWith("6"));
  assert.ok(await inView(page));
  assert.equal(await page.evaluate(() => document.activeElement.matches(".source")), true);
  await session.leave(page);
});

const entry = (at, digest) => `<url><loc>https://example.org/図/${at}</loc><rs:md hash="${digest}" length="1"/></url>`;
const list = (entries, between) => `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:ln rel="up" href="https://example.org/c.xml"/><rs:md capability="resourcelist" at="2026-04-01T09:00:00Z"/>${between}${entries.join(between)}</urlset>`;

for (const [name, between] of [["of one line", ""], ["of many lines", "\n"]]) {
  test(`a finding at the end of a large document ${name} is found, and the page stays responsive`, async (t) => {
    const entries = Array.from({ length: 400_000 }, (_, at) => entry(at, at === 399_990 ? "md5:wrong" : "md5:1e0d5cb8ef6ba40c99b14c0237be735a"));
    const file = join(folder, `large${between.length}.xml`);
    writeFileSync(file, list(entries, between));
    const page = await session.open();
    await give(page, file);
    assert.equal(await over(page, 120_000), "done");
    await page.evaluate(() => {
      window.longest = 0;
      new PerformanceObserver((all) => all.getEntries().forEach(({ duration }) => (window.longest = Math.max(window.longest, duration)))).observe({ type: "longtask" });
    });
    await page.locator(".finding", { hasText: "AT-0" }).first().click();
    await page.waitForSelector(".source mark.shown", { timeout: 60_000 });
    assert.equal(await marked(page), "wrong");
    assert.ok(await inView(page));
    assert.ok(await page.locator(".source-row").count() < 100, "only what is in view is drawn");
    await page.locator(".source").evaluate((view) => (view.scrollTop = 0));
    await page.waitForFunction(() => document.querySelector(".source-row .line-number")?.textContent === "1");
    t.diagnostic(`${(readFileSync(file).length / 1e6).toFixed(1)} MB: longest task of the main thread ${await page.evaluate(() => Math.round(window.longest))} ms`);
    await session.leave(page);
  });
}

test("a compressed document is shown unpacked", async () => {
  const page = await session.open();
  await give(page, { name: "list.xml.gz", mimeType: "application/gzip", buffer: gzipSync(list([entry(1, "md5:wrong")], "\n")) });
  await over(page);
  await page.locator(".finding", { hasText: "AT-0" }).first().click();
  await shows(page, "wrong");
  await session.leave(page);
});

test("where the document is not at hand the excerpt of the report is shown", async () => {
  const page = await session.open();
  await give(page, sample("changelist.xml"));
  await over(page);
  await page.locator(".menu summary").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("[data-format=json]").click()]);
  const buffer = readFileSync(await download.path());
  await page.getByRole("button", { name: "Start over" }).click();
  await give(page, { name: "report.json", mimeType: "application/json", buffer });
  await over(page);
  await page.locator(".finding", { hasText: "AT-21" }).click();
  await page.waitForFunction(() => document.querySelector(".detail .frame mark")?.textContent === "modified");
  assert.equal(await page.locator(".source").count(), 0);
  await session.leave(page);
});

test("what a document hides is visible in its source, and its markup stays text", async () => {
  const page = await session.open();
  const text = list([`<url><loc>https://example.org/\u202ea&lt;img src=x></loc><rs:md hash="md5:wrong"/></url>`], "\n");
  await give(page, { name: "hidden.xml", mimeType: "application/xml", buffer: Buffer.from(text) });
  await over(page);
  await page.locator(".finding").first().click();
  await page.waitForSelector(".source mark.shown");
  assert.match(await page.textContent(".source"), /\\u\{202e\}/);
  assert.equal(await page.locator(".source img").count(), 0);
  await session.leave(page);
});

test("on a phone, in the dark and in Japanese, the source is accessible", async () => {
  const page = await session.open({ lang: "ja", theme: "dark", size: "phone" });
  await give(page, sample("changelist.xml"));
  await over(page);
  await page.locator(".finding").nth(3).click();
  await page.waitForSelector(".source mark.shown");
  await accessible(page, "source on a phone");
  await session.leave(page);
});
