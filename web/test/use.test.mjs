// Using a report: keys, filters in the address, share links, rules, language, focus.

import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { accessible, give, over, sample, start } from "./page.mjs";

let session;
before(async () => (session = await start()));
after(() => session.close());

async function report(look) {
  const page = await session.open(look);
  await give(page, sample("changelist.xml"));
  await over(page);
  return page;
}

const current = (page) => page.getAttribute(".finding[aria-current=true]", "data-at");

test("j and k walk through the findings, Enter goes to the detail", async () => {
  const page = await report();
  const first = await current(page);
  await page.keyboard.press("j");
  await page.waitForFunction((first) => document.querySelector(".finding[aria-current=true]")?.dataset.at !== first, first);
  await page.keyboard.press("k");
  await page.waitForFunction((first) => document.querySelector(".finding[aria-current=true]")?.dataset.at === first, first);
  await page.keyboard.press("Shift+J");
  await page.waitForFunction((first) => document.querySelector(".finding[aria-current=true]")?.dataset.at !== first, first);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.matches(".detail h3"));
  await session.leave(page);
});

test("severities are switched by keys and stand in the address", async () => {
  const page = await report();
  await page.keyboard.press("e");
  await page.waitForFunction(() => location.hash.includes("severity=warning,info"));
  assert.match(await page.textContent(".groups"), /No findings match/);
  await accessible(page, "nothing matches");
  await page.keyboard.press("e");
  await page.waitForFunction(() => !location.hash.includes("severity"));
  await session.leave(page);
});

test("a search narrows the findings and stands in the address", async () => {
  const page = await report();
  await page.keyboard.press("/");
  await page.keyboard.type("digest");
  await page.waitForFunction(() => document.querySelectorAll(".group").length === 1);
  assert.equal(await page.textContent(".group .code"), "AT-07");
  assert.match(page.url(), /q=digest/);
  await session.leave(page);
});

test("findings can be grouped by entry and by input", async () => {
  const page = await report();
  for (const by of ["entry", "input", "rule"]) {
    await page.getByLabel("Group by").selectOption(by);
    await page.waitForFunction((by) => (by === "rule") === !location.hash.includes("group="), by);
    assert.ok(await page.locator(".group").count() > 0);
    await accessible(page, by, ".findings");
  }
  await session.leave(page);
});

test("a hidden rule is said to be hidden, and the verdict stays", async () => {
  const page = await report();
  const groups = await page.locator(".group").count();
  await page.getByRole("button", { name: "Hide this rule" }).click();
  await page.waitForFunction((groups) => document.querySelectorAll(".group").length === groups - 1, groups);
  assert.match(await page.textContent(".notes"), /1 rule hidden; the verdict is unchanged/);
  assert.equal(await page.textContent(".verdict h1"), "Invalid");
  await page.getByRole("button", { name: "Show again" }).click();
  await page.waitForFunction((groups) => document.querySelectorAll(".group").length === groups, groups);
  await session.leave(page);
});

test("a share link has no document in it unless the box is ticked, and opens what it has", async () => {
  const page = await report();
  await page.getByRole("button", { name: "Share" }).click();
  const link = page.locator(".share-link input");
  assert.doesNotMatch(await link.inputValue(), /doc=/);
  await accessible(page, "share");
  await page.getByLabel(/Include the document in the link/).check();
  const address = await link.inputValue();
  assert.match(address, /#\/report\?lang=en&name=changelist\.xml&doc=/);
  await session.leave(page);
  const other = await session.open({ lang: "ja", hash: address.slice(address.indexOf("#")) });
  assert.equal(await over(other), "done");
  assert.equal(await other.textContent(".verdict h1"), "Invalid");
  assert.match(await other.textContent(".note"), /This link contained the document changelist\.xml/);
  await session.leave(other);
});

test("a broken document in a link is refused", async () => {
  const page = await session.open({ hash: "#/report?doc=AAAA&name=x.xml" });
  assert.equal(await over(page), "failed");
  await accessible(page, "broken link");
  await session.leave(page);
});

test("a large document does not go into a link", async () => {
  const page = await session.open();
  const noise = Array.from({ length: 3000 }, (_, at) => `<!-- ${Math.sin(at)} ${Math.cos(at)} -->`).join("\n");
  const text = readFileSync(sample("resourcelist.xml"), "utf8").replace("</urlset>", `${noise}</urlset>`);
  await give(page, { name: "large.xml", mimeType: "application/xml", buffer: Buffer.from(text) });
  await over(page);
  await page.getByRole("button", { name: "Share" }).click();
  assert.equal(await page.locator("#share-document").isDisabled(), true);
  await session.leave(page);
});

test("rules are found by word and linked to by code", async () => {
  const page = await session.open({ hash: "#/rules" });
  await page.fill("#search", "snapshot began");
  await page.waitForFunction(() => document.querySelectorAll(".rule-list li").length < 20);
  await page.locator(".rule-list a", { hasText: "RL-03" }).click();
  await page.waitForSelector(".rule-page");
  assert.match(page.url(), /#\/rules\/RL-03/);
  assert.equal(await page.locator(".side mark").count() > 0, true);
  await page.locator("#language").click();
  await page.waitForFunction(() => document.querySelector(".rule-page h2")?.textContent === "要件");
  await session.leave(page);
});

test("on a phone Tab stays in a finding that covers the page", async () => {
  const page = await session.open({ size: "phone" });
  await give(page, sample("changelist.xml"));
  await over(page);
  await page.locator(".finding").nth(1).click();
  await page.waitForSelector("body.detail-open .detail .example");
  for (let pressed = 0; pressed < 30; pressed++) {
    await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => document.activeElement === document.body || document.activeElement.closest(".detail") !== null), await page.evaluate(() => document.activeElement.outerHTML.slice(0, 100)));
  }
  await session.leave(page);
});

