// Entries of lists and members of packages as tables.

import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { accessible, fits, give, over, sample, start } from "./page.mjs";
import { changeDump } from "./zip.mjs";

let session;
before(async () => (session = await start()));
after(() => session.close());

const list = (entries) => `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:ln rel="up" href="https://example.org/c.xml"/><rs:md capability="resourcelist" at="2026-04-01T09:00:00Z"/>${Array.from({ length: entries }, (_, at) => `<url><loc>https://example.org/${String(at).padStart(6, "0")}</loc>${at % 3 ? `<rs:md length="${(at * 7919) % 10_007}"/>` : ""}</url>`).join("")}</urlset>`;

async function opened(files, look) {
  const page = await session.open(look);
  await give(page, files);
  assert.equal(await over(page), "done");
  await page.locator(".tables summary").click();
  await page.waitForSelector(".virtual tbody tr:not(.space)");
  return page;
}

const column = (page, at) => page.locator(`.virtual tbody tr:not(.space) td:nth-child(${at})`).allTextContents();
const settled = (page, text) => page.waitForFunction((text) => document.querySelector(".virtual-table [role=status]")?.textContent === text, text);

test("members of a package are listed with state, sizes and resources, and saved as CSV", async () => {
  const page = await opened(sample("resourcedump.zip"));
  const states = await page.locator(".virtual td.column-state").allTextContents();
  assert.deepEqual(states.map((text) => text.trim()), ["Intact", "Verified", "Differs"]);
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".virtual-table button", { hasText: "CSV" }).click()]);
  assert.equal(download.suggestedFilename(), "resourcedump.csv");
  const csv = readFileSync(await download.path(), "utf8");
  assert.equal(csv.charCodeAt(0), 0xfeff);
  const [head, ...rows] = csv.slice(1).trimEnd().split("\r\n");
  assert.match(head, /^number,name,state,size,packedSize,uri,/);
  assert.equal(rows.length, 3);
  assert.match(rows[2], /^3,resources\/abstract-2\.txt,differs,68,62,https:/);
  await session.leave(page);
});

test("in a valid Change Dump a deletion is no problem, and only entries with a file can have digests", async () => {
  const { package: zip, manifest } = changeDump();
  const page = await opened({ name: "changes.zip", mimeType: "application/zip", buffer: zip });
  assert.match(await page.textContent(".verdict h1"), /^Valid/);
  const states = page.locator(".virtual td.column-state");
  assert.deepEqual((await states.allTextContents()).map((text) => text.trim()), ["Intact", "Verified", "Without a file"]);
  assert.equal(await page.locator(".virtual td.bad").count(), 0);
  await accessible(page, "a Change Dump", ".tables");
  await give(page, { name: "manifest.xml", mimeType: "application/xml", buffer: Buffer.from(manifest) });
  await page.locator(".node", { hasText: "manifest.xml" }).last().waitFor();
  await page.waitForSelector(".contents-list[data-known=true] .fact-card");
  assert.match(await page.textContent(".contents"), /Digests1 of 1 entries that are not deletions, 100%/);
  await session.leave(page);
});

/** On paper the table is as high as its rows, its heads stand side by side, and what is missing is said. */
async function paper(page, isPart) {
  await page.setViewportSize({ width: 794, height: 1123 });
  await page.emulateMedia({ media: "print" });
  const { height, heads, cut } = await page.evaluate(() => ({
    height: document.querySelector(".virtual").getBoundingClientRect().height,
    heads: [...document.querySelectorAll(".virtual th button")].filter((head) => head.checkVisibility()).map((head) => head.textContent.trim() && [head.getBoundingClientRect().left, head.getBoundingClientRect().left + head.scrollWidth]),
    cut: [...document.querySelectorAll(".virtual td")].filter((cell) => cell.checkVisibility() && cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent),
  }));
  assert.ok(height < 60 * (await page.locator(".virtual tr:not(.space)").count()), `${height} px`);
  assert.ok(heads.length > 1);
  for (const [at, [left]] of heads.slice(1).entries()) assert.ok(left >= heads[at][1] - 1, `${heads}`);
  assert.deepEqual(cut, []);
  assert.equal(await page.locator(".on-paper").isVisible(), isPart);
  await fits(page, "paper");
  await page.emulateMedia({ media: null });
}

test("tables are printed with what was in view, and say what the CSV has beyond that", async () => {
  const members = await opened(sample("resourcedump.zip"));
  await paper(members, false);
  await session.leave(members);
  const entries = await opened({ name: "list.xml", mimeType: "application/xml", buffer: Buffer.from(list(2_000)) }, { lang: "ja" });
  await paper(entries, true);
  await session.leave(entries);
});

test("50,000 entries are filtered and sorted, and only the rows in view are drawn", async () => {
  const page = await opened({ name: "list.xml", mimeType: "application/xml", buffer: Buffer.from(list(50_000)) });
  await settled(page, "50,000 rows");
  assert.ok(await page.locator(".virtual tbody tr").count() < 100);
  await page.locator(".virtual").evaluate((view) => (view.scrollTop = view.scrollHeight));
  await page.waitForFunction(() => [...document.querySelectorAll(".virtual td.column-uri")].at(-1)?.textContent.endsWith("/049999"));
  assert.equal(await page.locator(".virtual tr[aria-rowindex]").last().getAttribute("aria-rowindex"), "50001");
  await page.locator(".virtual th button", { hasText: "Length" }).click();
  await page.waitForFunction(() => document.querySelector(".virtual td.column-length")?.textContent === "0" || document.querySelector(".virtual td.column-length")?.textContent === "1");
  const lengths = (await column(page, 3)).map((text) => Number(text.replaceAll(",", "")));
  assert.deepEqual(lengths, [...lengths].sort((one, other) => one - other));
  await page.locator(".virtual th button", { hasText: "Length" }).click();
  await page.waitForFunction(() => document.querySelector("th.column-length").ariaSort === "descending" && document.querySelector(".virtual td.column-length")?.textContent === "10,006");
  await page.fill(".table-filter", "/0499");
  await settled(page, "100 of 50,000 rows");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".virtual-table button", { hasText: "CSV" }).click()]);
  assert.equal(readFileSync(await download.path(), "utf8").trimEnd().split("\r\n").length, 101);
  await session.leave(page);
});

test("a cell is no formula, and markup in it is text", async () => {
  const page = await opened({ name: "list.xml", mimeType: "application/xml", buffer: Buffer.from(list(1).replace("https://example.org/000000", "=HYPERLINK(&quot;https://example.com&quot;)&lt;img src=x>,\u202e")) });
  assert.equal(await page.locator(".virtual img").count(), 0);
  assert.match(await page.textContent(".virtual td.column-uri"), /\\u\{202e\}/);
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".virtual-table button", { hasText: "CSV" }).click()]);
  assert.match(readFileSync(await download.path(), "utf8"), /1,"'=HYPERLINK\(""https/);
  await session.leave(page);
});

for (const look of [{ lang: "en", theme: "light", size: "desktop" }, { lang: "ja", theme: "dark", size: "phone" }, { lang: "ja", theme: "light", size: { width: 820, height: 1100 } }]) {
  const name = Object.values(look).map((own) => own.width ?? own).join(", ");

  test(`a table is accessible: ${name}`, async () => {
    const page = await opened(sample("resourcedump.zip"), look);
    await accessible(page, name);
    await fits(page, name);
    assert.deepEqual(page.complaints, []);
    await session.leave(page);
  });
}
