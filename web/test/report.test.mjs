// The output of the page is byte for byte that of the command.

import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, command, give, over, sample, start } from "./page.mjs";

let session;
before(async () => (session = await start()));
after(() => session.close());

/** The output of the command for these arguments, in the folder of the samples. */
function written(...given) {
  return writtenIn(sample(""), ...given);
}

function writtenIn(cwd, ...given) {
  const { stdout, stderr } = spawnSync(command, ["validate", "--no-config", ...given], { cwd, maxBuffer: 1 << 28 });
  assert.equal(String(stderr), "");
  return stdout;
}

async function downloaded(page, format) {
  await page.locator(".menu summary").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(`[data-format=${format}]`).click()]);
  return readFileSync(await download.path());
}

for (const [name, files] of [["a document", ["changelist.xml"]], ["a package", ["resourcedump.zip"]], ["several files", ["resourcelist.xml", "changelist.xml", "resourcedump.zip"]]]) {
  for (const lang of ["en", "ja"]) {
    test(`every format of the report is the command's: ${name}, ${lang}`, async () => {
      const page = await session.open({ lang });
      await give(page, files.map(sample));
      assert.equal(await over(page), "done");
      const formats = await page.locator("[data-format]").evaluateAll((buttons) => buttons.map((button) => button.dataset.format));
      assert.ok(formats.includes("json"));
      for (const format of formats) {
        const own = await downloaded(page, format);
        assert.ok(own.equals(written("--lang", lang, "--format", format, ...files)), format);
      }
      await session.leave(page);
    });
  }
}

test("the report of a folder is the command's", async () => {
  const above = mkdtempSync(join(tmpdir(), "page-"));
  const folder = join(above, "public");
  mkdirSync(join(folder, ".well-known"), { recursive: true });
  cpSync(sample("source/well-known/resourcesync"), join(folder, ".well-known/resourcesync"));
  cpSync(sample("source/dataset"), join(folder, "dataset"), { recursive: true });
  cpSync(sample("resourcedump.zip"), join(folder, "dataset-2.zip"));
  writeFileSync(join(folder, "data.xml"), "<other/>");
  writeFileSync(join(folder, "notes.txt"), "not for us");
  const page = await session.open();
  await page.setInputFiles("#folder", folder);
  assert.equal(await over(page), "done");
  await page.getByRole("button", { name: "Validate each document separately" }).click();
  await page.waitForFunction(() => document.querySelector(".repeat .command code")?.textContent === "resourcesync validate public");
  assert.equal((await downloaded(page, "json")).toString(), writtenIn(above, "--format", "json", "public").toString());
  assert.match(page.url(), /separate=yes/);
  assert.match(await page.textContent(".inputs"), /data\.xml/);
  rmSync(above, { recursive: true });
  await session.leave(page);
});

