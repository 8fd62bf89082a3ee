// Dropped inputs: samples, folders, pasted text, other files, truncated and hostile documents.

import { strict as assert } from "node:assert";
import { mkdirSync, mkdtempSync, cpSync, readFileSync, writeFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, give, over, picking, sample, start } from "./page.mjs";
import { archive, manifest } from "./zip.mjs";

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

const verdict = (page) => page.textContent(".verdict h1");
const codes = (page) => page.locator(".group > summary > .code, .group > .finding > .code").allTextContents();
const xml = (name, text) => ({ name, mimeType: "application/xml", buffer: Buffer.from(text) });

for (const [at, expected] of [[0, "Valid"], [1, "Invalid"], [2, "Invalid"], [3, "Valid"]]) {
  test(`sample ${at + 1} is one click away`, async () => {
    const page = await session.open();
    await page.locator(".samples button").nth(at).click();
    assert.equal(await over(page), "done");
    assert.equal(await verdict(page), expected);
    assert.deepEqual(page.complaints, []);
    await accessible(page, `sample ${at + 1}`);
    await session.leave(page);
  });
}

test("pasted text is checked", async () => {
  const page = await session.open();
  await page.getByRole("button", { name: "Paste XML" }).click();
  await page.fill("#paste-text", readFileSync(sample("resourcelist.xml"), "utf8"));
  await page.getByRole("button", { name: "Validate", exact: true }).click();
  assert.equal(await over(page), "done");
  assert.equal(await verdict(page), "Valid");
  await session.leave(page);
});

test("files and what they link to: what was not given is listed", async () => {
  mkdirSync(join(folder, "public"), { recursive: true });
  cpSync(sample("source/dataset"), join(folder, "public/dataset"), { recursive: true });
  rmSync(join(folder, "public/dataset/changelist.xml"));
  mkdirSync(join(folder, "public/.well-known"), { recursive: true });
  cpSync(sample("source/well-known/resourcesync"), join(folder, "public/.well-known/resourcesync"));
  writeFileSync(join(folder, "public/notes.txt"), "not for us");
  const page = await session.open();
  await page.setInputFiles("#folder", join(folder, "public"));
  assert.equal(await over(page), "done");
  await page.getByRole("button", { name: "Validate each document separately" }).click();
  await page.waitForSelector(".linked li");
  assert.equal(await verdict(page), "Valid");
  const linked = await page.locator(".linked .name > .uri").allTextContents();
  assert.deepEqual(linked, ["https://repository.example.org/dataset/changelist.xml"]);
  await accessible(page, "linked and missing");
  await session.leave(page);
});

test("a package is a tree of what is in it", async () => {
  const page = await session.open();
  await give(page, sample("resourcedump.zip"));
  assert.equal(await over(page), "done");
  assert.match(await page.textContent(".tree ul .node"), /manifest\.xml/);
  await page.locator(".tree ul .node").click();
  assert.deepEqual(await codes(page), ["PKG-05"]);
  await session.leave(page);
});

test("files added to a report are checked together with it", async () => {
  const page = await session.open();
  await give(page, sample("resourcelist.xml"));
  await over(page);
  await give(page, sample("changelist.xml"));
  await page.waitForFunction(() => document.querySelectorAll(".tree .node").length === 3);
  assert.equal(await verdict(page), "Invalid");
  await session.leave(page);
});

