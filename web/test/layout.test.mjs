// How a report is divided: the first finding in view, panes that can be resized, a document in colours, a summary before the rest.

import { strict as assert } from "node:assert";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, fits, give, over, sample, start } from "./page.mjs";

let session;
let folder;
before(async () => {
  session = await start();
  folder = join(mkdtempSync(join(tmpdir(), "page-")), "public");
  mkdirSync(join(folder, ".well-known"), { recursive: true });
  cpSync(sample("source/well-known/resourcesync"), join(folder, ".well-known/resourcesync"));
  cpSync(sample("source/dataset"), join(folder, "dataset"), { recursive: true });
  const list = join(folder, "dataset/changelist.xml");
  writeFileSync(list, readFileSync(list, "utf8").replace(/change="\w+"/, 'change="gone"'));
});
after(async () => {
  rmSync(join(folder, ".."), { recursive: true, force: true });
  await session.close();
});

test("the first finding of a Source is in view at 1440 × 900, and choosing a document in the map leads back to it", async () => {
  const page = await session.open({ size: { width: 1440, height: 900 } });
  await page.setInputFiles("#folder", folder);
  await over(page);
  await page.waitForSelector(".map-node");
  const { bottom } = await page.locator(".finding").first().evaluate((own) => own.getBoundingClientRect());
  assert.ok(bottom <= 900, `${bottom} px`);
  await page.locator(".map-node.invalid").first().click();
  await page.waitForFunction(() => {
    const { top, bottom } = document.querySelector(".finding").getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  await session.leave(page);
});

test("the panes are resized with the keyboard and the pointer, and stay so after a reload", async () => {
  const page = await session.open({ size: { width: 1440, height: 900 } });
  await give(page, sample("changelist.xml"));
  await over(page);
  const width = () => page.locator(".pane.findings").evaluate((own) => Math.round(own.getBoundingClientRect().width));
  await page.waitForSelector(".splitter[aria-valuenow='55']");
  const usual = await width();
  await page.locator(".splitter").focus();
  for (let left = 3; left > 0; left--) await page.keyboard.press("ArrowRight");
  await page.waitForSelector(".splitter[aria-valuenow='64']");
  const wider = await width();
  assert.ok(wider > usual + 60, `${usual} → ${wider}`);
  await page.reload();
  await over(page);
  await page.waitForSelector(".splitter[aria-valuenow='64']");
  assert.equal(await width(), wider);
  const line = await page.locator(".splitter").boundingBox();
  await page.mouse.move(line.x + 8, line.y + 100);
  await page.mouse.down();
  await page.mouse.move(line.x - 292, line.y + 100, { steps: 5 });
  await page.mouse.up();
  assert.ok(Math.abs(await width() - (wider - 300)) < 24, `${await width()}`);
  await accessible(page, "panes");
  // Without dragging: a click goes to the next width.
  const share = async () => Number(await page.getAttribute(".splitter", "aria-valuenow"));
  const now = await share();
  await page.locator(".splitter").click();
  assert.ok([40, 55, 70].includes(await share()) && await share() !== now, `${now} → ${await share()}`);
  for (let left = 3; left > 0 && await share() !== 55; left--) await page.locator(".splitter").click();
  await page.waitForSelector(".splitter[aria-valuenow='55']");
  for (const size of [{ width: 1024, height: 768 }, { width: 768, height: 1024 }, { width: 375, height: 800 }, { width: 320, height: 700 }]) {
    await page.setViewportSize(size);
    await fits(page, `${size.width} px`);
  }
  assert.equal(await page.locator(".splitter").isVisible(), false);
  await session.leave(page);
});

test("the document of a finding shows fourteen lines, keeps the height it is given, and has colours that change no text", async () => {
  const page = await session.open({ size: { width: 1440, height: 900 } });
  const text = '<?xml version="1.0"?>\n<!-- a > b -->\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">\n<rs:ln rel="up" href="https://example.org/c.xml"/><rs:md capability=\'resourcelist\'/><url><loc>https://example.org/図?a=1&amp;b=2</loc></url>\n' + "\n".repeat(60) + '</urlset>\n';
  await give(page, { name: "list.xml", mimeType: "application/xml", buffer: Buffer.from(text) });
  await over(page);
  await page.waitForSelector(".source .xml-tag");
  const rows = await page.locator(".source-row code").evaluateAll((all) => all.map((row) => row.textContent));
  assert.deepEqual(rows.slice(0, 5), text.split("\n").slice(0, 5));
  assert.deepEqual(await page.locator(".source .xml-comment").allTextContents(), ["<!-- a > b -->"]);
  assert.ok((await page.locator(".source .xml-value").allTextContents()).includes('"up"'));
  assert.ok((await page.locator(".source .xml-name").allTextContents()).includes("rel"));
  assert.ok(await page.locator(".source").evaluate((own) => own.clientHeight >= 14 * 24), "fourteen lines");
  await page.locator(".source").evaluate((own) => (own.style.height = "500px"));
  await page.waitForFunction(() => localStorage["resourcesync-layout"]?.includes('"height":500'));
  await page.reload();
  await over(page);
  await page.waitForSelector(".source .xml-tag");
  assert.equal(await page.locator(".source").evaluate((own) => Math.round(own.getBoundingClientRect().height)), 500);
  for (const theme of ["light", "dark"]) {
    await page.selectOption("#theme", theme);
    await accessible(page, `colours, ${theme}`, ".source");
  }
  await session.leave(page);
});

test("of a valid Source the sets come first, and each document on request", async () => {
  const page = await session.open({ size: { width: 1440, height: 900 } });
  await page.locator(".samples button").nth(3).click();
  await over(page);
  await page.waitForSelector(".contents-list[data-known=true]");
  assert.equal(await page.locator(".contents-list .fact-card").first().isVisible(), false);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  assert.ok(height <= 1800, `${height} px`);
  await page.locator(".contents-list summary").click();
  assert.equal(await page.locator(".contents-list .fact-card").first().isVisible(), true);
  await session.leave(page);
});
