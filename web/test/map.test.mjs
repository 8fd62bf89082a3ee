// The map and the timeline of a Source: at a few documents and at 1,000.

import { strict as assert } from "node:assert";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, fits, over, start } from "./page.mjs";
import { document, source, write } from "./source-set.mjs";

let session;
let folder;
before(async () => {
  session = await start();
  folder = mkdtempSync(join(tmpdir(), "page-"));
  write(join(folder, "small"), {
    ...source({ sets: 1, changeLists: 4, broken: ["set-000 1"], missing: ["set-000 2"] }),
    // Nothing leads to this one.
    "lost.xml": document('capability="resourcelist"', "set-000/capabilitylist.xml", []),
  });
  write(join(folder, "large"), source({ sets: 4, changeLists: 248, broken: ["set-002 100"], missing: ["set-001 7", "set-001 8"], entries: 25_000, fault: 'hash="md5:wrong" length="x"' }));
});
after(async () => {
  await session.close();
  rmSync(folder, { recursive: true, force: true });
});

async function opened(name, look, wait = 30_000) {
  const page = await session.open(look);
  await page.setInputFiles("#folder", join(folder, name));
  assert.equal(await over(page, wait), "done");
  return page;
}

const nodes = (page) => page.locator(".map-node .uri").allTextContents();

test("the map shows what leads to what, what is broken, and what is missing", async () => {
  const page = await opened("small");
  const names = await nodes(page);
  for (const name of ["resourcesync", "capabilitylist.xml", "resourcelist.xml", "changelist.xml", "changelist-0001.xml", "changelist-0002.xml", "lost.xml"]) assert.ok(names.includes(name), `${name} in ${names}`);
  assert.equal(await page.locator(".map-node.ghost .uri").textContent(), "changelist-0002.xml");
  assert.match(await page.locator(".map-node.invalid", { hasText: "changelist-0001" }).textContent(), /1 Error/);
  const depth = (name) => page.locator(".map-node", { hasText: name }).last().evaluate((node) => {
    let depth = 0;
    for (let own = node.closest("li"); own; own = own.parentElement.closest("li")) depth += 1;
    return depth;
  });
  assert.deepEqual(await Promise.all(["resourcesync", "capabilitylist", "changelist.xml", "changelist-0001", "lost"].map(depth)), [1, 2, 3, 4, 1]);
  await page.locator(".map-node", { hasText: "changelist-0001" }).click();
  await page.waitForFunction(() => location.hash.includes("input="));
  await page.waitForFunction(() => [...document.querySelectorAll(".finding")].length > 0 && [...document.querySelectorAll(".group")].every((own) => !own.textContent.includes("INP-")));
  assert.equal(await page.locator(".map-node[aria-pressed=true] .uri").textContent(), "changelist-0001.xml");
  assert.equal(await page.locator(".node[aria-pressed=true]").count(), 1, "the list of inputs agrees");
  await page.locator(".map-node[aria-pressed=true]").click();
  await page.waitForFunction(() => !location.hash.includes("input="));
  await page.locator(".map-node.ghost").click();
  await page.waitForFunction(() => document.querySelector(".finding[aria-current=true]")?.textContent.includes("changelist-0002"));
  assert.deepEqual(page.complaints, []);
  await session.leave(page);
});

test("arrow keys walk through the map, and one node is in the order of Tab", async () => {
  const page = await opened("small");
  assert.equal(await page.locator(".map-node[tabindex='0']").count(), 1);
  await page.locator(".map-node").first().focus();
  const focused = () => page.evaluate(() => document.activeElement.querySelector(".uri")?.textContent);
  await page.keyboard.press("ArrowRight");
  assert.equal(await focused(), "capabilitylist.xml");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), "changelist.xml");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await focused(), "capabilitylist.xml");
  await page.keyboard.press("End");
  assert.equal(await focused(), "lost.xml");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash.includes("input="));
  assert.equal(await page.locator(".map-node[tabindex='0']").count(), 1);
  await session.leave(page);
});

