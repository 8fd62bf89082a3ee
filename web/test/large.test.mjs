// Large inputs and long runs: the page stays responsive and its memory bounded. Times are printed, not asserted.

import { strict as assert } from "node:assert";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { list, reportOf } from "./large-inputs.mjs";
import { accessible, give, over, sample, start } from "./page.mjs";
import { writeSparse } from "./zip.mjs";

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

/** Watches the main thread; returns the longest time without a response. */
async function watched(page) {
  await page.evaluate(() => {
    window.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
    }).observe({ type: "longtask", buffered: false });
  });
  return () => page.evaluate(() => Math.round(window.longest));
}

/** The peak resident memory of any process of the browser in MB. */
async function peak() {
  const cdp = await session.browser.newBrowserCDPSession();
  const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
  await cdp.detach();
  const sizes = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => {
    const status = readFileSync(`/proc/${id}/status`, "utf8");
    return Math.round(Number(/VmHWM:\s*(\d+)/.exec(status)?.[1]) / 1024);
  });
  return Math.max(...sizes);
}

test("a list of 50 MB is checked while the page answers", async (t) => {
  const file = join(folder, "fifty.xml");
  const text = list(50_000, `<rs:md hash="sha-256:${"9f86d081".repeat(8)} md5:${"1e0d5cb8".repeat(4)}" length="8876" type="text/html"/>`, "x".repeat(700));
  writeFileSync(file, text);
  assert.ok(text.length > 47e6 && text.length < 50e6, `${text.length}`);
  const page = await session.open({ own: true });
  const longest = await watched(page);
  await give(page, file);
  assert.equal(await over(page, 120_000), "done");
  assert.equal(await page.textContent(".verdict h1"), "Valid");
  t.diagnostic(`50 MB: longest task of the main thread ${await longest()} ms; renderer at most ${await peak()} MB`);
  await session.leave(page);
});

test("50,000 findings are counted exactly and shown in part", async (t) => {
  const file = join(folder, "faults.xml");
  writeFileSync(file, list(50_000, `<rs:md hash="md5:xyz" length="1"/>`));
  const page = await session.open({ own: true, lang: "ja" });
  const longest = await watched(page);
  await give(page, file);
  assert.equal(await over(page, 120_000), "done");
  assert.match(await page.textContent(".verdict"), /50,000/);
  assert.equal(await page.locator(".finding").count(), 50);
  await page.locator(".rows .more button").click();
  await page.waitForFunction(() => document.querySelectorAll(".finding").length === 100);
  assert.match(await page.textContent(".rows .more"), /50,000 件のうち 100 件/);
  await page.fill("#search", "0000042");
  await page.waitForFunction(() => document.querySelectorAll(".finding").length < 10);
  assert.ok(await page.locator(".finding").count() > 0);
  t.diagnostic(`50,000 findings: longest task of the main thread ${await longest()} ms; renderer at most ${await peak()} MB`);
  await accessible(page, "50,000 findings");
  await session.leave(page);
});

test("a report with 50,000 findings is opened", async (t) => {
  const file = join(folder, "report.json");
  writeFileSync(file, JSON.stringify(reportOf(50_000, 1)));
  const page = await session.open({ own: true });
  const longest = await watched(page);
  await give(page, file);
  assert.equal(await over(page, 60_000), "done");
  assert.match(await page.textContent(".verdict"), /50,000 errors/);
  t.diagnostic(`report of 50,000 findings: longest task of the main thread ${await longest()} ms`);
  await session.leave(page);
});

test("a report with 200,000 findings in 1,000 documents is shown in part, and downloaded whole", async (t) => {
  const file = join(folder, "documents.json");
  writeFileSync(file, JSON.stringify(reportOf(200_000, 1_000)));
  const page = await session.open({ own: true });
  const longest = await watched(page);
  await give(page, file);
  assert.equal(await over(page, 60_000), "done");
  assert.match(await page.textContent(".verdict"), /200,000 errors/);
  assert.match(await page.textContent(".unstored"), /190,000 more findings were counted/);
  t.diagnostic(`report of 200,000 findings in 1,000 documents: longest task of the main thread ${await longest()} ms`);
  await page.locator(".menu summary").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("[data-format=csv]").click()]);
  assert.equal(readFileSync(await download.path(), "utf8").trim().split("\n").length, 200_001);
  await session.leave(page);
});

test("a package of 2 GiB is verified in bounded memory", async (t) => {
  const file = join(folder, "large.zip");
  writeSparse(file, 2 ** 31);
  const page = await session.open({ own: true });
  const longest = await watched(page);
  await give(page, file);
  assert.equal(await over(page, 240_000), "done");
  assert.equal(await page.textContent(".verdict h1"), "Valid");
  const most = await peak();
  t.diagnostic(`2 GiB package: longest task of the main thread ${await longest()} ms; renderer at most ${most} MB`);
  assert.ok(most < 600, `${most} MB`);
  await session.leave(page);
});

test("a cancelled run says what it found and what it left, and the next one works", async () => {
  const file = join(folder, "long.xml");
  writeFileSync(file, list(600_000, `<rs:md hash="md5:xyz" length="1"/>`, "y".repeat(100)));
  const page = await session.open({ own: true });
  await give(page, file);
  await page.waitForFunction(() => (document.querySelector("progress")?.value ?? 0) > 0, null, { timeout: 60_000 });
  await accessible(page, "running");
  await page.keyboard.press("Escape");
  assert.equal(await over(page), "cancelled");
  assert.match(await page.textContent(".verdict"), /You stopped the validation after/);
  await accessible(page, "cancelled");
  await give(page, sample("resourcelist.xml"));
  await page.waitForSelector(".check[data-phase=done]");
  await page.waitForFunction(() => document.querySelector(".verdict h1")?.textContent === "Valid");
  await session.leave(page);
});
