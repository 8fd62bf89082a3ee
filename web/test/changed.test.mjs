// What changed in the resources: two lists, two Sources, a list against one kept here.

import { strict as assert } from "node:assert";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, fits, give, over, sample, start } from "./page.mjs";

let session;
before(async () => (session = await start()));
after(() => session.close());

const NAMES = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
const list = (at, entries) => `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${NAMES}>\n<rs:ln rel="up" href="https://example.org/capabilitylist.xml"/>\n<rs:md capability="resourcelist" at="${at}"/>\n${entries.join("\n")}\n</urlset>\n`;
const entry = (name, length, day, type = "text/plain") => `<url><loc>https://example.org/${name}</loc><lastmod>2026-01-0${day}T00:00:00Z</lastmod><rs:md length="${length}" type="${type}"/></url>`;
const OLD = list("2026-01-05T00:00:00Z", [entry("same", 1, 1), entry("longer", 5, 1), entry("gone", 2, 1), entry("other-type", 3, 1)]);
const NEW = list("2026-01-09T00:00:00Z", [entry("same", 1, 1), entry("図", 4, 8), entry("longer", 6, 7), entry("other-type", 3, 1, "text/html")]);
const file = (name, text) => ({ name, mimeType: "application/xml", buffer: Buffer.from(text) });

const chips = async (page) => Promise.all(["created", "updated", "deleted"].map(async (change) => Number((await page.textContent(`.changed [data-change=${change}]`)).replace(/\D/g, ""))));
const rows = (page) => page.locator(".changed .virtual tbody tr:not(.space)").evaluateAll((all) => all.map((row) => [...row.children].slice(1).map((cell) => cell.textContent)));

test("of two lists dropped together the page says what was created, updated and deleted, and in what it differs", async () => {
  const page = await session.open();
  // The order of the files does not matter: the snapshots say which is older.
  await give(page, [file("new.xml", NEW), file("old.xml", OLD)]);
  await over(page);
  await page.getByRole("button", { name: "Show what changed" }).click();
  await page.waitForSelector(".changed .virtual tbody tr:not(.space)");
  assert.match(await page.textContent(".changed"), /since old\.xml.*old\.xml is the older side/s);
  assert.deepEqual(await chips(page), [1, 2, 1]);
  assert.match(await page.textContent(".changed .chips"), /1 unchanged/);
  const all = Object.fromEntries((await rows(page)).map(([change, uri, ...rest]) => [decodeURIComponent(uri).split("/").at(-1), [change, ...rest]]));
  assert.deepEqual(Object.keys(all).sort(), ["gone", "longer", "other-type", "図"].sort());
  assert.ok(all["longer"].includes("Updated") && all["longer"].includes("5 → 6") && all["longer"].includes("2026-01-01T00:00:00Z → 2026-01-07T00:00:00Z"), all["longer"].join());
  assert.ok(all["other-type"].includes("text/plain → text/html"), all["other-type"].join());
  await page.locator(".changed [data-change=deleted]").click();
  await page.waitForFunction(() => document.querySelectorAll(".changed .virtual tbody tr:not(.space)").length === 1);
  const [csv] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download as CSV" }).first().click()]);
  assert.match(readFileSync(await csv.path(), "utf8"), /https:\/\/example\.org\/gone/);
  for (const [width, height] of [[1440, 900], [375, 800], [320, 700]]) {
    await page.setViewportSize({ width, height });
    await fits(page, `${width} px`);
  }
  await accessible(page, "what changed", ".changed");
  await session.leave(page);
});

test("the changes become a valid Change List", async () => {
  const page = await session.open({ lang: "ja" });
  await give(page, [file("a.xml", OLD), file("b.xml", NEW)]);
  await over(page);
  await page.locator(".two-sides button").click();
  await page.waitForSelector(".changed .change-list");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".change-list").click()]);
  const text = readFileSync(await download.path(), "utf8");
  assert.match(text, /capability="changelist".*from="2026-01-05T00:00:00Z"/);
  assert.equal(text.match(/change="(created|updated|deleted)"/g).length, 4);
  await page.reload();
  const other = await session.open();
  await give(other, file("changelist.xml", text));
  await over(other);
  assert.equal(await other.textContent(".verdict h1"), "Valid");
  await session.leave(other);
  await session.leave(page);
});