test("the timeline has changes a day, intervals and snapshots, also as tables", async () => {
  const page = await opened("small");
  await page.locator(".timeline > summary").click();
  await page.waitForSelector(".timeline .chart svg[role=img]");
  const said = await page.getAttribute(".timeline .chart svg[role=img]", "aria-label");
  assert.match(said, /^3 changes between Apr 1, 2026 and/);
  assert.match(said, /1 gap/);
  assert.equal(await page.locator(".timeline svg[role=img] .gap").count(), 1);
  assert.equal(await page.locator(".timeline svg[role=img] .interval").count(), 4, "three lists and their index");
  assert.equal(await page.locator(".timeline svg[role=img] .snapshot").count(), 1);
  await page.locator(".timeline details summary").click();
  const [changes, spans] = await page.locator(".timeline table tbody").allTextContents();
  assert.match(changes, /Apr 1, 2026/);
  assert.match(spans, /changelist-0003\.xml.*Change List/);
  assert.match(spans, /Gap/);
  assert.deepEqual(page.complaints, []);
  await session.leave(page);
});

test("a change that a Change List and a Change Dump Manifest of the same set list is counted once", async () => {
  const files = source({ sets: 2, changeLists: 4 });
  const entries = [...files["set-000/changelist-0001.xml"].matchAll(/<url>.*<\/url>/g)].map(([text]) => text);
  files["set-000/manifest.xml"] = document('capability="changedump-manifest" from="2026-04-02T00:00:00Z" until="2026-04-03T00:00:00Z"', "set-000/capabilitylist.xml", entries);
  // It names no set, and lists a change of one and a change of its own.
  files["loose.xml"] = document('capability="changelist" from="2026-04-02T00:00:00Z" until="2026-04-03T00:00:00Z"', "", [...entries, entries[0].replace("/res/1", "/res/9")]);
  // Browsers would read these times, too, in one way or another.
  files["odd.xml"] = document('capability="changelist" from="item 5"', "", ["item 5", "2026-02-30T12:00:00Z"].map((time) => entries[0].replace(/datetime="[^"]*"/, `datetime="${time}"`)));
  write(join(folder, "twice"), files);
  const page = await opened("twice");
  await page.locator(".timeline > summary").click();
  const said = await page.getAttribute(".timeline .chart svg[role=img]", "aria-label");
  assert.match(said, /^9 changes between .* · from 11 documents · 2 repeated listings of changes are not counted again.* · 2 changes without a datetime with a time zone are not shown · 1 document whose times/);
  await page.locator(".timeline details summary").click();
  assert.match(await page.locator(".timeline table tbody").first().textContent(), /Apr 2, 2026030/);
  await session.leave(page);
});

test("documents of the same name are told apart by their folders, and all of a high map can be shown", async () => {
  write(join(folder, "two"), source({ sets: 2, changeLists: 7 }));
  const page = await opened("two");
  const names = await nodes(page);
  for (const name of ["set-000/capabilitylist.xml", "set-001/capabilitylist.xml", "set-001/changelist-0003.xml"]) assert.ok(names.includes(name), `${name} in ${names}`);
  const isInView = () => page.locator(".map-node", { hasText: "set-001/changelist-0006.xml" }).evaluate((node) => {
    const [own, area] = [node, document.querySelector(".map-view")].map((element) => element.getBoundingClientRect());
    return own.bottom <= area.bottom;
  });
  assert.equal(await isInView(), false);
  await page.locator(".map-whole").click();
  assert.equal(await isInView(), true);
  assert.equal(await page.textContent(".map-whole"), "Show less of the map");
  await accessible(page, "the whole map", ".map");
  await page.locator(".map-whole").click();
  assert.equal(await isInView(), false);
  await session.leave(page);
});

test("each set says when it changed last, in the zone of the reader with UTC beside it", async () => {
  const page = await opened("small", { zone: "Asia/Tokyo" });
  assert.match(await page.textContent(".map-sets"), /capabilitylist\.xml last changed Apr 4, 2026, 9:00:00\sPM GMT\+9 \(2026-04-04T12:00:00Z\)/);
  await page.locator(".timeline > summary").click();
  await page.locator(".timeline details summary").click();
  assert.match(await page.locator(".timeline table").last().textContent(), /Apr 1, 2026, 9:00:00\sAM GMT\+9 \(Apr 1, 2026, 12:00:00\sAM UTC\)/);
  await session.leave(page);
});

test("labels of the axis do not touch, and counts of changes are whole", async () => {
  write(join(folder, "long"), source({ sets: 3, changeLists: 30 }));
  for (const [lang, width] of [["ja", 1440], ["ja", 375], ["en", 320]]) {
    const page = await opened("long", { lang, size: { width, height: 800 } });
    await page.locator(".timeline > summary").click();
    await page.waitForSelector(".timeline svg[role=img]");
    const labels = await page.locator(".timeline svg[role=img] text").evaluateAll((all) => all.map((own) => ({ text: own.textContent, box: own.getBoundingClientRect().toJSON() })));
    const axis = labels.filter(({ box }) => Math.abs(box.top - labels.at(-1).box.top) < 2).sort((one, other) => one.box.left - other.box.left);
    assert.ok(axis.length >= 2, lang);
    for (const [at, { box, text }] of axis.slice(1).entries()) assert.ok(box.left > axis[at].box.right + 4, `${lang} ${width}: ${axis[at].text} ${text}`);
    assert.deepEqual(labels.slice(0, 3).map(({ text }) => text), ["0", "1", "3"]);
    await fits(page, `${lang} ${width}`);
    await session.leave(page);
  }
});

test("1,000 documents and 200,000 findings: the map stays short, and the page answers", async (t) => {
  const page = await session.open();
  await page.evaluate(() => {
    window.longest = 0;
    new PerformanceObserver((all) => all.getEntries().forEach(({ duration }) => (window.longest = Math.max(window.longest, duration)))).observe({ type: "longtask" });
  });
  await page.setInputFiles("#folder", join(folder, "large"));
  assert.equal(await over(page, 120_000), "done");
  await page.waitForSelector(".map-node");
  const count = await page.locator(".map-node").count();
  assert.ok(count > 15 && count < 60, `${count} nodes`);
  assert.match(await page.textContent(".map > p"), /1,003 documents/);
  assert.match(await page.textContent(".verdict"), /200,00\d errors/);
  const group = page.locator(".map-node.many", { hasText: "Change List" }).first();
  await group.click();
  assert.equal(await group.getAttribute("aria-expanded"), "true");
  await page.locator(".map .more button").first().click();
  await page.locator(".timeline > summary").click();
  await page.waitForSelector(".timeline svg[role=img]", { timeout: 60_000 });
  assert.ok(await page.locator(".timeline svg[role=img] *").count() < 6_000);
  assert.match(await page.getAttribute(".timeline svg[role=img]", "aria-label"), /990 changes .* 1 gap$/);
  const longest = await page.evaluate(() => Math.round(window.longest));
  // This runs in the page as well, so it comes after the measurement.
  await accessible(page, "1,000 documents", ".map, .timeline");
  t.diagnostic(`1,000 documents, 200,000 findings: longest task of the main thread ${longest} ms`);
  await session.leave(page);
});

for (const look of [{ lang: "en", theme: "light", size: "desktop" }, { lang: "ja", theme: "dark", size: "phone" }, { lang: "ja", theme: "light", size: { width: 820, height: 1100 } }]) {
  const name = Object.values(look).map((own) => own.width ?? own).join(", ");

  test(`map and timeline are accessible: ${name}`, async () => {
    const page = await opened("small", look);
    if (look.size === "phone") await page.locator(".map > summary").click();
    await page.locator(".timeline > summary").click();
    await page.waitForSelector(".timeline svg[role=img]");
    await page.locator(".timeline details summary").click();
    await accessible(page, name);
    await fits(page, name);
    assert.deepEqual(page.complaints, []);
    await session.leave(page);
  });
}