test("an address with a rule that does not exist says so", async () => {
  const page = await session.open({ hash: "#/rules/XX-99" });
  await page.waitForSelector(".rule-page");
  assert.match(await page.textContent(".rule-page"), /Unknown rule XX-99/);
  await session.leave(page);
});

test("the list of keys opens with ? and gives focus back", async () => {
  const page = await report();
  await page.locator("#keys").focus();
  await page.keyboard.press("?");
  await page.waitForSelector("dialog .keys");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.activeElement?.id === "keys");
  await session.leave(page);
});

test("everything can be reached with the keyboard alone", async () => {
  const page = await session.open();
  const reached = new Set();
  for (let at = 0; at < 40; at++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement?.textContent?.trim().slice(0, 30) || document.activeElement?.id));
  }
  for (const word of ["Skip to content", "Validate", "Rules", "Build", "日本語", "Choose files", "Choose a folder", "Paste XML", "Settings", "See a valid Resource List"]) {
    assert.ok(reached.has(word), `${word}: ${[...reached].join(", ")}`);
  }
  await session.leave(page);
});

test("at 200 % zoom nothing is cut", async () => {
  const page = await report({ size: { width: 640, height: 450 } });
  const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(wide <= window);
  await accessible(page, "zoom");
  await session.leave(page);
});

/** Holds up the whole module, which has the messages, until the returned function is called. */
async function untranslated(page) {
  let go;
  const held = new Promise((resolve) => (go = resolve));
  await page.route("**/core.wasm", async (route) => {
    await held;
    await route.continue();
  });
  return async () => {
    go();
    await page.waitForFunction(() => /[\u3041-\u309f]/.test(document.querySelector(".finding .message, summary .message")?.textContent ?? ""));
  };
}

for (const [size, selector] of [["desktop", ".finding"], ["phone", ".detail h3"]]) test(`the focus stays when the messages are translated: ${size}`, async () => {
  const page = await session.open({ lang: "ja", size });
  const translated = await untranslated(page);
  await give(page, sample("changelist.xml"));
  await over(page);
  await page.keyboard.press("j");
  await page.waitForFunction((selector) => document.activeElement.matches(selector), selector);
  const at = await page.evaluate(() => document.activeElement.dataset.at);
  await translated();
  assert.deepEqual(await page.evaluate((selector) => [document.activeElement.matches(selector), document.activeElement.dataset.at], selector), [true, at]);
  await session.leave(page);
});

test("what is open stays open when the messages are translated", async () => {
  const page = await session.open({ lang: "ja" });
  const translated = await untranslated(page);
  const faulty = (md) => `<url><loc>http://example.com/a</loc>${md}</url>`;
  const text = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="resourcelist" at="2026-04-01T09:00:00Z"/>${
    faulty(`<rs:md hash="md5:xyz"/>`).repeat(120)}${faulty(`<rs:md length="x"/>`).repeat(40)}</urlset>`;
  await give(page, { name: "resourcelist.xml", mimeType: "application/xml", buffer: Buffer.from(text) });
  await over(page);
  const drawn = () => page.evaluate(() => [...document.querySelectorAll("details.group")].map((group) => [group.open, group.querySelectorAll(".finding").length]));
  const before = await drawn();
  await page.locator("details.group[open] .more button").first().click();
  await page.locator("details.group:not([open]) summary").first().click();
  const now = await drawn();
  assert.notDeepEqual(now, before);
  assert.ok(now.some(([, findings]) => findings === 100), JSON.stringify(now));
  await translated();
  assert.deepEqual(await drawn(), now);
  await page.locator("details.group[open] summary").evaluateAll((all) => all.forEach((summary) => summary.click()));
  await page.selectOption(".selects select >> nth=1", "code");
  assert.deepEqual((await drawn()).map(([open]) => open), now.map(() => false));
  await session.leave(page);
});
