// The list of findings: counts, list and detail agree, and the order is the command's.

import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { after, before, test } from "node:test";
import { accessible, command, fits, give, over, sample, start } from "./page.mjs";

let session;
before(async () => (session = await start()));
after(() => session.close());

async function report(look) {
  const page = await session.open(look);
  await give(page, sample("changelist.xml"));
  await over(page);
  return page;
}

const chips = (page) => page.locator(".chip .number").allTextContents();

test("a search counts what it finds, in the chips as in the list", async () => {
  const page = await report();
  await page.fill("#search", "digest");
  await page.waitForFunction(() => document.querySelectorAll(".group").length === 1);
  assert.deepEqual(await chips(page), ["1", "0", "0"]);
  assert.match(await page.textContent(".notes"), /^1 of \d+ findings match$/);
  await session.leave(page);
});

test("the detail shows a finding of the list, whatever the filters are", async () => {
  const page = await report();
  const shown = await page.textContent(".detail h3");
  await page.fill("#search", "digest");
  await page.waitForFunction((shown) => document.querySelector(".detail h3")?.textContent !== shown, shown);
  assert.match(await page.textContent(".detail a.code"), /AT-07/);
  assert.equal(await page.locator(".finding[aria-current=true]").count(), 1);
  await page.fill("#search", "nothing has this");
  await page.waitForSelector(".detail .dim:only-child");
  await accessible(page, "no match");
  await session.leave(page);
});

