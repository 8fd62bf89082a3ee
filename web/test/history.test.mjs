// Back, Forward, reload and a change of language: no work is lost.

import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { accessible, command, give, over, sample, start } from "./page.mjs";

let session;
before(async () => (session = await start()));
after(() => session.close());

const phase = (page, at) => page.waitForSelector(`.check[data-phase=${at}]`);
const json = async (page) => {
  await page.locator(".menu summary").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("[data-format=json]").click()]);
  return readFileSync(await download.path(), "utf8");
};

test("Back leads from a finding to its report, to the report before, and to the start", async () => {
  const page = await session.open();
  await give(page, sample("changelist.xml"));
  await over(page);
  await page.locator(".finding").nth(2).click();
  await page.waitForFunction(() => location.hash.includes("finding="));
  await page.locator(".finding").nth(3).click();
  await page.locator(".detail a.code").click();
  await page.waitForSelector(".rule-page");
  await page.goBack();
  await phase(page, "done");
  assert.match(page.url(), /finding=/);
  await page.goBack();
  await page.waitForFunction(() => !location.hash.includes("finding="));
  await give(page, sample("resourcelist.xml"));
  await page.waitForFunction(() => document.querySelectorAll(".tree .node").length === 3);
  await page.goBack();
  await page.waitForFunction(() => document.querySelector(".verdict .only")?.textContent.startsWith("changelist.xml"));
  await page.goBack();
  await phase(page, "empty");
  await page.goForward();
  await phase(page, "done");
  assert.equal(await page.textContent(".verdict h1"), "Invalid");
  await session.leave(page);
});

test("Back during a run stops it and shows the start", async () => {
  const page = await session.open();
  await page.route("**/validate.wasm", () => undefined);
  await give(page, sample("changelist.xml"));
  await phase(page, "running");
  await page.goBack();
  await phase(page, "empty");
  await session.leave(page);
});

test("a report that is still being opened is not shown after what was dropped next, nor after Cancel", async () => {
  const report = { mimeType: "application/json", buffer: spawnSync(command, ["validate", "--no-config", "--format", "json", sample("resourcelist.xml")]).stdout };
  const page = await session.open();
  for (const next of ["document", "cancel"]) {
    let release;
    const released = new Promise((resolve) => (release = resolve));
    await page.route("**/surveyor.js", (route) => released.then(() => route.continue()));
    await give(page, next === "document" ? [{ name: "1.json", ...report }, { name: "2.json", ...report }] : { name: "1.json", ...report });
    await phase(page, "running");
    if (next === "document") await give(page, { name: "broken.xml", mimeType: "application/xml", buffer: Buffer.from("<broken") });
    else await page.getByRole("button", { name: "Cancel" }).click();
    await over(page);
    const shown = await page.textContent("main h1");
    await Promise.all([page.waitForResponse("**/surveyor.js"), release()]);
    await new Promise((done) => setTimeout(done, 500));
    assert.equal(await page.textContent("main h1"), shown, next);
    assert.equal(await page.locator(".compared, dialog[open]").count(), 0, "the two reports are not compared any more");
    await page.goto(session.url);
    await page.reload();
  }
  await session.leave(page);
});

test("on a phone Back closes the finding, and its own button does the same", async () => {
  const page = await session.open({ size: "phone" });
  await give(page, sample("changelist.xml"));
  await over(page);
  for (const leave of [() => page.goBack(), () => page.locator(".detail .back").click(), () => page.keyboard.press("Escape")]) {
    await page.locator(".finding").nth(1).click();
    await page.waitForSelector("body.detail-open");
    await leave();
    await page.waitForSelector("body:not(.detail-open)");
    await page.waitForFunction(() => document.activeElement?.matches(".finding[aria-current=true]"));
  }
  await page.goBack();
  await phase(page, "empty");
  await session.leave(page);
});

