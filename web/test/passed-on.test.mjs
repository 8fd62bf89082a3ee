// The report that one passes on: a page of its own, the same as the command writes, from which the report is opened again.

import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { accessible, command, fits, give, over, sample, start } from "./page.mjs";

let session;
let folder;
before(async () => {
  session = await start();
  folder = mkdtempSync(join(tmpdir(), "passed-on-"));
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await session.close();
});

async function downloaded(page, format) {
  await page.locator(".menu summary").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(`[data-format=${format}]`).click()]);
  return readFileSync(await download.path());
}

/** Opens the report as its recipient does. */
async function received(bytes, { theme = "light", width = 1440 } = {}) {
  const path = join(folder, "report.html");
  writeFileSync(path, bytes);
  const context = await session.browser.newContext({ colorScheme: theme, viewport: { width, height: 900 } });
  const page = await context.newPage();
  page.complaints = [];
  page.on("console", (message) => message.type() === "error" && page.complaints.push(message.text()));
  page.on("request", (request) => request.url() !== pathToFileURL(path).href && page.complaints.push(request.url()));
  await page.goto(pathToFileURL(path).href);
  return page;
}

test("the page that is passed on is the command's, is read in both languages, and loads nothing", async () => {
  const page = await session.open();
  await give(page, sample("changelist.xml"));
  await over(page);
  const bytes = await downloaded(page, "html");
  const { stdout } = spawnSync(command, ["validate", "--no-config", "--format", "html", "changelist.xml"], { cwd: sample(""), maxBuffer: 1 << 28 });
  assert.ok(bytes.equals(stdout), "the same bytes");
  for (const [theme, width] of [["light", 1440], ["dark", 375], ["light", 320]]) {
    const own = await received(bytes, { theme, width });
    for (const [lang, verdict, help] of [["en", "invalid", /Please correct this/], ["ja", "不適合", /修正をお願いします/]]) {
      await own.locator(`label[for=show-${lang}]`).click();
      assert.equal((await own.locator("h1").innerText()).toLowerCase(), verdict);
      assert.match(await own.locator("pre.letter").innerText(), help);
      await fits(own, `${lang}, ${width}`);
    }
    await own.evaluate(() => [...document.querySelectorAll("details")].forEach((one) => (one.open = true)));
    if (width !== 320) await accessible(own, `${theme}, ${width}`);
    assert.deepEqual(own.complaints, []);
    await own.emulateMedia({ media: "print" });
    assert.equal(await own.locator("label").first().isVisible(), false);
    await session.leave(own);
  }
  await session.leave(page);
});

test("with 10,000 findings it stays below 400 kB, and is the command's", async () => {
  const bad = ['hash="md5:x"', 'length="-1"', 'type="text"', 'change="gone"', 'datetime="yesterday"'];
  const entries = Array.from({ length: 2_000 }, (_, at) => `<url><loc>https://example.org/${at}</loc><rs:md ${bad.join(" ")}/></url>\n`).join("");
  const text = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">\n<rs:md capability="changelist"/>\n${entries}</urlset>\n`;
  writeFileSync(join(folder, "changes.xml"), text);
  const page = await session.open();
  await give(page, join(folder, "changes.xml"));
  await over(page);
  const bytes = await downloaded(page, "html");
  const { stdout } = spawnSync(command, ["validate", "--no-config", "--format", "html", "changes.xml"], { cwd: folder, maxBuffer: 1 << 28 });
  const [, errors] = /([\d,]+) errors/.exec(bytes.toString()) ?? [];
  assert.ok(Number(errors.replaceAll(",", "")) >= 10_000, errors);
  assert.ok(bytes.length < 400_000, `${bytes.length} bytes`);
  assert.ok(bytes.equals(stdout), "the same bytes");
  await session.leave(page);
});

test("a Source is shared as a report that begins with what is found, and has its map and timeline", async () => {
  const own = join(folder, "public");
  mkdirSync(join(own, ".well-known"), { recursive: true });
  cpSync(sample("source/well-known/resourcesync"), join(own, ".well-known/resourcesync"));
  cpSync(sample("source/dataset"), join(own, "dataset"), { recursive: true });
  const list = join(own, "dataset/changelist.xml");
  writeFileSync(list, readFileSync(list, "utf8").replace(/change="\w+"/, 'change="gone"'));
  const page = await session.open();
  await page.setInputFiles("#folder", own);
  await over(page);
  // Sharing a Source passes on the result, since a link could not contain it.
  await page.locator("button.share").click();
  assert.match(await page.textContent("dialog[open] .share-report ~ p"), /not the files/);
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("dialog[open] .share-report button").click()]);
  const bytes = readFileSync(await download.path());
  const { stdout } = spawnSync(command, ["validate", "--no-config", "--follow", "--base-uri", "https://repository.example.org/", "--format", "html", "public"], { cwd: folder, maxBuffer: 1 << 28 });
  assert.ok(bytes.equals(stdout), "the same bytes");
  const report = await received(bytes);
  const heads = await report.locator("h2").evaluateAll((all) => all.map((head) => head.innerText));
  assert.deepEqual(heads, ["Findings", "Text for your vendor", "Documents, and which leads to which", "Sets of resources", "Timeline"]);
  assert.match(await report.locator(".timeline").innerText(), /since 2026-04-01T09:00:00Z/);
  for (const width of [1440, 375, 320]) {
    await report.setViewportSize({ width, height: 800 });
    await fits(report, `${width}`);
  }
  await accessible(report, "a Source");
  await session.leave(report);
  await session.leave(page);
});

test("dropped, it opens its report, is downloaded as it was, and is compared with", async () => {
  const page = await session.open();
  await give(page, sample("changelist.xml"));
  await over(page);
  const [html, json] = [await downloaded(page, "html"), await downloaded(page, "json")];
  const other = await session.open({ lang: "ja" });
  await give(other, { name: "report.html", mimeType: "text/html", buffer: html });
  assert.equal(await over(other), "done");
  assert.equal(await other.textContent(".verdict h1"), "不適合");
  assert.ok((await downloaded(other, "html")).equals(html));
  assert.ok((await downloaded(other, "json")).equals(json));
  await session.leave(other);

  const later = readFileSync(sample("changelist.xml"), "utf8").replace('change="modified"', 'change="updated"');
  await give(page, { name: "changelist.xml", mimeType: "application/xml", buffer: Buffer.from(later) });
  await page.waitForFunction(() => /9 errors/.test(document.querySelector(".verdict")?.textContent ?? ""));
  await page.locator("button.compare").click();
  await page.setInputFiles("#compare-file", { name: "report.html", mimeType: "text/html", buffer: html });
  await page.waitForSelector(".compared");
  assert.match(await page.textContent(".compared"), /1 fixed/);
  await session.leave(page);
});

test("a page without its report is refused with the reason", async () => {
  const page = await session.open();
  await give(page, { name: "report.html", mimeType: "text/html", buffer: Buffer.from('<!doctype html><meta name="generator" content="resourcesync report"><p>cut') });
  assert.equal(await over(page), "failed");
  assert.match(await page.textContent(".verdict"), /does not contain its report/);
  await session.leave(page);
});
