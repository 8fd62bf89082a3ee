// Responses of OAI-PMH repositories, and recordings of them: explained as `oai validate` does.

import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, command, fits, give, start } from "./page.mjs";

let session;
before(async () => (session = await start()));
after(() => session.close());

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">\n<responseDate>2026-01-01T00:00:00Z</responseDate>\n<request verb="Identify">http://a.example/oai</request>\n';
const identify = (email) => `${HEAD}<Identify>\n<repositoryName>リポジトリ</repositoryName>\n<baseURL>http://a.example/oai</baseURL>\n<protocolVersion>2.0</protocolVersion>\n<adminEmail>${email}</adminEmail>\n<earliestDatestamp>2020-01-01</earliestDatestamp>\n<deletedRecord>persistent</deletedRecord>\n<granularity>YYYY-MM-DD</granularity>\n</Identify>\n</OAI-PMH>\n`;
const WRONG = identify("admin at a.example");
const file = (name, text, mimeType = "application/xml") => ({ name, mimeType, buffer: Buffer.from(text) });

function native(name, text) {
  const folder = mkdtempSync(join(tmpdir(), "responses-"));
  writeFileSync(join(folder, name), text);
  const ran = spawnSync(command, ["oai", "validate", "--quiet", "--format", "json", name], { cwd: folder, encoding: "utf8" });
  rmSync(folder, { recursive: true });
  return ran.stdout;
}

async function shown(given, look = {}) {
  const page = await session.open(look);
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await give(page, given);
  await page.waitForSelector(".verdict h1");
  return { page, asked };
}

test("a response is explained with the findings of the command, in both languages and at every width", async () => {
  for (const look of [{ lang: "en", theme: "light" }, { lang: "ja", theme: "dark", size: "phone" }]) {
    const { page, asked } = await shown(file("identify.xml", WRONG), look);
    assert.ok(asked.some((path) => path.endsWith("/oai.wasm")));
    await page.waitForFunction(() => document.querySelector(".groups")?.textContent.includes("OAI-17"));
    const said = await page.textContent(".result");
    assert.match(said, look.lang === "en" ? /OAI-PMH response/ : /OAI-PMH の応答/);
    if (look.lang === "ja") await page.waitForFunction(() => /の値が/.test(document.querySelector(".groups")?.textContent ?? ""));
    assert.match(said, /resourcesync oai validate (--lang ja )?identify\.xml/);
    for (const gone of ["[data-edit]", ".fix", ".timeline", "form.whole"]) assert.equal(await page.locator(gone).count(), 0, gone);
    await accessible(page, look.lang);
    for (const width of [1440, 375, 360, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await fits(page, `${look.lang}, ${width}`);
    }
    assert.deepEqual(page.complaints, []);
    await session.leave(page);
  }
});

test("the report is that of the command, also from a recording", async () => {
  const har = JSON.stringify({ log: { version: "1.2", entries: [["?verb=Identify", WRONG], ["/logo.png", "no"], ["?verb=Nothing", `${HEAD}<error code="badVerb">no</error>\n</OAI-PMH>\n`]].map(([query, text]) => ({
    request: { method: "GET", url: `http://a.example/oai${query}`, headers: [] }, response: { status: 200, headers: [{ name: "Content-Type", value: "text/xml" }], content: { text } },
  })) } });
  for (const [name, text] of [["identify.xml", WRONG], ["check.har", har], ["fine.xml", identify("admin@a.example")]]) {
    const { page } = await shown(file(name, text));
    const expected = native(name, text);
    const report = JSON.parse(expected);
    const inputs = await page.evaluate(() => document.querySelector(".result").textContent);
    const groups = await page.locator(".group").count();
    assert.equal(groups, new Set(report.groups.map(({ code }) => code)).size, name);
    if (report.inputs.length > 1) for (const input of report.inputs) assert.ok(inputs.includes(input.name.replace(/^check\.har: /, "")), input.name);
    await page.locator(".menu summary").click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("[data-format=json]").click()]);
    assert.equal(readFileSync(await download.path(), "utf8"), expected, name);
    await session.leave(page);
  }
});

test("other documents do not load the module", async () => {
  const { page, asked } = await shown(file("list.xml", '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><!-- <OAI-PMH> --></urlset>'));
  assert.match(await page.textContent(".result"), /resourcesync validate list\.xml/);
  await session.leave(page);
  const other = await shown(file("list.xml", "<urlset/>"));
  assert.ok(!other.asked.some((path) => path.endsWith("/oai.wasm")));
  await session.leave(other.page);
  assert.ok(asked.some((path) => path.endsWith("/oai.wasm")), "what looks like a response is decided by the module");
});
