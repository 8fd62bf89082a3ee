// Fixing in the page: repairs are those of the command, and a text is checked while it is edited.

import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { accessible, command, fits, give, over, start } from "./page.mjs";
import { source, write } from "./source-set.mjs";

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

const HEAD = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">';
const UP = '<rs:ln rel="up" href="https://example.org/capabilitylist.xml"/>';
const change = (at, name) => `  <url><loc>https://example.org/図/${name}</loc><rs:md change="updated" datetime="${at}"/></url>`;
const BROKEN = [HEAD, `  ${UP}`, "  <!-- kept -->", '  <rs:md capability="ChangeList" from="2026-04-01T00:00:00Z"/>',
  change("2026-04-03T09:00:00+09:00", "b"), change("2026-04-02T00:00:00Z", "a"), "</urlset>", ""];
const texts = {
  "lines.xml": BROKEN.join("\n"),
  "windows.xml": `\ufeff${BROKEN.join("\r\n")}`,
  "one-line.xml": BROKEN.map((line) => line.trim()).join(""),
  "unended.xml": BROKEN.join("\n").trimEnd(),
  "unzoned.xml": [HEAD, UP, '<rs:md capability="resourcelist" at="2026-04-01 09:00:00"/>', "</urlset>"].join("\n"),
};

const fixed = (name, ...words) => {
  const out = join(folder, `fixed-${name}`);
  // The status is that of what remains.
  try {
    execFileSync(command, ["fix", join(folder, name), "--output", out, "--quiet", ...words], { stdio: "ignore" });
  } catch (error) {
    assert.equal(error.status, 1);
  }
  return readFileSync(out);
};

async function report(name, look) {
  writeFileSync(join(folder, name), texts[name]);
  const page = await session.open(look);
  await give(page, join(folder, name));
  assert.equal(await over(page), "done");
  return page;
}

async function open(page) {
  await page.locator("button.fix").click();
  await page.waitForSelector(".fix-outcome .diff");
}

async function downloaded(page) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".fix-outcome button", { hasText: "Download" }).click()]);
  return readFileSync(await download.path());
}

for (const name of ["lines.xml", "windows.xml", "one-line.xml"]) {
  test(`the repaired ${name} is byte for byte that of \`resourcesync fix\``, async () => {
    const page = await report(name);
    await open(page);
    assert.deepEqual(await downloaded(page), fixed(name));
    await session.leave(page);
  });
}

test("a time zone is added as the command adds it", async () => {
  const page = await report("unzoned.xml");
  await page.locator("button.fix").click();
  await page.waitForSelector(".fix-outcome .nothing");
  await page.fill("#fix-zone", "9 o'clock");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#fix-zone-wrong").textContent.includes("+09:00"));
  await page.fill("#fix-zone", "+09:00");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".fix-outcome .diff");
  assert.match(await page.textContent(".fix-outcome .command"), /fix --in-place --zone \+09:00 unzoned\.xml/);
  assert.deepEqual(await downloaded(page), fixed("unzoned.xml", "--zone", "+09:00"));
  await session.leave(page);
});

test("the button says how much can be repaired, also with a time zone, and is not there for nothing", async () => {
  const lines = await report("lines.xml");
  await lines.waitForSelector("button.fix:not([hidden])");
  await open(lines);
  const [, repairs] = /^(\d+)/.exec(await lines.textContent(".fix-outcome h3"));
  assert.equal(await lines.textContent("button.fix"), `Fix${repairs} repairs`);
  assert.equal(await lines.textContent("#fix-zone-more"), "");
  await session.leave(lines);
  const unzoned = await report("unzoned.xml");
  await unzoned.waitForSelector("button.fix:not([hidden])");
  assert.match(await unzoned.textContent("button.fix"), /^Fix\d+ with a time zone$/);
  await unzoned.locator("button.fix").click();
  await unzoned.waitForFunction(() => /^\d+ more can be repaired if you enter a time zone/.test(document.querySelector("#fix-zone-more")?.textContent));
  await accessible(unzoned, "repairs with a time zone", "dialog");
  await session.leave(unzoned);
  texts["nothing.xml"] = [HEAD, UP, '<rs:md capability="resourcelist" at="yesterday"/>', "</urlset>"].join("\n");
  const nothing = await report("nothing.xml");
  await nothing.waitForSelector("button.fix[data-known=true]", { state: "attached" });
  assert.equal(await nothing.locator("button.fix:visible").count(), 0);
  await session.leave(nothing);
});

