// The administration page of the hub, with the answers that its administration gives.

import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { after, test } from "node:test";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const file = (name) => readFileSync(new URL(`../../server/src/admin/page/${name}`, import.meta.url));
const MARKUP = "<img src=x onerror=window.found=1>";
const ago = (seconds) => new Date(Date.now() - seconds * 1000).toISOString().replace(/\.\d+Z$/, "Z");
const own = (id, more) => ({ id, topic: "https://hub.example/t/example/changes", callback: `harvester.example:443#6bb8d84${id}`, signed: true, leaseUntil: ago(-700_000), delivered: 40 + id, waiting: 2, failures: 0, ...more });
const ANSWERS = {
  status: { version: "0.1.0", topics: 2, subscriptions: 3, pending: 1, deadLetters: 2, storeBytes: 5_300_000, paused: 1, limitedHosts: ["harvester.example:443"], liftedHosts: [] },
  topics: { topics: [
    { uri: "https://hub.example/t/example/changes", configured: true, last: 48_211, paused: false, until: ago(60), subscriptions: 3, payloads: 120, undeliveredSince: ago(4_000) },
    { uri: "https://hub.example/t/example/framework", configured: true, last: 3, paused: true, subscriptions: 0, payloads: 3 },
  ] },
  failures: {
    failing: [own(2, { failures: 7, failingSince: ago(90_000), retryAt: ago(-600), lastStatus: 503 }), own(3, { callback: MARKUP, failures: 1, failingSince: ago(30) })],
    deadLetters: [
      { code: "HUB-11", subscription: 2, topic: "https://hub.example/t/example/changes", callback: "harvester.example:443#6bb8d842", first: 12, last: 15, reason: "given-up", status: 503, at: ago(3_700) },
      { code: "HUB-11", subscription: 9, topic: null, callback: "other.example:8443#00aa11bb", first: 7, last: 7, reason: "gone", status: 410, at: ago(500_000) },
    ],
    unconfirmed: [
      { at: ago(40), topic: "https://hub.example/t/example/changes", callback: "intranet.example:443#01234567", code: "HUB-12", reason: "callback-address: no allowed address" },
      { at: ago(90), callback: "other.example:8443#00aa11bb", reason: MARKUP },
    ],
  },
  subscriptions: { subscriptions: [own(1), own(2), own(3, { callback: MARKUP, signed: false })] },
};
// `SHOTS=FOLDER` keeps pictures of the page.
const SHOTS = process.env.SHOTS;
const shot = async (page, name) => {
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/hub-${name}.png`, fullPage: true });
};

const orders = [];
let token = null;
const POLICY = readFileSync(new URL("../../server/src/admin/page.rs", import.meta.url), "utf8").match(/POLICY: &str = "([^"]*)"/)[1].replace(/\\\n\s*/, "");
const server = createServer((request, response) => {
  const name = { "/": "page.html", "/page.css": "page.css", "/page.js": "page.js" }[request.url];
  if (name) {
    const media = { html: "text/html", css: "text/css", js: "text/javascript" }[name.split(".")[1]];
    return response.writeHead(200, { "Content-Type": `${media}; charset=utf-8`, "Content-Security-Policy": POLICY }).end(file(name));
  }
  if (token && request.headers.authorization !== `Bearer ${token}`) return response.writeHead(401).end("a token is required\n");
  const path = request.url.replace("/admin/v1/", "").split("?")[0];
  let body = "";
  request.on("data", (part) => (body += part));
  request.on("end", () => {
    if (request.method === "POST") {
      orders.push({ path, type: request.headers["content-type"], body: JSON.parse(body) });
      if (JSON.parse(body).target.subscription === 9) return response.writeHead(404).end("there is no such subscription or topic\n");
      return response.writeHead(200, { "Content-Type": "application/json" }).end('{"done":1}');
    }
    response.writeHead(ANSWERS[path] ? 200 : 404, { "Content-Type": "application/json" }).end(JSON.stringify(ANSWERS[path] ?? {}));
  });
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const at = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
after(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

/** Opens the page; messages of the console fail the test. */
async function open(options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const messages = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(String(error)));
  await page.goto(at);
  return { page, messages, close: () => context.close() };
}

/** WCAG 2.2 AA, as far as it can be automated. */
async function accessible(page, what) {
  // The policy of the page does not bind what a debugger evaluates.
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  assert.deepEqual(found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), [], what);
}

for (const [locale, colorScheme, width] of [["en", "light", 320], ["en", "dark", 1280], ["ja", "light", 1280], ["ja", "dark", 320]]) {
  test(`the page of the hub is accessible: ${locale}, ${colorScheme}, ${width} pixels`, async () => {
    const { page, messages, close } = await open({ locale, colorScheme, viewport: { width, height: 900 } });
    await page.locator("#numbers dd").first().waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), locale);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    await accessible(page, "tables");
    await shot(page, `${locale}-${colorScheme}-${width}`);
    await page.locator("#dead button").first().click();
    await accessible(page, "question");
    await shot(page, `${locale}-${colorScheme}-${width}-question`);
    assert.deepEqual(messages, []);
    await close();
  });
}

test("dead letters are delivered again after a question", async () => {
  const { page, messages, close } = await open({ locale: "en" });
  await page.locator("#dead button").first().click();
  assert.match(await page.locator("#question").textContent(), /from number 12 on to harvester\.example:443#6bb8d842 again/);
  await page.keyboard.press("Escape");
  assert.deepEqual(orders, []);
  await page.locator("#dead button").first().click();
  await page.locator("#confirm .primary").click();
  await page.getByText("Subscriptions that receive stored payloads again: 1.").waitFor();
  assert.deepEqual(orders, [{ path: "replay", type: "application/json", body: { target: { subscription: 2 }, from: 12 } }]);
  assert.deepEqual(messages, []);
  await page.locator("#dead button").nth(1).click();
  await page.locator("#confirm .primary").click();
  await page.getByText("The hub answered 404: there is no such subscription or topic").waitFor();
  await close();
});

test("what others sent is text", async () => {
  const { page, close } = await open({ locale: "en" });
  await page.locator("#subscriptions").getByText(MARKUP).waitFor();
  await page.locator("#unconfirmed").getByText(MARKUP).waitFor();
  await page.getByText("callback-address: no allowed address").waitFor();
  assert.match(await page.locator("#numbers").textContent(), /Paused topics1Limited hostsharvester\.example:443/);
  assert.equal(await page.locator("img").count(), 0);
  assert.equal(await page.evaluate(() => window.found), undefined);
  await page.locator("#language").click();
  await page.getByText("デッドレター（配信不能）").first().waitFor();
  await close();
});

test("a hub with a token shows nothing before it is entered", async () => {
  token = "t0ken";
  const { page, close } = await open({ locale: "en" });
  await page.locator("#access").waitFor();
  assert.ok(!(await page.locator("#content").isVisible()));
  await accessible(page, "token");
  await page.locator("#token").fill("wrong");
  await page.keyboard.press("Enter");
  await page.getByText("The token was rejected.").waitFor();
  await page.locator("#token").fill("t0ken");
  await page.keyboard.press("Enter");
  await page.locator("#numbers dd").first().waitFor();
  assert.ok(!(await page.content()).includes("t0ken"));
  assert.deepEqual(await page.evaluate(() => [{ ...localStorage }, { ...sessionStorage }, document.cookie]), [{}, {}, ""]);
  token = null;
  await close();
});