test("a second folder is not laid over a Source, and one of the same name replaces it", async () => {
  const broken = "apart/today/dataset/resourcelist.xml";
  for (const name of ["today", "yesterday", "again/today"]) {
    mkdirSync(join(folder, "apart", name, ".well-known"), { recursive: true });
    cpSync(sample("source/dataset"), join(folder, "apart", name, "dataset"), { recursive: true });
    cpSync(sample("source/well-known/resourcesync"), join(folder, "apart", name, ".well-known/resourcesync"));
  }
  writeFileSync(join(folder, broken), readFileSync(join(folder, broken), "utf8").replace("</urlset>", "<url/></urlset>"));
  const page = await session.open();
  const shows = async (command, wanted, ...names) => {
    await page.waitForFunction((command) => document.querySelector(".check")?.dataset.phase === "done" && document.querySelector(".repeat code")?.textContent === command, command);
    assert.equal(await verdict(page), wanted, names.join());
  };
  const followed = (name) => `resourcesync validate --follow --base-uri https://repository.example.org/ ${name}`;
  for (const names of [["today", "yesterday"], ["yesterday", "today"]]) {
    await page.setInputFiles("#folder", join(folder, "apart", names[0]));
    await shows(followed(names[0]), names[0] === "today" ? "Invalid" : "Valid", names[0]);
    await page.setInputFiles("#folder", join(folder, "apart", names[1]));
    await shows(`resourcesync validate ${names.join(" ")}`, "Invalid", ...names);
    assert.match(await page.textContent(".note.apart"), /in several folders, so each document was validated separately, without following links/);
    assert.equal(await page.locator("#whole-base").count(), 0);
    assert.equal(await page.locator(".two-sides button").count(), 1, "they can be compared");
    await accessible(page, "several folders", ".result");
    await page.getByRole("button", { name: "Start over" }).click();
  }
  await page.setInputFiles("#folder", join(folder, "apart/today"));
  await shows(followed("today"), "Invalid");
  await page.setInputFiles("#folder", join(folder, "apart/again/today"));
  await page.waitForFunction(() => document.querySelector(".verdict h1")?.textContent === "Valid");
  await shows(followed("today"), "Valid");
  await session.leave(page);
});

test("an HTML page is distinguished from a document", async () => {
  const page = await session.open();
  await give(page, { name: "index.html", mimeType: "text/html", buffer: Buffer.from("<!doctype html><html><body>404</body></html>") });
  assert.equal(await over(page), "done");
  assert.match((await codes(page)).join(), /^INP-/);
  await accessible(page, "HTML");
  await session.leave(page);
});

test("a cut file is invalid, and says where it ends", async () => {
  const page = await session.open();
  await give(page, xml("cut.xml", readFileSync(sample("resourcelist.xml"), "utf8").slice(0, 700)));
  assert.equal(await over(page), "done");
  assert.equal(await verdict(page), "Invalid");
  assert.ok((await codes(page)).includes("GEN-01"));
  await session.leave(page);
});

test("an empty file and plain bytes are said to be what they are", async () => {
  for (const buffer of [Buffer.alloc(0), Buffer.from([0, 1, 2, 255, 254, 0, 0, 7])]) {
    const page = await session.open();
    await give(page, { name: "thing.xml", mimeType: "application/xml", buffer });
    assert.equal(await over(page), "done");
    assert.notEqual(await verdict(page), "Valid");
    await session.leave(page);
  }
});

