// The page as one file, opened from disk on a computer without network.

import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { give, over, sample, start } from "./page.mjs";

const folder = mkdtempSync(join(tmpdir(), "page-"));
const file = join(folder, "validator.html");
let session;
before(async () => {
  execFileSync(process.execPath, [join(dirname(fileURLToPath(import.meta.url)), "../build.mjs"), file, "--one-file"]);
  session = await start();
});
after(async () => {
  await session.close();
  rmSync(folder, { recursive: true });
});

/** Opens it without network; `first` runs before its script. */
async function open(first) {
  const page = await (await session.browser.newContext({ offline: true, locale: "en" })).newPage();
  if (first) await page.addInitScript(first);
  const asked = [];
  page.on("request", (request) => /^(data|blob):/.test(request.url()) || asked.push(request.url()));
  const wrong = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(String(error)));
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector("main > *");
  return { page, asked, wrong };
}

test("one file checks documents, packages and Sources without a server", async () => {
  for (const [name, verdict] of [["resourcelist.xml", "Valid"], ["changelist.xml", "Invalid"], ["resourcedump.zip", "Invalid"]]) {
    const { page, asked, wrong } = await open();
    await give(page, sample(name));
    assert.equal(await over(page), "done", name);
    assert.equal(await page.textContent(".verdict h1"), verdict, name);
    assert.deepEqual([asked, wrong], [[pathToFileURL(file).href], []], name);
    await session.leave(page);
  }
});

test("its samples, rules and texts are in it, in both languages", async () => {
  const { page, asked, wrong } = await open();
  await page.waitForSelector("html[data-offline=ready]");
  await page.locator(".samples button").last().click();
  assert.equal(await over(page), "done");
  assert.equal(await page.textContent(".verdict h1"), "Valid");
  await page.locator(".outlook button").click();
  await page.waitForSelector(".outlook-plans > *");
  assert.equal(await page.locator(".outlook-plans .wrong").count(), 0);
  await page.locator("#language").click();
  await page.waitForSelector("html[lang=ja]");
  await page.evaluate(() => (location.hash = "#/rules"));
  await page.waitForSelector(".rule-list");
  assert.match(await page.textContent(".rule-list"), /[ぁ-ん]/);
  await page.evaluate(() => (location.hash = "#/build"));
  await page.waitForSelector(".build-view");
  assert.deepEqual([asked, wrong], [[pathToFileURL(file).href], []]);
  await session.leave(page);
});

test("where its workers can read no files, the page reads for them", async () => {
  // As WebKit does for pages from disk.
  const deny = () => {
    const script = `for (const name of ["arrayBuffer", "text"]) Blob.prototype[name] = () => Promise.reject(new DOMException("The I/O read operation failed.", "NotReadableError"));
      Blob.prototype.stream = () => new ReadableStream({ pull: (controller) => controller.error(new DOMException("The I/O read operation failed.", "NotReadableError")) });\n`;
    window.Blob = new Proxy(Blob, { construct: (own, [parts, options]) => new own(options?.type === "text/javascript" ? [script, ...parts] : parts, options) });
  };
  for (const [name, verdict] of [["resourcelist.xml", "Valid"], ["changelist.xml", "Invalid"], ["resourcedump.zip", "Invalid"]]) {
    const { page, wrong } = await open(deny);
    await give(page, sample(name));
    assert.equal(await over(page), "done", name);
    assert.equal(await page.textContent(".verdict h1"), verdict, name);
    assert.deepEqual(wrong, [], name);
    await session.leave(page);
  }
  const { page, wrong } = await open(deny);
  await page.locator(".samples button").last().click();
  assert.equal(await over(page), "done");
  assert.equal(await page.textContent(".verdict h1"), "Valid");
  await page.locator(".outlook button").click();
  await page.waitForSelector(".outlook-plans > *");
  assert.equal(await page.locator(".outlook-plans .wrong").count(), 0);
  assert.deepEqual(wrong, []);
  await session.leave(page);
});

test("it says what its policy and its links are", async () => {
  const { page } = await open();
  await give(page, sample("changelist.xml"));
  assert.equal(await over(page), "done");
  await page.locator("button.share").click();
  assert.match(await page.textContent("dialog[open]"), /opens only where the file is in the same place/);
  await page.keyboard.press("Escape");
  await page.locator("#privacy").click();
  assert.match(await page.textContent("dialog[open]"), /It allows no connections/);
  await session.leave(page);
});

test("neither the file nor its workers can reach anything", async () => {
  const reached = [];
  const elsewhere = createServer((request, response) => {
    reached.push(request.url);
    response.writeHead(200, { "access-control-allow-origin": "*" }).end("here");
  });
  await new Promise((ready) => elsewhere.listen(0, "127.0.0.1", ready));
  const address = `http://127.0.0.1:${elsewhere.address().port}/`;
  const attempt = (address) => fetch(address, { mode: "no-cors" }).then(() => "reached", () => "refused");
  const page = await session.browser.newPage();
  await page.goto(pathToFileURL(file).href);
  await give(page, sample("changelist.xml"));
  assert.equal(await over(page), "done");
  assert.equal(await page.evaluate(attempt, address), "refused");
  assert.ok(page.workers().length > 0);
  for (const worker of page.workers()) assert.equal(await worker.evaluate(attempt, address), "refused");
  assert.deepEqual(reached, []);
  await page.close();
  elsewhere.close();
});
