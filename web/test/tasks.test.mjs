// The ten tasks that the page is for, as click paths: each takes at most four clicks. Choosing or dropping files counts as one; typing does not.

import { strict as assert } from "node:assert";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { over, root, sample, start } from "./page.mjs";

const MOST = 4;

let session;
let folder;
before(async () => {
  session = await start();
  folder = join(mkdtempSync(join(tmpdir(), "tasks-")), "public");
  mkdirSync(join(folder, ".well-known"), { recursive: true });
  cpSync(sample("source/well-known/resourcesync"), join(folder, ".well-known/resourcesync"));
  cpSync(sample("source/dataset"), join(folder, "dataset"), { recursive: true });
});
after(async () => {
  rmSync(join(folder, ".."), { recursive: true, force: true });
  await session.close();
});

/** A user who counts clicks. */
class User {
  clicks = 0;
  constructor(page) {
    this.page = page;
  }
  async drop(...files) {
    this.clicks += 1;
    await this.page.setInputFiles("#files", files);
    await over(this.page);
  }
  async dropFolder(path) {
    this.clicks += 1;
    await this.page.setInputFiles("#folder", path);
    await over(this.page);
  }
  async click(what) {
    this.clicks += 1;
    await this.page.locator(what).first().click();
  }
  async clicksAndSaves(what) {
    const [download] = await Promise.all([this.page.waitForEvent("download"), this.click(what)]);
    return readFileSync(await download.path(), "utf8");
  }
  sees(what, text) {
    return this.page.waitForFunction(([what, text]) => [...document.querySelectorAll(what)].some((one) => one.checkVisibility() && new RegExp(text).test(one.textContent)), [what, text.source]);
  }
}

const xml = (name, text) => ({ name, mimeType: "application/xml", buffer: Buffer.from(text) });
const broken = readFileSync(sample("changelist.xml"), "utf8");
const NAMES = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
const list = (day, length) => `<urlset ${NAMES}><rs:ln rel="up" href="https://example.org/c.xml"/><rs:md capability="resourcelist" at="2026-04-0${day}T00:00:00Z"/><url><loc>https://example.org/a</loc><rs:md length="${length}"/></url></urlset>`;

const TASKS = {
  "find what is wrong and tell the developer": async (user) => {
    await user.drop(sample("changelist.xml"));
    await user.sees(".detail h3", /listed after a later change/);
    await user.click(".detail .ticket");
    await user.sees(".detail .ticket", /Copied/);
    assert.match(await user.page.evaluate(() => navigator.clipboard.readText()), /\[CL-13\]/);
  },
  "share the report": async (user) => {
    await user.drop(sample("changelist.xml"));
    await user.click("button.share");
    assert.match(await user.clicksAndSaves("dialog[open] .share-report button"), /pre class="letter"/);
  },
  "fix a document and download it": async (user) => {
    await user.drop(sample("changelist.xml"));
    await user.click("button.fix");
    assert.match(await user.clicksAndSaves(".fix-outcome button:has-text('Download')"), /<urlset/);
  },
  "check that it is fixed": async (user) => {
    await user.drop(xml("changelist.xml", broken));
    await user.click("button.fix");
    await user.sees(".fix-left", /.+/);
    await user.click(".fix-outcome button.primary");
    await user.sees(".undo", /.+/);
  },
  "read the map": async (user) => {
    await user.dropFolder(folder);
    await user.sees(".map-node", /Capability List/);
    await user.click(".map-node:has-text('changelist.xml')");
    await user.sees(".fact-card", /changelist\.xml/);
  },
  "see when a Source changed last": async (user) => {
    await user.dropFolder(folder);
    await user.sees(".map-sets", /last changed 2026-04-01/);
  },
  "compare yesterday with today": async (user) => {
    await user.drop(xml("yesterday.xml", list(1, 1)), xml("today.xml", list(2, 2)));
    await user.click(".two-sides button");
    await user.sees(".changed", /1 updated/);
    await user.sees(".changed td", /1 → 2/);
  },
  "make a list from a table": async (user) => {
    await user.drop({ name: "table.csv", mimeType: "text/csv", buffer: Buffer.from("タイトル,URL,更新日\r\n図,https://example.org/a.pdf,2026-04-01\r\n") });
    await user.click(".guide button.primary");
    await user.click("form button[type=submit]");
    await user.sees(".made", /resourcelist\.xml/);
    await user.clicksAndSaves("button:has-text('Download all')");
  },
  "be sure that nothing was uploaded": async (user) => {
    await user.click("#privacy");
    await user.click("dialog[open] button:has-text('Try to connect')");
    await user.sees(".answer", /Blocked by the browser/);
  },
  "work offline": async (user) => {
    await user.page.waitForFunction(() => navigator.serviceWorker.controller !== null || navigator.serviceWorker.ready);
    await user.page.evaluate(() => navigator.serviceWorker.ready);
    await user.page.context().setOffline(true);
    await user.page.reload();
    await user.drop(sample("changelist.xml"));
    await user.sees(".verdict h1", /Invalid/);
  },
};

/** The clicks of each task as docs/page.md has them. */
const DOCUMENTED = Object.fromEntries([...readFileSync(join(root, "docs/page.md"), "utf8").matchAll(/^\| ([\w ]+) \| (\d) \| /gm)].map(([, name, clicks]) => [name, Number(clicks)]));

test("each of the ten tasks takes at most four clicks, as many as the documentation says", async (t) => {
  assert.deepEqual(Object.keys(DOCUMENTED), Object.keys(TASKS));
  for (const [name, task] of Object.entries(TASKS)) {
    await t.test(name, async (own) => {
      const page = await session.open({ permissions: ["clipboard-read", "clipboard-write"], workers: name.includes("offline") ? "allow" : "block" });
      const user = new User(page);
      await task(user);
      assert.ok(user.clicks <= MOST, `${user.clicks} clicks`);
      assert.equal(user.clicks, DOCUMENTED[name]);
      await session.leave(page);
    });
  }
});