test("a reload shows the same report, finding and filters, and it is still the same bytes", async () => {
  const page = await session.open();
  await give(page, sample("changelist.xml"));
  await over(page);
  const before = await json(page);
  await page.fill("#search", "digest");
  await page.waitForFunction(() => document.querySelectorAll(".group").length === 1);
  await page.locator(".finding").first().click();
  await page.waitForFunction(() => location.hash.includes("finding="));
  const finding = await page.textContent(".detail h3");
  await page.reload();
  await phase(page, "done");
  await page.waitForFunction((finding) => document.querySelector(".detail h3")?.textContent === finding, finding);
  assert.equal(await page.locator(".group").count(), 1);
  assert.equal(await json(page), before);
  // The file is there as well.
  await page.locator(".repeat .settings summary").click();
  await page.getByRole("button", { name: "Validate again with these settings" }).click();
  await page.waitForFunction(() => !location.hash.includes("finding="));
  await phase(page, "done");
  assert.equal(await page.textContent(".verdict h1"), "Invalid");
  await session.leave(page);
});

test("the last checks are listed on the start page, and one click forgets them", async () => {
  const page = await session.open();
  for (const name of ["changelist.xml", "resourcelist.xml"]) {
    await give(page, sample(name));
    await over(page);
    await page.getByRole("button", { name: "Start over" }).click();
    await phase(page, "empty");
  }
  const items = page.locator(".last-checks li button");
  await page.waitForFunction(() => document.querySelectorAll(".last-checks li").length === 2);
  assert.match(await items.first().textContent(), /^Valid resourcelist\.xml/);
  await accessible(page, "last checks");
  await items.nth(1).click();
  await phase(page, "done");
  assert.equal(await page.textContent(".verdict h1"), "Invalid");
  await page.goBack();
  await page.getByRole("button", { name: "Forget all" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".last-checks li").length === 0);
  await page.reload();
  await phase(page, "empty");
  await page.waitForSelector(".last-checks");
  assert.equal(await items.count(), 0);
  await session.leave(page);
});

test("where a browser stores no files, the report is kept without them", async () => {
  const page = await session.open({ own: true });
  // As WebKit does in private windows: a file that comes first is an error, and one that comes later leaves the transaction open.
  await page.addInitScript(() => {
    const written = new WeakSet();
    const put = IDBObjectStore.prototype.put;
    const isFile = (value) => value instanceof Blob || (typeof value === "object" && value !== null && Object.values(value).some(isFile));
    IDBObjectStore.prototype.put = function (value) {
      if (isFile(value) && !written.has(this.transaction)) return this.add({});
      if (!isFile(value)) {
        written.add(this.transaction);
        return put.call(this, value);
      }
      const again = () => (this.count().onsuccess = again);
      again();
      return this.count();
    };
    IDBTransaction.prototype.commit = () => undefined;
  });
  await page.reload();
  await give(page, sample("changelist.xml"));
  await over(page);
  await page.waitForSelector(".finding");
  await page.goto(`${session.url}#/`);
  await page.waitForSelector(".last-checks li button");
  await page.reload();
  await page.locator(".last-checks li button").click();
  await over(page);
  assert.equal(await page.textContent(".verdict h1"), "Invalid");
  // What is dropped now cannot be validated together with a file that is not here.
  assert.match(await page.textContent(".drop-line"), /Drop other files to validate them/);
  await session.leave(page);
});

test("a database that does not answer keeps nobody from comparing", async () => {
  const page = await session.open({ own: true });
  await page.addInitScript(() => (IDBFactory.prototype.open = () => new EventTarget()));
  await page.reload();
  for (const name of ["changelist.xml", "resourcelist.xml"]) {
    await page.goto(`${session.url}#/`);
    await give(page, sample(name));
    assert.equal(await over(page), "done");
  }
  await page.locator("button.compare").click();
  await page.waitForSelector("dialog[open]");
  await session.leave(page);
});

test("who keeps nothing finds nothing in the browser", async () => {
  const page = await session.open();
  await page.getByLabel(/^Keep the last 10 checks/).uncheck();
  await page.getByRole("button", { name: "Paste XML" }).click();
  await page.fill("#paste-text", readFileSync(sample("changelist.xml"), "utf8"));
  await page.getByRole("button", { name: "Validate", exact: true }).click();
  await over(page);
  await page.reload();
  await phase(page, "empty");
  assert.match(await page.textContent(".note"), /not stored in this browser/);
  const stored = await page.evaluate(async () => {
    const database = await new Promise((resolve) => (indexedDB.open("resourcesync-page").onsuccess = ({ target }) => resolve(target.result)));
    const names = [...database.objectStoreNames];
    const counts = await Promise.all(names.map((name) => new Promise((resolve) =>
      (database.transaction(name).objectStore(name).count().onsuccess = ({ target }) => resolve(target.result)))));
    return [counts.reduce((sum, count) => sum + count, 0), sessionStorage.length];
  });
  assert.deepEqual(stored, [0, 0]);
  await session.leave(page);
});