test("findings that are not stored are named with the command that shows all", async () => {
  const page = await session.open();
  const entries = Array.from({ length: 120 }, (_, at) => `<url><loc>https://example.org/${at}</loc><rs:md hash="md5:xyz"/></url>`);
  const text = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:ln rel="up" href="https://example.org/capabilitylist.xml"/><rs:md capability="resourcelist" at="2026-04-01T09:00:00Z"/>${entries.join("\n")}</urlset>`;
  await give(page, { name: "many.xml", mimeType: "application/xml", buffer: Buffer.from(text) });
  await over(page);
  await page.locator(".unstored summary").click();
  assert.match(await page.textContent(".unstored"), /20 more findings were counted, but are not listed or searched/);
  assert.equal(await page.textContent(".unstored code"), "resourcesync validate --max-per-rule 0 --format html --output report.html many.xml");
  await accessible(page, "not stored");
  await page.fill("#search", await page.textContent(".group .code"));
  await page.waitForFunction(() => document.querySelector(".chip .number")?.textContent === "100");
  assert.match(await page.textContent(".notes"), /100 of \d+ findings match/);
  await session.leave(page);
});

test("groups are in the order of the command's table", async () => {
  const page = await session.open();
  const names = ["changelist.xml", "resourcelist.xml", "resourcedump.zip"];
  await give(page, names.map(sample));
  await over(page);
  const { stdout } = spawnSync(command, ["validate", "--no-config", "--format", "markdown", ...names], { cwd: sample("") });
  const expected = [...String(stdout).matchAll(/^\| ([A-Z]+-\d+) \|/gm)].map(([, code]) => code);
  assert.ok(expected.length > 3);
  await page.waitForFunction((first) => document.querySelector(".group .code")?.textContent === first, expected[0]);
  assert.deepEqual(await page.locator(".group > summary > .code, .group > .finding > .code").allTextContents(), expected);
  await session.leave(page);
});

test("options of a command line are not broken, and the text that is copied is whole", async () => {
  const page = await session.open({ size: "phone" });
  const options = page.locator(".command .option");
  for (const option of await options.all()) {
    assert.equal(await option.evaluate((element) => element.getClientRects().length), 1, await option.textContent());
  }
  assert.ok((await options.allTextContents()).includes("--follow"));
  assert.equal(await page.textContent(".command code"), "resourcesync validate --follow --format json --output report.json https://example.org/");
  await session.leave(page);
});

test("the share panel tells whether the document is in the link", async () => {
  const page = await report();
  await page.getByRole("button", { name: "Share" }).click();
  const text = page.locator("dialog .panel-body > p").first();
  assert.match(await text.textContent(), /but not the files/);
  await page.getByLabel(/Include the document in the link/).check();
  assert.match(await text.textContent(), /and the document\.$/);
  await session.leave(page);
});

test("a rule names the parts of its message instead of showing a template", async () => {
  const page = await session.open({ hash: "#/rules/GEN-07" });
  await page.waitForSelector(".rule-page");
  assert.doesNotMatch(await page.textContent(".rule-page"), /\{/);
  assert.equal(await page.textContent(".rule-page var"), "<kind>");
  await page.evaluate(() => (location.hash = "#/rules"));
  await page.waitForSelector(".rule-list");
  assert.doesNotMatch(await page.textContent(".families"), /\{\w+\}/);
  await session.leave(page);
});

test("kind names stay inside their place in Japanese", async () => {
  for (const size of ["phone", "desktop"]) {
    const page = await session.open({ lang: "ja", size });
    await give(page, [sample("changelist.xml"), sample("resourcedump.zip")]);
    await over(page);
    await page.locator(".repeat .settings summary").click();
    const cut = await page.evaluate(() => [...document.querySelectorAll(".node, .node *, .settings select, .settings label")]
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline" && !element.matches(".unseen")).map((element) => element.textContent));
    assert.deepEqual(cut, []);
    await session.leave(page);
  }
});

test("with forced colours what is chosen looks chosen", async () => {
  const page = await session.open();
  await give(page, [sample("changelist.xml"), sample("resourcelist.xml")]);
  await over(page);
  await page.emulateMedia({ forcedColors: "active" });
  const background = (selector) => page.locator(selector).first().evaluate((element) => getComputedStyle(element).backgroundColor);
  await page.locator(".chip").nth(1).click();
  await page.waitForSelector(".chip[aria-pressed=false]");
  await page.waitForSelector(".node[aria-pressed=true]");
  assert.notEqual(await background(".chip[aria-pressed=true]"), await background(".chip[aria-pressed=false]"));
  assert.notEqual(await background(".node[aria-pressed=true]"), await background(".node[aria-pressed=false]"));
  await page.waitForSelector(".finding[aria-current=true]");
  assert.notEqual(await background(".finding[aria-current=true]"), await background(".finding:not([aria-current=true])"));
  await session.leave(page);
});

test("with forced colours nothing keeps the colours of the theme", async () => {
  const page = await session.open({ theme: "dark" });
  await page.emulateMedia({ forcedColors: "active", colorScheme: "light" });
  await page.locator("#theme").selectOption("dark");
  await give(page, sample("changelist.xml"));
  await over(page);
  await page.waitForSelector(".source mark.error");
  await page.locator(".timeline > summary").click();
  await page.waitForSelector(".timeline svg[role=img] text");
  const wrong = await page.evaluate(() => {
    const system = (color) => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.cssText = `forced-color-adjust: none; color: ${color}`;
      const value = getComputedStyle(probe).color;
      probe.remove();
      return value;
    };
    const found = [];
    const is = (selector, property, color) => {
      for (const own of document.querySelectorAll(selector)) {
        const value = getComputedStyle(own)[property];
        if (value !== system(color)) found.push(`${selector} ${property}: ${value} is not ${color}`);
      }
    };
    is(".source mark", "backgroundColor", "Mark");
    is(".source mark", "color", "MarkText");
    is(".timeline svg text", "fill", "CanvasText");
    for (const icon of document.querySelectorAll("svg.icon")) {
      if (getComputedStyle(icon).color !== getComputedStyle(icon.parentElement).color) found.push(icon.parentElement.outerHTML.slice(0, 90));
    }
    return [...new Set(found)].slice(0, 5);
  });
  assert.deepEqual(wrong, []);
  await session.leave(page);
});

test("single keys can be turned off, and stay off", async () => {
  const page = await report();
  await page.locator("#keys").click();
  await page.getByLabel("Use single keys as shortcuts").uncheck();
  await accessible(page, "keys");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  await page.locator("h1").click();
  for (const key of ["e", "/", "?"]) await page.keyboard.press(key);
  assert.equal(await page.locator("dialog").count(), 0);
  assert.equal(await page.locator(".chip[aria-pressed=false]").count(), 0);
  await page.reload();
  await page.waitForSelector(".check[data-phase=done]");
  await page.keyboard.press("e");
  assert.equal(await page.locator(".chip[aria-pressed=false]").count(), 0);
  await session.leave(page);
});

const places = (page) => page.locator(".finding .place").allTextContents();
const line = (place) => Number(place.split(":")[0]);

test("findings are sorted by severity, by place in the document, or by code, with or without groups", async () => {
  const page = await report();
  await page.getByLabel("Sort by").selectOption("place");
  await page.waitForFunction(() => location.hash.includes("sort=place"));
  const first = (await page.locator(".group").evaluateAll((groups) => groups.map((group) => group.querySelector(".place").textContent))).map(line);
  assert.deepEqual(first, first.toSorted((one, other) => one - other));
  await page.getByLabel("Group by").selectOption("none");
  await page.waitForSelector(".group.flat");
  const lines = (await places(page)).map(line);
  assert.equal(lines.length, 10);
  assert.deepEqual(lines, lines.toSorted((one, other) => one - other));
  await accessible(page, "no groups", ".findings");
  await page.getByLabel("Sort by").selectOption("code");
  await page.waitForFunction(() => location.hash.includes("sort=code"));
  const codes = await page.locator(".finding .code").allTextContents();
  assert.equal(codes[0], "GEN-11");
  assert.deepEqual(codes.slice(-2), ["AT-21", "LK-03"]);
  await session.leave(page);
});

test("a single finding of a rule is one row", async () => {
  const page = await report();
  assert.equal(await page.locator(".group.single").count(), 8);
  assert.equal(await page.locator("details.group").count(), 1);
  const { height } = await page.locator(".group.single").nth(1).boundingBox();
  assert.ok(height < 50, `${height}`);
  await session.leave(page);
});

test("on a phone the first finding is in the first view", async () => {
  for (const lang of ["en", "ja"]) {
    const page = await report({ lang, size: "phone" });
    // The verdict above it may still be growing when the run ends.
    const isVisible = () => document.querySelector(".finding").getBoundingClientRect().bottom <= innerHeight;
    await page.waitForFunction(isVisible, undefined, { timeout: 5000 });
    await session.leave(page);
  }
});

test("one file needs no list of inputs: the verdict names it", async () => {
  const page = await report();
  assert.equal(await page.locator(".inputs").count(), 0);
  assert.equal(await page.textContent(".verdict .only"), "changelist.xml Change List");
  await session.leave(page);
});

const long = `https://example.org/${"a-folder/".repeat(30)}%E5%9B%B3%E6%9B%B8%E9%A4%A8%20%2F.pdf`;
const lists = ["one", "two"].map((name) => ({ name: `${name}.xml`, mimeType: "application/xml",
  buffer: Buffer.from(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:ln rel="up" href="https://example.org/c.xml"/><rs:md capability="resourcelist" at="2026-04-01T09:00:00Z"/>${[1, 2].map((at) => `<url><loc>${long.replace("a-folder", `${name}-${at}`)}</loc><rs:md hash="md5:wrong"/></url>`).join("")}</urlset>`) }));

test("a long URI lacks its middle, is decoded for reading, and is copied as it is; an input is named once in a row of findings", async () => {
  const page = await session.open({ permissions: ["clipboard-read", "clipboard-write"] });
  await give(page, lists);
  await over(page);
  await page.waitForSelector(".finding [data-whole]");
  const shown = page.locator(".finding .uri[data-whole]").first();
  const text = await shown.textContent();
  assert.match(text, /^https:\/\/example\.org\/one-1\/.*….*図書館%20%2F\.pdf$/);
  assert.ok(text.length < 100, text);
  assert.deepEqual(await page.locator(".finding .of").allTextContents(), ["one.xml", "two.xml"]);
  await shown.evaluate((own) => getSelection().selectAllChildren(own));
  await page.keyboard.press("Control+C");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), long.replace("a-folder", "one-1"));
  await page.locator(".finding").first().click();
  await page.waitForSelector(".where");
  assert.ok((await page.textContent(".where")).includes(long.replace("a-folder", "one-1")), "the detail has the whole one");
  await accessible(page, "long URIs");
  await fits(page, "long URIs");
  await session.leave(page);
});