test("a folder with a Source Description is followed at once, shows what nothing leads to in list and map, and has the command's report", async () => {
  const above = mkdtempSync(join(tmpdir(), "page-"));
  const folder = join(above, "public");
  mkdirSync(join(folder, ".well-known"), { recursive: true });
  cpSync(sample("source/well-known/resourcesync"), join(folder, ".well-known/resourcesync"));
  cpSync(sample("source/dataset"), join(folder, "dataset"), { recursive: true });
  // Nothing links to it, and it has an error.
  writeFileSync(join(folder, "dataset/stray.xml"), '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="changelist"/></urlset>');
  const page = await session.open();
  await page.setInputFiles("#folder", folder);
  assert.equal(await over(page), "done");
  assert.match(await page.textContent(".whole"), /Validated as a whole Source under https:\/\/repository\.example\.org\//);
  const nodes = await page.locator(".tree .node").evaluateAll((nodes) => nodes.map((node) => [node.querySelector(".uri")?.textContent, node.querySelector(":scope > .unseen")?.textContent]));
  for (const [name, verdict] of [[".well-known/resourcesync", "Valid"], ["dataset/resourcelist.xml", "Valid"], ["dataset/stray.xml", "Invalid"]]) {
    assert.ok(nodes.some(([own, said]) => own === name && said === verdict), `${name}: ${JSON.stringify(nodes)}`);
    const node = page.locator(".map-node", { has: page.locator(".uri", { hasText: new RegExp(`^${name.split("/").at(-1)}$`) }) });
    assert.match(await node.getAttribute("class"), new RegExp(`\\b${verdict.toLowerCase()}\\b`), `${name} in the map`);
  }
  await accessible(page, "whole Source");
  const own = (await downloaded(page, "json")).toString();
  assert.equal(own, writtenIn(above, "--follow", "--base-uri", "https://repository.example.org/", "--format", "json", "public").toString());
  assert.match(own, /"ADV-13"/);
  assert.match(own, /"verdict": "invalid"/);
  assert.equal(await page.textContent(".repeat .command code"), "resourcesync validate --follow --base-uri https://repository.example.org/ public");
  assert.match(page.url(), /base=https/);
  rmSync(above, { recursive: true });
  await session.leave(page);
});

test("settings count as on the command line, and the command line on show says so", async () => {
  const page = await session.open({ hash: "#/?profile=strict&fixity=no" });
  await give(page, sample("resourcedump.zip"));
  assert.equal(await over(page), "done");
  assert.equal(await page.textContent(".repeat .command code"), "resourcesync validate --profile strict --no-fixity resourcedump.zip");
  assert.ok((await downloaded(page, "json")).equals(written("--profile", "strict", "--no-fixity", "--format", "json", "resourcedump.zip")));
  await session.leave(page);
});

test("a report of the command is shown when it is dropped, and written again as it was", async () => {
  const page = await session.open();
  const buffer = written("--format", "json", "--max-per-rule", "0", "changelist.xml");
  await give(page, { name: "report.json", mimeType: "application/json", buffer });
  assert.equal(await over(page), "done");
  assert.equal(await page.textContent(".verdict h1"), "Invalid");
  assert.ok((await downloaded(page, "json")).equals(buffer));
  assert.ok((await downloaded(page, "html")).equals(written("--format", "html", "--max-per-rule", "0", "changelist.xml")));
  await session.leave(page);
});

test("findings are said in Japanese", async () => {
  const page = await session.open({ lang: "ja" });
  await give(page, sample("changelist.xml"));
  await over(page);
  await page.waitForFunction(() => /[\u3041-\u309f]/.test(document.querySelector(".group .title")?.textContent ?? ""));
  assert.equal(await page.textContent(".verdict h1"), "不適合");
  await page.locator("#language").click();
  await page.waitForFunction(() => document.querySelector(".verdict h1")?.textContent === "Invalid");
  assert.equal(await page.getAttribute("html", "lang"), "en");
  await session.leave(page);
});

test("a report that is valid after filters says so, with the configuration and what was suppressed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  writeFileSync(join(folder, "own.toml"), `[validate]\nignore = ["GEN", "CL", "AT", "LK", "ADV"]\n`);
  const { stdout: text } = spawnSync(command, ["validate", "--config", "own.toml", "--format", "json", sample("changelist.xml")], { cwd: folder, encoding: "utf8" });
  rmSync(folder, { recursive: true, force: true });
  const report = JSON.parse(text);
  assert.ok(report.afterFilters, "the configuration suppresses every error");
  for (const [lang, said, head] of [["en", /Valid after filters/, /Suppressed/], ["ja", /適合（フィルタ適用後）/, /除外した指摘/]]) {
    const page = await session.open({ lang });
    await give(page, { name: "report.json", mimeType: "application/json", buffer: Buffer.from(text) });
    assert.equal(await over(page), "done");
    assert.match(await page.textContent(".verdict h1"), said);
    assert.match(await page.title(), said);
    const filtered = await page.textContent(".filtered");
    assert.match(filtered, /own\.toml/);
    assert.match(filtered, head);
    for (const { code } of report.suppressed) assert.ok(filtered.includes(code), code);
    assert.doesNotMatch(await page.textContent("main"), /Everything that was checked conforms|すべて標準の要件を満たしています|No violations/);
    await accessible(page, `after filters, ${lang}`);
    await session.leave(page);
  }
});

test("on paper every finding is there, with its place and what to do", async () => {
  const page = await session.open();
  await give(page, sample("changelist.xml"));
  await over(page);
  await page.waitForSelector(".detail h3");
  const stored = await page.locator(".finding").count();
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.locator(".printed li:visible").count(), stored);
  assert.match(await page.textContent(".printed"), /AT-21.*line 13, column 40/);
  assert.equal(await page.locator(".pane.detail:visible").count(), 0, "nothing that scrolls");
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await page.locator(".printed").count(), 0);
  await session.leave(page);
});
