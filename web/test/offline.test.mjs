// Offline: the page reloads and validates, and the first view is small.

import { strict as assert } from "node:assert";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { after, before, test } from "node:test";
import { serve } from "../serve.mjs";
import { accessible, dist, give, over, sample, start } from "./page.mjs";

/** Modules that were built to be tested are larger. */
const quick = existsSync(new URL("../../target/npm/quick", import.meta.url));

let session;
before(async () => (session = await start()));
after(() => session.close());

test("after one visit the page works without a network", async () => {
  const page = await session.open({ workers: "allow" });
  await page.waitForSelector("html[data-offline=ready]", { timeout: 30_000 });
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForSelector("main > *");
  await give(page, sample("resourcedump.zip"));
  assert.equal(await over(page), "done");
  assert.equal(await page.textContent(".verdict h1"), "Invalid");
  await page.waitForSelector("#offline-now", { state: "visible" });
  assert.equal(await page.isVisible("#offline"), false);
  await page.waitForSelector(".detail .of-rule h4");
  await page.evaluate(() => (location.hash = "#/rules"));
  await page.waitForSelector(".rule-list");
  await page.evaluate(() => (location.hash = "#/build"));
  await page.waitForSelector(".build-view");
  await session.leave(page);
});

test("a new build is offered, and taken only when it is asked for", async () => {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  cpSync(dist, folder, { recursive: true });
  const server = await serve(folder);
  const context = await session.browser.newContext();
  const page = await context.newPage();
  await page.goto(server.url);
  await page.waitForSelector("html[data-offline=ready]");
  for (const [name, from, to] of [["index.html", 'data-version="', 'data-version="next-'], ["service-worker.js", "page-", "page-next-"]]) {
    const text = readFileSync(join(folder, name), "utf8");
    assert.ok(text.includes(from), name);
    writeFileSync(join(folder, name), text.replaceAll(from, to));
    for (const ending of ["br", "gz"]) rmSync(join(folder, `${name}.${ending}`), { force: true });
  }
  await page.reload();
  await page.waitForSelector(".update");
  assert.doesNotMatch(await page.textContent("footer"), /next-/);
  await page.locator(".update button").click();
  await page.waitForFunction(() => document.querySelector("footer")?.textContent.includes("next-"));
  await context.close();
  server.close();
  rmSync(folder, { recursive: true });
});

test("what the host says is taken at the next visit, without a new build, and is there offline", async () => {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  cpSync(dist, folder, { recursive: true });
  const server = await serve(folder);
  const context = await session.browser.newContext();
  const page = await context.newPage();
  await page.goto(server.url);
  await page.waitForSelector("html[data-offline=ready]");
  await page.reload();
  await page.waitForSelector("main > *");
  writeFileSync(join(folder, "site.json"), '{ "title": "Example Library" }');
  for (let left = 20; left > 0 && await page.textContent(".brand").catch(() => "") !== "Example Library"; left--) {
    await page.waitForTimeout(250);
    await page.reload();
    await page.waitForSelector(".brand");
  }
  await context.setOffline(true);
  await page.reload();
  assert.equal(await page.textContent(".brand"), "Example Library");
  await context.close();
  server.close();
  rmSync(folder, { recursive: true });
});

test("the page works below any path", async () => {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  cpSync(dist, join(folder, "some/path"), { recursive: true });
  const server = await serve(folder);
  const context = await session.browser.newContext();
  const page = await context.newPage();
  await page.goto(`${server.url}some/path/`);
  await page.locator(".samples button").nth(3).click();
  assert.equal(await over(page), "done");
  await page.waitForSelector("html[data-offline=ready]");
  await context.setOffline(true);
  await page.goto(`${server.url}some/path/#/rules/RL-03`);
  await page.reload();
  await page.waitForSelector(".rule-page .example");
  await context.close();
  server.close();
  rmSync(folder, { recursive: true });
});

/** Bytes of files as hosts send them. */
const packedSize = (names) => names.map((name) => join(dist, name === "/" ? "index.html" : name)).reduce((sum, file) => sum + statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size, 0);

test("the first view costs at most 75 kB packed, and no wasm", async (t) => {
  const page = await session.open();
  const loaded = await page.evaluate(() => [...new Set(["", ...performance.getEntriesByType("resource").map(({ name }) => name)])].map((name) => new URL(name, location.href.split("#")[0]).pathname));
  assert.ok(!loaded.some((name) => name.endsWith(".wasm")), "wasm comes when it is needed");
  const packed = packedSize(loaded);
  t.diagnostic(`first view: ${packed} bytes packed`);
  assert.ok(packed <= 75_000, `${packed}`);
  const own = await page.evaluate(async () => {
    // Shifts that the user did not cause, as Lighthouse counts them.
    const shifts = await new Promise((done) => {
      new PerformanceObserver((list) => done(list.getEntries())).observe({ type: "layout-shift", buffered: true });
      setTimeout(() => done([]), 500);
    });
    return {
      shift: shifts.reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0),
      elements: document.querySelectorAll("*").length,
      others: performance.getEntriesByType("resource").filter(({ name }) => new URL(name).origin !== location.origin).length,
      blocking: performance.getEntriesByType("resource").filter(({ renderBlockingStatus }) => renderBlockingStatus === "blocking").map(({ name }) => name.split("/").at(-1)),
    };
  });
  t.diagnostic(`first view: ${loaded.length} requests, ${own.elements} elements, layout shift ${own.shift.toFixed(3)}`);
  assert.ok(loaded.length <= 32, `${loaded.length} requests`);
  assert.ok(own.elements <= 500, `${own.elements} elements`);
  assert.ok(own.shift <= 0.05, `layout shift ${own.shift}`);
  assert.equal(own.others, 0);
  assert.deepEqual(own.blocking.filter((name) => !/^(page\.css|main\.js)$/.test(name)), []);
  await session.leave(page);
});