test("a hostile package is never valid", async () => {
  const hello = Buffer.from("hello");
  const listed = manifest([{ path: "/../evil.pdf", length: 5, sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824" }]);
  const members = [{ name: "manifest.xml", data: listed }, { name: "../evil.pdf", data: hello }, { name: "twice.pdf", data: hello }, { name: "twice.pdf", data: "other" }];
  const page = await session.open();
  await give(page, { name: "hostile.zip", mimeType: "application/zip", buffer: archive(members, { "twice.pdf": { size: 4_000_000_000 } }) });
  assert.equal(await over(page), "done");
  assert.equal(await verdict(page), "Invalid");
  assert.match((await codes(page)).join(), /ZIP-/);
  await accessible(page, "hostile package");
  await session.leave(page);
});

test("what a limit kept from being checked is undetermined, and says so", async () => {
  const page = await session.open();
  const depth = "<x:a>".repeat(80) + "</x:a>".repeat(80);
  const text = readFileSync(sample("resourcelist.xml"), "utf8").replace("<url>", `<url>${depth.replace("<x:a>", "<x:a xmlns:x='urn:x'>").replaceAll(/<x:a>/g, "<x:a>")}`);
  await give(page, xml("deep.xml", text));
  assert.equal(await over(page), "done");
  assert.notEqual(await verdict(page), "Valid");
  assert.match(await page.textContent(".gaps"), /nested more than 64 levels deep/);
  assert.equal(await page.locator(".gaps button").count(), 0, "the same file would not help");
  await accessible(page, "undetermined");
  await session.leave(page);
});

test("a report that is none is refused with a reason", async () => {
  const page = await session.open();
  await give(page, { name: "report.json", mimeType: "application/json", buffer: Buffer.from('{"format":"resourcesync-report","formatVersion":99}') });
  assert.equal(await over(page), "failed");
  assert.match(await page.textContent(".verdict"), /could not be opened as a report of this tool/);
  await accessible(page, "failed");
  await session.leave(page);
});

test("the reason is in the language of the page", async () => {
  for (const [lang, version, damaged] of [["en", /it has version 99, this page shows version 1/, /it is damaged, or no report/], ["ja", /バージョン 99 のレポートです/, /壊れているか、レポートではありません/]]) {
    const page = await session.open({ lang });
    for (const [text, reason] of [['{"format":"resourcesync-report","formatVersion":99}', version], ['{"format":"resourcesync-report",', damaged], ['{"format":"resourcesync-sync-report",', damaged]]) {
      await page.reload();
      await give(page, { name: "report.json", mimeType: "application/json", buffer: Buffer.from(text) });
      assert.equal(await over(page), "failed");
      assert.match(await page.textContent(".verdict p"), reason);
    }
    await session.leave(page);
  }
});

test("a folder without a file for us says so", async () => {
  const page = await session.open();
  mkdirSync(join(folder, "other"), { recursive: true });
  writeFileSync(join(folder, "other/notes.txt"), "nothing");
  await page.setInputFiles("#folder", join(folder, "other"));
  assert.equal(await over(page), "failed");
  await accessible(page, "nothing");
  await session.leave(page);
});

test("files dropped on the page are checked", async () => {
  const page = await session.open();
  const transfer = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "dropped.xml", { type: "application/xml" }));
    return transfer;
  }, readFileSync(sample("resourcelist.xml"), "utf8"));
  await page.dispatchEvent(".drop-place", "dragenter", { dataTransfer: transfer });
  await page.dispatchEvent(".drop-place", "drop", { dataTransfer: transfer });
  assert.equal(await over(page), "done");
  assert.match(await page.textContent(".verdict"), /dropped\.xml/);
  await session.leave(page);
});