test("a document that is too large or compressed says why it cannot be edited", async () => {
  texts["large.xml"] = texts["lines.xml"].replace("<!-- kept -->", `<!-- ${"x".repeat(1 << 20)} -->`);
  const large = await report("large.xml");
  assert.equal(await large.locator("[data-edit]").count(), 0);
  assert.match(await large.textContent(".too-large"), /Documents of up to 1 MB can be edited here/);
  await session.leave(large);
  const page = await session.open();
  await give(page, { name: "small.xml.gz", mimeType: "application/gzip", buffer: gzipSync(texts["lines.xml"]) });
  assert.equal(await over(page), "done");
  await page.locator("[data-edit]").click();
  await page.waitForSelector("dialog");
  assert.match(await page.textContent("dialog"), /compressed/);
  await session.leave(page);
});

test("repairs are listed, shown as a diff, applied, and undone", async () => {
  const page = await report("lines.xml");
  const before = await page.textContent(".verdict .numbers");
  await open(page);
  assert.match(await page.textContent(".fix-outcome h3"), /^\d+ repairs$/);
  assert.match(await page.textContent(".fix-outcome .plain-table"), /ChangeList → changelist/);
  assert.ok((await page.locator(".diff-line.old").allTextContents()).some((text) => text.includes('capability="ChangeList"')));
  assert.ok((await page.locator(".diff-line.new").allTextContents()).some((text) => text.includes('capability="changelist"')));
  await page.waitForFunction(() => document.querySelector(".fix-left")?.textContent.startsWith(" No errors"));
  await page.locator(".fix-outcome button.primary").click();
  await page.waitForFunction(() => document.querySelector(".verdict h1")?.textContent === "Valid");
  assert.equal(await page.locator("dialog").count(), 0);
  await page.locator(".undo button").click();
  await page.waitForFunction(() => document.querySelector(".verdict h1")?.textContent === "Invalid");
  assert.equal((await page.textContent(".verdict .numbers")).split("·")[0], before.split("·")[0]);
  await page.goBack();
  await page.waitForFunction(() => document.querySelector(".verdict h1")?.textContent === "Valid");
  await session.leave(page);
});

async function pasted(look) {
  const page = await session.open(look);
  await page.getByRole("button", { name: look?.lang === "ja" ? "XML を貼り付け" : "Paste XML" }).click();
  await page.fill("#paste-text", texts["lines.xml"]);
  await page.locator("#paste button").click();
  assert.equal(await over(page), "done");
  await page.waitForSelector("#edit-text");
  return page;
}

const verdict = (page, text) => page.waitForFunction((text) => document.querySelector(".verdict h1")?.textContent === text, text);

test("pasted text is checked again as it is typed, and each step can be undone", async () => {
  const page = await pasted();
  await verdict(page, "Invalid");
  const area = page.locator("#edit-text");
  await area.fill(texts["lines.xml"].replace("ChangeList", "changelist").replace("2026-04-03T09:00:00+09:00", "2026-04-01T09:00:00Z").replaceAll("図", "x"));
  await verdict(page, "Valid");
  // What is checked is the text: its place in the field stays.
  await area.focus();
  await page.locator(".editor button", { hasText: "Undo" }).click();
  await verdict(page, "Invalid");
  await page.locator(".editor button", { hasText: "Redo" }).click();
  await verdict(page, "Valid");
  const text = await area.inputValue();
  await page.getByRole("button", { name: "日本語" }).click();
  await page.waitForFunction(() => document.querySelector("#edit-head")?.textContent.startsWith("編集"));
  assert.equal(await area.inputValue(), text);
  await page.reload();
  await page.waitForSelector("#edit-text");
  assert.equal(await area.inputValue(), text);
  await verdict(page, "適合");
  assert.deepEqual(page.complaints, []);
  await session.leave(page);
});

test("the editor and the findings lead to each other", async () => {
  const page = await pasted({ size: { width: 1440, height: 900 } });
  await page.locator(".finding", { hasText: "AT-30" }).or(page.locator(".finding", { hasText: "4:" })).first().click();
  const chosen = await page.evaluate(() => {
    const area = document.querySelector("#edit-text");
    return area.value.slice(area.selectionStart, area.selectionEnd);
  });
  assert.match(chosen, /ChangeList/);
  assert.equal(await page.textContent(".edit-line.current"), "4");
  await page.locator(".edit-gutter .gutter-mark").first().click();
  await page.waitForFunction(() => document.querySelector(".finding[aria-current=true]"));
  await page.locator(".editor [aria-label='Stop editing']").click();
  assert.equal(await page.locator("#edit-text").count(), 0);
  await page.locator("[data-edit]").click();
  await page.waitForFunction(() => document.activeElement?.id === "edit-text");
  await session.leave(page);
});

