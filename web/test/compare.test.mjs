// Two checks compared: what is fixed, what is new, what is still there.

import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, command, fits, give, over, sample, start } from "./page.mjs";

let session;
before(async () => (session = await start()));
after(() => session.close());

const xml = (text) => ({ name: "changelist.xml", mimeType: "application/xml", buffer: Buffer.from(text) });
const earlier = readFileSync(sample("changelist.xml"), "utf8");
/** One error less, and another one. */
const later = earlier.replace('change="modified"', 'change="updated"').replace("</urlset>", '<url><loc>https://repository.example.org/x</loc><rs:md change="gone" datetime="2026-05-01T00:00:00Z"/></url></urlset>');

async function json(page) {
  await page.locator(".menu summary").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("[data-format=json]").click()]);
  return readFileSync(await download.path());
}

const chips = async (page) => Promise.all(["new", "same"].map(async (since) => Number((await page.textContent(`[data-since=${since}]`)).replace(/\D/g, ""))));

async function compared(look) {
  const page = await session.open(look);
  await give(page, xml(earlier));
  await over(page);
  await page.getByRole("button", { name: look?.lang === "ja" ? "最初からやり直す" : "Start over" }).click();
  await give(page, xml(later));
  await over(page);
  await page.locator("button.compare").click();
  await page.locator("dialog .samples button").first().click();
  await page.waitForSelector(".compared");
  return page;
}

test("a check is compared with an earlier one, and the findings are filtered by it", async () => {
  const page = await compared();
  assert.match(await page.textContent(".fixed summary"), /1 fixed/);
  await page.locator(".fixed summary").click();
  assert.match(await page.textContent(".fixed-list"), /modified/);
  const [fresh, same] = await chips(page);
  const all = await page.locator(".finding").count();
  assert.ok(fresh >= 1 && same >= 1 && fresh + same === all, `${fresh} + ${same} of ${all}`);
  await page.locator("[data-since=new]").click();
  await page.waitForFunction((fresh) => document.querySelectorAll(".finding").length === fresh, fresh);
  assert.match(await page.textContent(".groups"), /gone/);
  await page.locator("[data-since=new]").click();
  await page.waitForFunction((all) => document.querySelectorAll(".finding").length === all, all);
  await page.getByRole("button", { name: "End the comparison" }).click();
  await page.waitForFunction(() => !document.querySelector(".compared"));
  assert.deepEqual(page.complaints, []);
  await session.leave(page);
});

test("of two reports dropped together the later one is shown, compared with the earlier one", async () => {
  const page = await session.open();
  const reports = [];
  for (const text of [earlier, later]) {
    await give(page, xml(text));
    await over(page);
    reports.push(await json(page));
    await page.getByRole("button", { name: "Start over" }).click();
  }
  // The order of the files is that of their dates.
  await page.evaluate((texts) => {
    const transfer = new DataTransfer();
    for (const [at, text] of [...texts.entries()].reverse()) transfer.items.add(new File([text], `report-${at}.json`, { type: "application/json", lastModified: 1_000_000 + at }));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer }));
  }, reports.map(String));
  await page.waitForSelector(".compared");
  assert.match(await page.textContent("#compared-head"), /report-0\.json/);
  assert.match(await page.textContent(".fixed summary"), /1 fixed/);
  assert.match(await page.textContent(".compared"), /report-0\.json was taken for the earlier one/);
  const [fresh] = await chips(page);
  await page.locator(".swap").click();
  await page.waitForFunction(() => /report-1\.json/.test(document.querySelector("#compared-head")?.textContent ?? ""));
  assert.match(await page.textContent(".fixed summary"), new RegExp(`${fresh} fixed`));
  assert.equal((await chips(page))[0], 1);
  await session.leave(page);
});