test("text in progress survives a change of language, a check, Back, and a reload", async () => {
  const page = await session.open();
  const text = readFileSync(sample("resourcelist.xml"), "utf8");
  await page.getByRole("button", { name: "Paste XML" }).click();
  await page.fill("#paste-text", text);
  await page.locator("#language").click();
  await page.waitForSelector("html[lang=ja]");
  assert.equal(await page.inputValue("#paste-text"), text);
  await page.locator(".paste .primary").click();
  await over(page);
  await page.goBack();
  await phase(page, "empty");
  assert.equal(await page.inputValue("#paste-text"), text);
  await page.evaluate(() => (location.hash = "#/build"));
  await page.fill("#build-uris", "https://example.org/a");
  await page.locator("#language").click();
  await page.waitForSelector("html[lang=en]");
  assert.equal(await page.inputValue("#build-uris"), "https://example.org/a");
  await page.reload();
  await page.waitForSelector("#build-uris");
  assert.equal(await page.inputValue("#build-uris"), "https://example.org/a");
  await page.locator("#nav-check").click();
  await page.waitForSelector("#paste-text");
  assert.equal(await page.inputValue("#paste-text"), text);
  await session.leave(page);
});

test("built documents survive a change of language, and a check of them and Back", async () => {
  const page = await session.open({ hash: "#/build" });
  await page.fill("#build-uris", "https://example.org/dataset/a.html");
  await page.fill("#build-base", "https://example.org/dataset/");
  await page.locator("form button[type=submit]").click();
  const documents = page.locator(".made li strong");
  await documents.first().waitFor();
  const names = await documents.allTextContents();
  await page.locator("#language").click();
  await page.waitForSelector("html[lang=ja] .made li");
  assert.deepEqual(await documents.allTextContents(), names);
  assert.equal(await page.textContent(".built h2"), "3. ファイルの公開");
  await page.getByRole("button", { name: "検証する", exact: true }).click();
  assert.equal(await over(page), "done");
  await page.goBack();
  await page.waitForSelector(".build-view .made li");
  assert.deepEqual(await documents.allTextContents(), names);
  await session.leave(page);
});

test("a change of language keeps report, finding, filters and comparison; edited text survives it, and a reload", async () => {
  const page = await session.open();
  await give(page, sample("resourcelist.xml"));
  await over(page);
  await page.getByRole("button", { name: "Start over" }).click();
  await give(page, sample("changelist.xml"));
  await over(page);
  const before = await json(page);
  await page.locator("button.compare").click();
  await page.locator("dialog li button").first().click();
  await page.waitForSelector(".compared");
  await page.fill("#search", "digest");
  await page.waitForFunction(() => document.querySelectorAll(".group").length === 1);
  await page.locator(".finding").first().click();
  await page.waitForFunction(() => location.hash.includes("finding="));
  const address = page.url();
  await page.locator("#language").click();
  await page.waitForSelector("html[lang=ja] .compared");
  assert.equal(page.url(), address);
  assert.equal(await page.inputValue("#search"), "digest");
  assert.equal(await page.locator(".finding[aria-current=true]").count(), 1);
  await page.locator("#language").click();
  await page.waitForSelector("html[lang=en] .verdict");
  assert.equal(await json(page), before);
  await page.locator("[data-edit]").click();
  const text = (await page.inputValue("#edit-text")).replace("<urlset", "<!-- mine --><urlset");
  await page.fill("#edit-text", text);
  await page.locator("#language").click();
  await page.waitForSelector("html[lang=ja] #edit-text");
  assert.equal(await page.inputValue("#edit-text"), text);
  await page.waitForFunction(() => [...document.querySelectorAll("[role=status]")].some((own) => own.textContent.startsWith("不適合")));
  await page.reload();
  await phase(page, "done");
  await page.locator("[data-edit]").click();
  await page.waitForSelector("#edit-text");
  assert.equal(await page.inputValue("#edit-text"), text);
  await session.leave(page);
});
