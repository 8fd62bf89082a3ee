// A Source on the web: the usual page gives the command and fetches nothing; the build with URLs fetches through CORS.

import { strict as assert } from "node:assert";
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { accessible, command, dist, fits, give, over, sample, start } from "./page.mjs";
import { source } from "./source-set.mjs";

const run = promisify(execFile);

let session;
let withUrls;
let folder;
let host;
let address;
const asked = [];

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "page-"));
  execFileSync(process.execPath, [join(dirname(fileURLToPath(import.meta.url)), "../build.mjs"), join(folder, "site"), "--with-urls"], { stdio: "inherit" });
  session = await start();
  withUrls = await start(join(folder, "site"));
  let files = {};
  host = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.origin ?? ""} ${request.headers.cookie ?? ""}`.trim());
    const body = files[request.url.slice(1)];
    // `closed/` does not allow other origins.
    const headers = { "content-type": "application/xml", ...(!request.url.startsWith("/closed/") && { "access-control-allow-origin": "*" }) };
    response.writeHead(body === undefined ? 404 : 200, headers).end(body);
  });
  await new Promise((ready) => host.listen(0, "127.0.0.1", ready));
  address = `http://127.0.0.1:${host.address().port}/`;
  files = Object.fromEntries(Object.entries(source({ sets: 1, changeLists: 2, missing: ["set-000 1"] })).map(([name, text]) => [name, text.replaceAll("https://repository.example.org/", address)]));
  files["closed/resourcelist.xml"] = files["set-000/resourcelist.xml"];
});
after(async () => {
  await session.close();
  await withUrls.close();
  host.close();
  rmSync(folder, { recursive: true, force: true });
});

test("the usual page turns a URL into the exact command, and asks no host", async () => {
  const page = await session.open({ permissions: ["clipboard-read", "clipboard-write"] });
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.fill("#url", `${address}data set/?a=1&b='2'`);
  const line = await page.textContent(".live-source .command code");
  const url = `${address}data%20set/?a=1&b=%272%27`;
  assert.equal(line, `resourcesync validate --follow --format json --output report.json '${url}'`);
  await page.locator("#url-only").check();
  await page.locator("details.settings summary").click();
  await page.locator(".settings select").first().selectOption("strict");
  assert.equal(await page.textContent(".live-source .command code"), `resourcesync validate --profile strict --format json --output report.json '${url}'`);
  await page.locator("#url").press("Enter");
  await page.waitForFunction(() => document.querySelector(".live-source .command .copy").textContent !== "Copy");
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^resourcesync validate --profile strict/);
  await page.fill("#url", "not a url");
  await page.locator("#url").press("Enter");
  await page.waitForFunction(() => document.querySelector("#url-wrong").textContent !== "");
  assert.deepEqual(requests.filter((own) => !own.startsWith(session.url) && !own.startsWith("blob:") && !own.startsWith("data:")), []);
  assert.deepEqual(asked, []);
  assert.match(await page.getAttribute("meta[http-equiv=Content-Security-Policy]", "content"), /connect-src 'self';/);
  assert.doesNotMatch(readFileSync(join(dist, "surveyor.js"), "utf8"), /credentials:"omit"/, "the code that fetches is not part of it");
  await session.leave(page);
});

test("the build with URLs follows a Source on another host, and says the same as the command", async () => {
  const page = await withUrls.open();
  await page.fill("#url", address);
  await page.locator(".live-source button[type=submit]").click();
  assert.equal(await over(page), "done");
  assert.equal(await page.textContent(".verdict h1"), "Invalid");
  assert.ok(asked.every((own) => own.startsWith("GET ") && !own.includes("cookie")), asked.join("; "));
  assert.match(await page.textContent(".map"), /changelist-0001\.xml/);
  await page.locator(".menu summary").click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("[data-format=json]").click()]);
  const own = JSON.parse(readFileSync(await download.path(), "utf8"));
  // The server is in this process, so it may not wait for the command. The status is that of the findings.
  const { stdout: written } = await run(command, ["validate", "--follow", "--format", "json", address]).catch((error) => error);
  const codes = (report) => report.groups.map(({ code, count }) => `${code} ${count}`);
  assert.deepEqual(codes(own), codes(JSON.parse(written)));
  assert.match(await page.textContent(".repeat .command code"), new RegExp(`^resourcesync validate --follow ${address}$`));
  await session.leave(page);
});

test("a host that does not allow other origins is undetermined, with the command as the way out", async () => {
  const page = await withUrls.open();
  await page.fill("#url", `${address}closed/resourcelist.xml`);
  await page.locator("#url").press("Enter");
  assert.equal(await over(page), "done");
  assert.equal(await page.textContent(".verdict h1"), "Undetermined");
  assert.match(await page.textContent(".guide"), /does not allow other web pages .*CORS.*Access-Control-Allow-Origin: \*/);
  assert.match(await page.textContent(".guide .command code"), /^resourcesync validate --follow /);
  await page.waitForSelector(".finding");
  assert.doesNotMatch(await page.textContent(".result"), /Failed to fetch/);
  await accessible(page, "a host that refuses");
  await page.reload();
  assert.equal(await over(page), "done");
  await page.waitForSelector(".guide .command");
  await session.leave(page);
});

test("a host that is not there is not said to refuse", async () => {
  const page = await withUrls.open();
  await page.fill("#url", "http://127.0.0.1:9/resourcelist.xml");
  await page.locator("#url").press("Enter");
  assert.equal(await over(page), "done");
  assert.equal(await page.locator(".guide").count(), 0);
  await session.leave(page);
});

test("files still go nowhere, and the page says what this build may do", async () => {
  const page = await withUrls.open();
  assert.match(await page.getAttribute("meta[http-equiv=Content-Security-Policy]", "content"), /connect-src 'self' https: http:;/);
  asked.length = 0;
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  await give(page, sample("changelist.xml"));
  await over(page);
  assert.deepEqual(asked, []);
  assert.deepEqual(requests.filter((own) => !own.startsWith(withUrls.url) && !own.startsWith("blob:") && !own.startsWith("data:")), []);
  await page.locator("#privacy").click();
  assert.match(await page.textContent("dialog"), /fetches the URLs that you enter/);
  await accessible(page, "privacy of the build with URLs");
  await session.leave(page);
});

for (const look of [{ lang: "ja", theme: "dark", size: "phone" }, { lang: "en", theme: "light", size: { width: 820, height: 1100 } }]) {
  test(`the field is accessible in both builds: ${look.lang}`, async () => {
    for (const own of [session, withUrls]) {
      const page = await own.open(look);
      await page.fill("#url", "https://example.org/");
      await accessible(page, look.lang);
      await fits(page, look.lang);
      await session.leave(page);
    }
  });
}