test("a report is chosen from a file, and what is no report is refused", async () => {
  const page = await session.open();
  await give(page, xml(earlier));
  await over(page);
  const buffer = await json(page);
  await page.locator("button.compare").click();
  await page.setInputFiles("#compare-file", { name: "other.json", mimeType: "application/json", buffer: Buffer.from("{}") });
  await page.waitForFunction(() => document.querySelector("dialog")?.textContent.includes("could not be compared"));
  await page.keyboard.press("Escape");
  await page.locator("button.compare").click();
  await page.setInputFiles("#compare-file", { name: "same.json", mimeType: "application/json", buffer });
  await page.waitForSelector(".compared");
  assert.match(await page.textContent(".fixed-none"), /0 fixed/);
  assert.equal((await chips(page))[0], 0);
  // What was not checked again is not fixed.
  const strict = { run: { ...JSON.parse(buffer).run, profile: "strict" } };
  for (const [given, before, said] of [
    [{ ...xml(earlier.slice(0, 300)) }, {}, /changelist\.xml 10 findings – It was not read to its end this time/],
    [{ ...xml(earlier), name: "other.xml", buffer: readFileSync(sample("source/dataset/resourcelist.xml")) }, {}, /changelist\.xml 10 findings – This report does not contain it/],
    [xml(later), strict, /changelist\.xml 1 finding – It was checked with other options/],
  ]) {
    await page.getByRole("button", { name: "Start over" }).click();
    await give(page, given);
    await over(page);
    await page.locator("button.compare").click();
    await page.setInputFiles("#compare-file", { name: "before.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify({ ...JSON.parse(buffer), ...before })) });
    await page.waitForSelector(".compared");
    assert.match(await page.textContent(".fixed-none"), /0 fixed/);
    assert.match(await page.textContent(".unchecked"), said);
  }
  await accessible(page, "not checked again", ".compared");
  await session.leave(page);
});

const list = (entries) => `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:ln rel="up" href="https://example.org/c.xml"/><rs:md capability="resourcelist" at="2026-04-01T09:00:00Z"/>${Array.from({ length: entries }, (_, at) => `<url><loc>https://example.org/${at}</loc><rs:md hash="md5:wrong"/></url>`).join("")}</urlset>`;

test("rules whose findings are not all stored are compared by count", async () => {
  const page = await session.open();
  for (const entries of [300, 250]) {
    await give(page, xml(list(entries)));
    await over(page);
    if (entries === 300) await page.getByRole("button", { name: "Start over" }).click();
  }
  await page.locator("button.compare").click();
  await page.locator("dialog .samples button").first().click();
  await page.waitForSelector(".only-counted");
  await page.locator(".only-counted summary").click();
  assert.match(await page.textContent(".only-counted tbody"), /300250/);
  // A report with all of them is reduced when it is opened: even those of its copy are only counted.
  const folder = mkdtempSync(join(tmpdir(), "compare-"));
  writeFileSync(join(folder, "list.xml"), list(150));
  const { stdout } = spawnSync(command, ["validate", "--no-config", "--max-per-rule", "0", "--format", "json", "list.xml"], { cwd: folder });
  rmSync(folder, { recursive: true });
  await page.getByRole("button", { name: "Start over" }).click();
  await give(page, { name: "report.json", mimeType: "application/json", buffer: stdout });
  await over(page);
  await page.locator("button.compare").click();
  await page.setInputFiles("#compare-file", { name: "copy.json", mimeType: "application/json", buffer: stdout });
  await page.waitForSelector(".only-counted");
  assert.match(await page.textContent(".only-counted tbody"), /150150/);
  assert.match(await page.textContent(".fixed-none"), /0 fixed/);
  await session.leave(page);
});

for (const look of [{ lang: "en", theme: "dark", size: "desktop" }, { lang: "ja", theme: "light", size: "phone" }, { lang: "ja", theme: "dark", size: { width: 820, height: 1100 } }]) {
  const name = Object.values(look).map((own) => own.width ?? own).join(", ");

  test(`a comparison is accessible: ${name}`, async () => {
    const page = await compared(look);
    await page.locator(".fixed summary").click();
    await accessible(page, name);
    await fits(page, name);
    await page.locator("button.compare").click();
    await accessible(page, `${name}, panel`);
    assert.deepEqual(page.complaints, []);
    await session.leave(page);
  });
}