test("on the narrowest phone the dialog of the repairs does not scroll sideways", async () => {
  for (const lang of ["en", "ja"]) {
    const page = await report("lines.xml", { lang, size: { width: 320, height: 700 } });
    await open(page);
    const [wide, room] = await page.evaluate(() => [document.querySelector("dialog").scrollWidth, document.querySelector("dialog").clientWidth]);
    assert.ok(wide <= room, `${lang}: ${wide} in ${room}`);
    await session.leave(page);
  }
});

for (const look of [{ lang: "en", theme: "light", size: "desktop" }, { lang: "ja", theme: "dark", size: "phone" }, { lang: "ja", theme: "light", size: { width: 820, height: 1100 } }]) {
  const name = Object.values(look).map((own) => own.width ?? own).join(", ");

  test(`repairs and editor are accessible: ${name}`, async () => {
    const page = await pasted(look);
    await accessible(page, `${name}, editor`);
    await fits(page, `${name}, editor`);
    await open(page);
    await page.waitForFunction(() => document.querySelector(".fix-left .icon"));
    await accessible(page, `${name}, repairs`);
    await fits(page, `${name}, repairs`);
    assert.deepEqual(page.complaints, []);
    await session.leave(page);
  });
}

test("in a Source the result is that of the document by itself, until the repairs are applied", async () => {
  const files = source({ sets: 1, changeLists: 2 });
  const name = "set-000/changelist-0000.xml";
  files[name] = files[name].replace('"changelist"', '"ChangeList"').replace("set-000/capabilitylist.xml", "set-000/resourcelist.xml");
  write(join(folder, "wrong-up"), files);
  const page = await session.open();
  await page.setInputFiles("#folder", join(folder, "wrong-up"));
  await over(page);
  await open(page);
  await page.waitForFunction(() => /No errors .* remain in the document .*by itself; links to and from other documents/.test(document.querySelector(".fix-left")?.textContent ?? ""));
  await page.locator(".fix-outcome button.primary").click();
  await page.waitForSelector(".undo");
  assert.match(await page.textContent(".verdict"), /Invalid/);
  assert.match(await page.textContent(".groups"), /LK-08/);
  await session.leave(page);
});

test("all documents are repaired at once: a ZIP of those that changed, each with a patch that leads to it", async () => {
  const page = await session.open();
  const changed = ["lines.xml", "windows.xml", "one-line.xml", "unended.xml"];
  const files = [...changed, "unzoned.xml"].map((name) => ({ name, mimeType: "application/xml", buffer: Buffer.from(texts[name]) }));
  await give(page, files);
  await over(page);
  await page.locator("button.fix").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".fix-all").click()]);
  assert.match(await page.textContent(".fix-every"), /4 documents with \d+ repairs, and a diff of each/);
  const out = join(folder, "all");
  execFileSync("python3", ["-c", "import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])", await download.path(), out]);
  for (const name of changed) {
    const repaired = readFileSync(join(out, name));
    writeFileSync(join(folder, name), texts[name]);
    assert.ok(repaired.equals(fixed(name)), name);
    writeFileSync(join(out, `${name}.before`), texts[name]);
    execFileSync("patch", ["--binary", "--quiet", join(out, `${name}.before`), join(out, `${name}.diff`)]);
    assert.ok(readFileSync(join(out, `${name}.before`)).equals(repaired), `${name}.diff`);
  }
  await accessible(page, "all repairs", "dialog");
  for (const width of [1440, 375, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await fits(page, `${width} px`);
  }
  await session.leave(page);
});

test("a finding is copied as text for a ticket, in the language of the page", async () => {
  for (const [lang, said] of [["en", /^\[[A-Z]+-\d+\] Error: .*\nLocation: lines\.xml, line \d+, column \d+.*\nRequirement: MUST/], ["ja", /^\[[A-Z]+-\d+\] エラー: .*\n場所: lines\.xml.*\n要件: MUST/]]) {
    const page = await session.open({ lang, permissions: ["clipboard-read", "clipboard-write"] });
    await give(page, join(folder, "lines.xml"));
    await over(page);
    await page.waitForSelector(".detail .ticket");
    if (lang === "ja") await page.waitForFunction(() => /[\u3041-\u309f]/.test(document.querySelector(".detail h3")?.textContent ?? ""));
    await page.locator(".detail .ticket").click();
    await page.waitForFunction(async () => /ANSI\/NISO/.test(await navigator.clipboard.readText()));
    const text = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(text, said);
    assert.match(text, /\n    .*<.*\n/, "excerpt");
    await session.leave(page);
  }
});