test("a folder dropped on the page is walked", async () => {
  mkdirSync(join(folder, "dropped/inner"), { recursive: true });
  cpSync(sample("resourcelist.xml"), join(folder, "dropped/inner/list.xml"));
  writeFileSync(join(folder, "dropped/notes.txt"), "not for us");
  const page = await session.open();
  const cdp = await page.context().newCDPSession(page);
  const data = { items: [], files: [join(folder, "dropped")], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"]) await cdp.send("Input.dispatchDragEvent", { type, x: 600, y: 300, data });
  assert.equal(await over(page), "done");
  assert.match(await page.textContent(".verdict"), /dropped\/inner\/list\.xml/);
  assert.doesNotMatch(await page.textContent("main"), /notes/);
  await session.leave(page);
});

test("a folder that is picked is read like the one of the field; cancelling changes nothing, and a folder that cannot be read is named as such", async () => {
  const own = join(folder, "picked");
  mkdirSync(join(own, ".well-known"), { recursive: true });
  cpSync(sample("source/well-known/resourcesync"), join(own, ".well-known/resourcesync"));
  cpSync(sample("source/dataset"), join(own, "dataset"), { recursive: true });
  writeFileSync(join(own, "notes.txt"), "not for us");
  const page = await session.open();
  await page.setInputFiles("#folder", own);
  assert.equal(await over(page), "done");
  const names = () => page.locator(".inputs li").allTextContents();
  const before = await names();
  assert.ok(before.length > 3);
  await page.getByRole("button", { name: "Start over" }).click();
  await picking(page, own);
  await page.getByRole("button", { name: "Choose a folder" }).click();
  assert.equal(await over(page), "done");
  assert.deepEqual(await names(), before);
  await page.getByRole("button", { name: "Start over" }).click();
  const choose = async (error) => {
    await page.evaluate((error) => (window.showDirectoryPicker = () => Promise.reject(new DOMException("no such folder", error))), error);
    await page.getByRole("button", { name: "Choose a folder" }).click();
  };
  await choose("AbortError");
  assert.equal(await page.getAttribute(".check", "data-phase"), "empty");
  await choose("NotFoundError");
  assert.equal(await over(page), "failed");
  assert.match(await page.textContent(".verdict"), /could not read the folder: no such folder/);
  await accessible(page, "no folder");
  await page.goBack();
  await page.waitForSelector(".check[data-phase=empty]");
  assert.deepEqual(page.complaints, []);
  await session.leave(page);
});

test("a file that is gone when it is to be read is said to be gone", async () => {
  const file = join(folder, "gone.xml");
  cpSync(sample("resourcelist.xml"), file);
  const page = await session.open();
  await give(page, file);
  assert.equal(await over(page), "done");
  rmSync(file);
  await page.locator(".repeat .settings summary").click();
  await page.getByRole("button", { name: "Validate again with these settings" }).click();
  await page.waitForSelector(".check[data-phase=failed]");
  assert.match(await page.textContent(".verdict"), /could not read gone\.xml/);
  await accessible(page, "gone");
  await session.leave(page);
});

test("a validator that cannot be loaded says so, and is tried again", async () => {
  const page = await session.open();
  await page.route("**/*.wasm", (route) => route.fulfill({ status: 404 }));
  await give(page, sample("resourcelist.xml"));
  assert.equal(await over(page), "failed");
  assert.match(await page.textContent(".verdict"), /could not be loaded/);
  await accessible(page, "no validator");
  await page.unroute("**/*.wasm");
  await page.getByRole("button", { name: "Validate again" }).click();
  await page.waitForSelector(".check[data-phase=done]");
  assert.equal(await verdict(page), "Valid");
  await session.leave(page);
});

test("settings are used when checking again, and stand in the address", async () => {
  const page = await session.open();
  await give(page, sample("resourcelist.xml"));
  await over(page);
  await page.locator(".repeat .settings summary").click();
  await page.getByLabel("Expected kind").selectOption("change-list");
  await page.getByRole("button", { name: "Validate again with these settings" }).click();
  await page.waitForFunction(() => document.querySelector(".verdict h1")?.textContent === "Invalid");
  assert.match(page.url(), /expect=change-list/);
  assert.match(await page.textContent(".repeat .command code"), /--expect change-list resourcelist\.xml/);
  await session.leave(page);
});

test("a folder of many documents is listed in steps, and all of it can be reached", async () => {
  mkdirSync(join(folder, "many"), { recursive: true });
  const text = readFileSync(sample("resourcelist.xml"), "utf8").replace("at=", "until=");
  for (let at = 0; at < 450; at++) writeFileSync(join(folder, `many/${String(at).padStart(3, "0")}.xml`), text);
  const page = await session.open();
  await page.setInputFiles("#folder", join(folder, "many"));
  assert.equal(await over(page), "done");
  assert.equal(await page.locator(".tree .node").count(), 201);
  for (const count of [401, 451]) {
    await page.locator(".tree .more button").click();
    await page.waitForFunction((count) => document.querySelectorAll(".tree .node").length === count, count);
  }
  await page.getByLabel("Group by").selectOption("input");
  await page.waitForFunction(() => document.querySelectorAll(".group").length === 200);
  await page.locator(".groups > .more button").click();
  await page.waitForFunction(() => document.querySelectorAll(".group").length === 400);
  await session.leave(page);
});