test("a document gets its verdict from the small module after at most 350 kB, and each module is fetched once", async (t) => {
  const page = await session.open({ own: true });
  let release;
  const held = new Promise((resolve) => (release = resolve));
  const fetched = [];
  page.context().on("request", (request) => request.url().endsWith(".wasm") && fetched.push(request.url().split("/").at(-1)));
  // The source of the finding and the text of its rule come after the verdict.
  const later = /\/(core\.wasm|surveyor\.js|rules\.\w+\.json)$/;
  await page.route(later, async (route) => {
    await held;
    await route.continue();
  });
  const asked = [];
  page.context().on("request", (request) => request.url().startsWith(session.url) && asked.push(request.url()));
  const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
  await give(page, sample("changelist.xml"));
  assert.equal(await over(page), "done");
  await page.waitForSelector(".finding");
  const needed = packedSize([...new Set(["/", ...[...loaded, ...asked].map((name) => new URL(name).pathname)])].filter((name) => !later.test(name)));
  t.diagnostic(`first verdict: ${needed} bytes packed`);
  assert.ok(needed > 250_000 && (quick || needed <= 350_000), `${needed}`);
  release();
  await page.waitForSelector("[data-known=true]", { state: "attached" });
  await give(page, sample("resourcedump.zip"));
  await page.waitForFunction(() => document.querySelectorAll(".tree .node").length > 2);
  await page.locator("#language").click();
  await page.waitForFunction(() => /[\u3041-\u309f]/.test(document.querySelector(".group .message, .group .title")?.textContent ?? ""));
  assert.deepEqual(fetched.sort(), ["core.wasm", "validate.wasm"]);
  await session.leave(page);
});

test("every file has versions packed with Brotli and gzip that unpack to it, and they are sent", async () => {
  const files = readdirSync(dist, { recursive: true }).filter((name) => statSync(join(dist, name)).isFile());
  const whole = files.filter((name) => !/\.(br|gz)$/.test(name));
  for (const name of whole) {
    const bytes = readFileSync(join(dist, name));
    for (const [ending, unpack] of [["br", brotliDecompressSync], ["gz", gunzipSync]]) {
      if (files.includes(`${name}.${ending}`)) assert.ok(unpack(readFileSync(join(dist, `${name}.${ending}`))).equals(bytes), `${name}.${ending}`);
      else assert.ok(bytes.length < 1000 || /\.(png|zip)$|^site\.json$/.test(name), `${name}.${ending}`);
    }
  }
  // What a check costs beyond the first view.
  for (const [name, most] of [["validate.wasm", 300_000], ["core.wasm", 970_000]]) {
    const { size } = statSync(join(dist, `${name}.br`));
    assert.ok(quick || size <= most, `${name}: ${size} bytes packed`);
  }
  const page = await session.open();
  const [response] = await Promise.all([page.waitForResponse("**/main.js"), page.reload()]);
  assert.equal((await response.allHeaders())["content-encoding"], "br");
  assert.doesNotMatch(readFileSync(join(dist, "service-worker.js"), "utf8"), /\.br"|\.gz"/);
  await session.leave(page);
});

test("the page can be installed", async () => {
  const page = await session.open();
  const manifest = await page.evaluate(() => fetch("page.webmanifest").then((answer) => answer.json()));
  const sizes = manifest.icons.map(({ sizes }) => sizes);
  assert.ok(manifest.name && manifest.start_url && sizes.includes("192x192") && sizes.includes("512x512"));
  for (const { src } of manifest.icons) assert.ok(readdirSync(dist).includes(src), src);
  // Where the browser offers it, the page does; an offer can be taken once.
  assert.equal(await page.isVisible("#install-page"), false);
  await page.evaluate(() => dispatchEvent(Object.assign(new Event("beforeinstallprompt", { cancelable: true }), { prompt: async () => (window.prompted = true) })));
  await accessible(page, "installable", "footer");
  await page.locator("#install-page").click();
  await page.waitForSelector("#install-page", { state: "hidden" });
  assert.equal(await page.evaluate(() => window.prompted), true);
  await session.leave(page);
});
