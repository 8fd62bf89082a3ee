// What a Destination would do with a Source in a folder: the plan of a first run, and of one that continues from a moment.

import { strict as assert } from "node:assert";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { documents, small } from "../../wasm/tests/small-source.mjs";
import { accessible, fits, start } from "./page.mjs";

let session, folder;
before(async () => {
  session = await start();
  folder = join(mkdtempSync(join(tmpdir(), "outlook-")), "public");
});
after(async () => {
  await session.close();
  rmSync(dirname(folder), { recursive: true });
});

/** The page with a Source, checked as a whole. */
async function shown(source, look = {}, edited = (text) => text) {
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of Object.entries(documents(source, "https://a.example/"))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), edited(text));
  }
  const page = await session.open({ zone: "UTC", ...look });
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.setInputFiles("input[webkitdirectory]", folder);
  await page.waitForSelector("form.outlook");
  return { page, asked };
}

async function plans(page, since = "") {
  await page.fill("#outlook-since", since);
  await page.click("form.outlook button");
  await page.waitForFunction(() => document.querySelector(".outlook-plan") && !document.querySelector("form.outlook button").disabled);
  return page.locator(".outlook-plan").allTextContents();
}

test("the plan of a first run, and of one that continues, in both languages and at every width", async () => {
  for (const look of [{ lang: "en", theme: "light" }, { lang: "ja", theme: "dark", size: "phone" }]) {
    const { page, asked } = await shown(small(), look);
    assert.ok(!asked.some((path) => path.endsWith("/sync.wasm")), "loaded when it is asked for");
    const [first, next] = await plans(page, "2025-02-15T00:00:00");
    assert.match(first, look.lang === "en" ? /nothing is stored yet.*fetches 3 resources, 21 bytes.*Created3/s : /保存済みのリソースがない.*3 件取得.*21 バイト/s);
    assert.match(next, look.lang === "en" ? /in step at.*only the Change Lists.*fetches 1 resource, 7 bytes.*deletes 1 resource.*Created1.*Deleted1.*Unchanged2/s : /変更リストだけを読みます.*1 件取得.*1 件削除/s);
    assert.ok(asked.some((path) => path.endsWith("/sync.wasm")));
    await accessible(page, look.lang);
    for (const width of [1440, 375, 360, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await fits(page, `${look.lang}, ${width}`);
    }
    assert.deepEqual(page.complaints, []);
    await session.leave(page);
  }
});

test("a moment before the Change Lists falls back to the Resource Lists, with the reason", async () => {
  const { page } = await shown(small());
  const [, next] = await plans(page, "2024-06-01T00:00:00");
  assert.match(next, /compares with the Resource Lists: changes since are in no Change List.*counts as to be fetched/s);
  assert.equal((await plans(page)).length, 1, "without a moment there is the first run only");
  await session.leave(page);
});

test("what the guard would withhold is said", async () => {
  const source = small();
  source.resources = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`r${at}`, "a"]));
  source.changes = Array.from({ length: 60 }, (_, at) => ["2025-04-01T00:00:00Z", "deleted", `gone${at}`]);
  const { page } = await shown(source, {}, (text) => text.replace(/ length="\d+"/g, ""));
  const [first, next] = await plans(page, "2025-02-15T00:00:00");
  assert.match(first, /fetches 30 resources\.Created30/);
  assert.match(next, /keeps 60 resources that it would have to delete.*SYN-01/s);
  await session.leave(page);
});
