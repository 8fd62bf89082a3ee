// No data leaves the computer: the policy applies to the page and both workers.

import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serve } from "../serve.mjs";
import { dist, give, over, root, sample, start } from "./page.mjs";

let session;
let elsewhere;
let address;
const reached = [];
before(async () => {
  session = await start();
  // Another origin that responds to every request.
  elsewhere = createServer((request, response) => {
    reached.push(request.url);
    response.writeHead(200, { "access-control-allow-origin": "*" }).end("here");
  });
  await new Promise((ready) => elsewhere.listen(0, "127.0.0.1", ready));
  address = `http://127.0.0.1:${elsewhere.address().port}/`;
});
after(async () => {
  await session.close();
  elsewhere.close();
});

const attempt = (address) => fetch(address).then(() => "reached", () => "refused");

test("the page cannot reach another origin", async () => {
  const page = await session.open();
  assert.equal(await page.evaluate(attempt, `${address}page`), "refused");
  const image = await page.evaluate((address) => new Promise((done) => {
    const image = new Image();
    image.onload = () => done("reached");
    image.onerror = () => done("refused");
    image.src = address;
  }), `${address}image`);
  assert.equal(image, "refused");
  assert.equal(await page.evaluate((address) => navigator.sendBeacon(address, "x"), `${address}beacon`).catch(() => false) && reached.includes("/beacon"), false);
  assert.deepEqual(reached, []);
  await session.leave(page);
});

test("no worker can reach another origin", async () => {
  const page = await session.open();
  await give(page, sample("changelist.xml"));
  assert.equal(await over(page), "done");
  await page.locator("#privacy").click();
  await page.locator("dialog button:not(.bare)").click();
  await page.waitForFunction(() => document.querySelector(".answer")?.textContent);
  assert.match(await page.textContent(".answer"), /^Blocked/);
  const workers = page.workers();
  assert.ok(workers.length >= 2, "validator and surveyor");
  for (const worker of workers) assert.equal(await worker.evaluate(attempt, `${address}worker`), "refused");
  assert.deepEqual(reached, []);
  await session.leave(page);
});

test("what the browser does not tell a worker is not taken for a missing policy", async () => {
  const page = await session.open({ own: true });
  // As WebKit does.
  await page.addInitScript(() => {
    const script = "{ const own = self.addEventListener; self.addEventListener = (type, ...rest) => type !== 'securitypolicyviolation' && own.call(self, type, ...rest); }\n";
    window.Blob = new Proxy(Blob, { construct: (own, [parts, options]) => new own(options?.type === "text/javascript" ? [script, ...parts] : parts, options) });
  });
  await page.reload();
  await page.locator("#privacy").click();
  await page.locator("dialog button:not(.bare)").click();
  await page.waitForFunction(() => document.querySelector(".answer")?.textContent);
  assert.match(await page.textContent(".answer"), /^Blocked by the browser in the page\. The worker reached nothing either/);
  assert.equal(await page.locator(".answer.bad").count(), 0);
  await session.leave(page);
});

test("checking a file asks the server for nothing but the page's own files", async () => {
  const page = await session.open();
  const asked = [];
  page.on("request", (request) => asked.push(request));
  await give(page, sample("changelist.xml"));
  await over(page);
  await page.waitForSelector(".detail .example");
  for (const request of asked) {
    assert.ok(request.url().startsWith(session.url) || request.url().startsWith("blob:"), request.url());
    assert.equal(request.method(), "GET");
    assert.equal(request.postData(), null);
  }
  await session.leave(page);
});

test("nothing on the page can become markup or a script", async () => {
  const page = await session.open();
  const refused = await page.evaluate(() => [
    () => (document.body.innerHTML = "<b>x</b>"),
    () => new Worker("main.js"),
    () => (document.createElement("script").src = "main.js"),
    () => document.write("x"),
  ].map((attempt) => {
    try {
      attempt();
      return false;
    } catch {
      return true;
    }
  }));
  assert.deepEqual(refused, [true, true, true, true]);
  await session.leave(page);
});

test("the markup of a document is text", async () => {
  const page = await session.open();
  const name = "<img src=x onerror=document.title=1>.xml";
  await give(page, { name, mimeType: "application/xml", buffer: Buffer.from(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>&lt;script>alert(1)&lt;/script>\u202e</loc></url></urlset>`) });
  assert.equal(await over(page), "done");
  assert.equal(await page.locator("main img, main script").count(), 0);
  assert.match(await page.textContent(".verdict"), /<img src=x/);
  assert.ok((await page.textContent("main")).includes("\\u{202e}"));
  await session.leave(page);
});

/** The headers that docs/page.md recommends to hosts. */
const HEADERS = Object.fromEntries(/```text\n(Content-Security-Policy: [^`]+)```/.exec(readFileSync(join(root, "docs/page.md"), "utf8"))[1].trim().split("\n").map((line) => line.split(": ")));

test("with the headers of the host recipes the page works, and no other page can frame it", async () => {
  assert.deepEqual(Object.keys(HEADERS), ["Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy", "Permissions-Policy"]);
  const own = await serve(dist, 0, HEADERS);
  const framing = createServer((request, response) => response.writeHead(200, { "content-type": "text/html" }).end(`<iframe src="${new URL(request.url, "http://localhost").searchParams.get("of")}"></iframe>`));
  await new Promise((ready) => framing.listen(0, "127.0.0.1", ready));
  const page = await session.open({ permissions: ["clipboard-read", "clipboard-write"] });
  await page.goto(own.url);
  await give(page, sample("resourcedump.zip"));
  assert.equal(await over(page), "done");
  await page.locator(".detail .ticket").click();
  await page.waitForFunction(async () => /PKG-05/.test(await navigator.clipboard.readText()));
  assert.deepEqual(page.complaints, []);
  for (const [url, isShown] of [[session.url, true], [own.url, false]]) {
    await page.goto(`http://127.0.0.1:${framing.address().port}/?of=${encodeURIComponent(url)}`);
    const frame = page.frames()[1];
    await frame.waitForLoadState();
    assert.equal(await frame.locator("main h1").waitFor({ timeout: isShown ? 10_000 : 500 }).then(() => true, () => false), isShown, url);
  }
  await session.leave(page);
  own.close();
  framing.close();
});