test("a list is compared with one of the last checks, and with files that are chosen", async () => {
  const page = await session.open();
  await give(page, file("resourcelist.xml", OLD));
  await over(page);
  await give(page, file("resourcelist.xml", NEW));
  await page.waitForFunction(() => /4 entries/.test(document.querySelector(".verdict .numbers")?.textContent ?? "") && document.querySelector(".check")?.dataset.phase === "done");
  await page.locator("button.compare").click();
  await page.locator("dialog[open] li button").first().click();
  await page.waitForSelector(".changed [data-change]");
  assert.deepEqual(await chips(page), [1, 2, 1]);
  await page.locator(".changed .bare").click();
  await page.waitForSelector(".changed", { state: "detached" });
  await page.locator("button.compare").click();
  await page.setInputFiles("#compare-file", file("before.xml", OLD));
  await page.waitForSelector(".changed [data-change]");
  assert.match(await page.textContent(".changed h2"), /since before\.xml/);
  // One from after: its snapshot shows it.
  await page.locator("button.compare").click();
  await page.setInputFiles("#compare-file", file("after.xml", list("2026-01-11T00:00:00Z", [entry("same", 1, 1), entry("later", 1, 1)])));
  await page.waitForFunction(() => /since resourcelist\.xml.*resourcelist\.xml is the older side/s.test(document.querySelector(".changed")?.textContent ?? ""));
  assert.deepEqual(await chips(page), [1, 0, 3]);
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".change-list").click()]);
  assert.match(readFileSync(await download.path(), "utf8"), /from="2026-01-09T00:00:00Z".*until="2026-01-11T00:00:00Z"/);
  await session.leave(page);
});

test("a list that cannot be read, or that an index misses, is named, and its resources do not count as deleted", async () => {
  const folder = mkdtempSync(join(tmpdir(), "incomplete-"));
  const [one, two] = [list("2026-01-05T00:00:00Z", [entry("same", 1, 1)]), list("2026-01-05T00:00:00Z", [entry("gone", 2, 1)])];
  const index = `<sitemapindex ${NAMES}><rs:md capability="resourcelist" at="2026-01-05T00:00:00Z"/>${["one", "tw%6f"].map((name) => `<sitemap><loc>https://example.org/${name}.xml</loc></sitemap>`).join("")}</sitemapindex>`;
  const capabilities = `<urlset ${NAMES}><rs:md capability="capabilitylist"/>${["one", "two"].map((name) => `<url><loc>https://example.org/${name}.xml</loc><rs:md capability="resourcelist"/></url>`).join("")}</urlset>`;
  const page = await session.open();
  await give(page, [file("one.xml", one), file("two.xml", two)]);
  await over(page);
  for (const [files, said] of [
    [{ "two.xml": "" }, /unknown which resources before\/two\.xml lists, since it cannot be read: .*document is empty/],
    [{ "two.xml": two.slice(0, two.indexOf("<rs:md length")) }, /before\/two\.xml .*cannot be read: .*not well-formed/],
    [{ "two.xml": two.slice(0, -4) }, /before\/two\.xml .*cannot be read: .*not well-formed/],
    [{ "all.xml": index }, /which resources https:\/\/example\.org\/tw%6f\.xml lists: before\/all\.xml leads to it, but it is not among the files/],
    [{ "capabilitylist.xml": capabilities }, /which resources https:\/\/example\.org\/two\.xml lists: before\/capabilitylist\.xml leads to it/],
    [{ "capabilitylist.xml": capabilities, "all.xml": index, "two.xml": two, "README": "not a document" }, null],
  ]) {
    const before = join(folder, "before");
    rmSync(before, { recursive: true, force: true });
    mkdirSync(before);
    for (const [name, text] of Object.entries({ "one.xml": one, ...files })) writeFileSync(join(before, name), text);
    await page.locator("button.compare").click();
    await page.setInputFiles("#compare-folder", before);
    await page.waitForSelector(".changed");
    if (said) assert.match(await page.textContent(".changed > p"), said);
    else assert.match(await page.textContent(".changed"), /All resources are the same/);
    await accessible(page, "incomplete", ".changed");
    await page.locator(".changed .bare").click();
    await page.waitForSelector(".changed", { state: "detached" });
  }
  rmSync(folder, { recursive: true });
  await session.leave(page);
});

test("two Sources are compared, and documents of different kinds are refused with the reason", async () => {
  const folder = mkdtempSync(join(tmpdir(), "changed-"));
  mkdirSync(join(folder, "earlier"));
  writeFileSync(join(folder, "earlier/resourcelist.xml"), OLD);
  writeFileSync(join(folder, "earlier/other.xml"), list("2026-01-05T00:00:00Z", [entry("more", 1, 1)]).replace("capabilitylist.xml", "other/capabilitylist.xml"));
  const page = await session.open();
  await give(page, file("new.xml", NEW));
  await over(page);
  await page.locator("button.compare").click();
  await page.setInputFiles("#compare-folder", join(folder, "earlier"));
  await page.waitForSelector(".changed [data-change]");
  assert.deepEqual(await chips(page), [1, 2, 2]);
  await page.locator(".change-list").click();
  await page.waitForFunction(() => /that of one set, and these lists belong to several/.test(document.querySelector(".changed [role=status]")?.textContent ?? ""));
  rmSync(folder, { recursive: true });

  await page.locator("button.compare").click();
  await page.setInputFiles("#compare-file", sample("changelist.xml"));
  await page.waitForFunction(() => /Documents that list all .* Change List/.test(document.querySelector(".changed p")?.textContent ?? ""));
  await session.leave(page);
});
