// Every state of the page, in both languages and themes, on desktop and phone: correct, readable, accessible.

import { strict as assert } from "node:assert";
import { after, before, test } from "node:test";
import { accessible, fits, give, over, sample, start } from "./page.mjs";

let session;
before(async () => (session = await start()));
after(() => session.close());

const LOOKS = [
  { lang: "en", theme: "light", size: "desktop" },
  { lang: "ja", theme: "light", size: "phone" },
  { lang: "en", theme: "dark", size: "phone" },
  { lang: "ja", theme: "dark", size: "desktop" },
];

for (const look of LOOKS) {
  const name = Object.values(look).join(", ");

  test(`the empty page is accessible: ${name}`, async () => {
    const page = await session.open(look);
    assert.equal(await page.getAttribute("html", "lang"), look.lang);
    await page.locator("details.settings summary").click();
    await page.getByRole("button", { name: look.lang === "ja" ? "XML を貼り付け" : "Paste XML" }).click();
    await accessible(page, name);
    await fits(page, name);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  });

  test(`a report is accessible: ${name}`, async () => {
    const page = await session.open(look);
    await give(page, sample("changelist.xml"));
    assert.equal(await over(page), "done");
    await page.locator(".finding").first().click();
    await page.waitForSelector(".detail .example");
    await accessible(page, `${name}, detail`);
    if (look.size === "phone") await page.locator(".detail .back").click();
    await accessible(page, name);
    await page.locator(".menu summary").click();
    await accessible(page, `${name}, menu`, ".menu");
    await fits(page, name);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  });

  test(`rules are accessible: ${name}`, async () => {
    const page = await session.open({ ...look, hash: "#/rules" });
    await page.waitForSelector(".rule-list");
    await accessible(page, `${name}, list`);
    await fits(page, `${name}, list`);
    await page.evaluate(() => (location.hash = "#/rules/RL-03"));
    await page.waitForSelector(".rule-page .example");
    await accessible(page, `${name}, rule`);
    await fits(page, `${name}, rule`);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  });

  test(`the build view is accessible: ${name}`, async () => {
    const page = await session.open({ ...look, hash: "#/build" });
    await page.waitForSelector(".build-view");
    await accessible(page, name);
    await fits(page, name);
    await page.context().close();
  });

  test(`the panels are accessible: ${name}`, async () => {
    const page = await session.open(look);
    await page.locator("#privacy").click();
    await accessible(page, `${name}, privacy`);
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.waitForSelector("dialog .keys");
    await accessible(page, `${name}, keys`);
    await page.context().close();
  });
}
