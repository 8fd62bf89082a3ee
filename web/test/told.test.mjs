// Reports of other commands: what copying, auditing and publishing said, for people.

import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { accessible, command, fits, give, start } from "./page.mjs";

let session;
before(async () => (session = await start()));
after(() => session.close());

const tool = { name: "resourcesync", version: "0.1.0" };
const SYNC = {
  format: "resourcesync-sync-report", formatVersion: 1, tool, run: { number: 3, dryRun: false, outcome: "incomplete", started: "2026-04-01T00:00:00Z", ended: "2026-04-01T00:01:00Z" },
  source: "https://repository.example.org/.well-known/resourcesync", documents: [], held: { resources: 10, bytes: 1000 },
  counts: { created: 2, updated: 0, deleted: 0, unchanged: 7, adopted: 0, failed: 1, deferred: 0, left: 0, skipped: 0, conflicts: 0, withheld: 0 }, verified: { digest: 2, length: 0, nothing: 0 }, bytes: 200,
  items: [{ uri: "https://repository.example.org/a", action: "create", result: "done" }, { uri: "https://repository.example.org/<b>", action: "create", result: "failed", code: "SYN-06" }], leftOut: 3,
  diagnostics: [{ code: "SYN-06", severity: "error", message: "the bytes of `https://repository.example.org/b` have another digest", help: "tell the Source", args: {} }],
};
const AUDIT = {
  format: "resourcesync-audit-report", formatVersion: 1, tool, started: "2026-04-01T00:00:00Z", ended: "2026-04-01T00:01:00Z", outcome: "different", completed: true, source: "https://repository.example.org/", online: true, documents: [], equal: 5,
  counts: { missing: 1, debts: 0, extra: 0, behind: 0, damaged: 0, unverifiable: 0, unreadable: 0, skipped: 0, foreign: 0 }, differences: [{ uri: "https://repository.example.org/c", sign: "missing" }], leftOut: 0, diagnostics: [],
};

async function shown(report, look = {}) {
  const page = await session.open(look);
  await give(page, { name: "report.json", mimeType: "application/json", buffer: Buffer.from(typeof report === "string" ? report : JSON.stringify(report, null, 2)) });
  await page.waitForSelector(".told h1");
  return page;
}

test("the report of a copy is shown: what became of it, what to do, what failed and why", async () => {
  for (const look of [{ lang: "en", theme: "light" }, { lang: "ja", theme: "dark", size: "phone" }]) {
    const page = await shown(SYNC, look);
    assert.equal(await page.textContent(".told h1"), look.lang === "en" ? "The copy is incomplete" : "同期は未完了です");
    assert.match(await page.textContent(".told"), look.lang === "en" ? /continues where this run ended.*Created2.*another digest.*Failed.*SYN-06.*leaves out 3 further items/s : /続きから処理します.*作成2/s);
    assert.equal(await page.locator(".told tbody tr").count(), 1, "only what failed");
    await accessible(page, look.lang);
    for (const width of [1440, 375, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await fits(page, `${look.lang}, ${width}`);
    }
    assert.deepEqual(page.complaints, []);
    await session.leave(page);
  }
});

test("the report of an audit is shown, with what would bring the copy in step", async () => {
  const page = await shown(AUDIT);
  const all = /The copy differs from the Source.*audit --repair.*Missing.*repository\.example\.org\/c/s;
  assert.match(await page.textContent(".told"), all);
  // It is kept like a check.
  await page.reload();
  await page.waitForSelector(".told h1");
  assert.match(await page.textContent(".told"), all);
  await page.getByRole("button", { name: "Start over" }).click();
  await page.getByRole("button", { name: /^Report of resourcesync audit report\.json/ }).click();
  await page.waitForSelector(".told h1");
  await give(page, { name: "sync.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(SYNC, null, 2)) });
  await page.waitForFunction(() => /incomplete/.test(document.querySelector(".told h1")?.textContent ?? ""));
  await page.goBack();
  await page.waitForFunction(() => /differs/.test(document.querySelector(".told h1")?.textContent ?? ""));
  await session.leave(page);
});

test("a trial run says what a run would do, and not that the copy is incomplete", async () => {
  const items = [{ uri: "https://repository.example.org/a", action: "create", result: "planned" }, { uri: "https://repository.example.org/b", action: "delete", result: "withheld", code: "SYN-10" }];
  const trial = { ...SYNC, run: { ...SYNC.run, dryRun: true, outcome: "planned" }, counts: { created: 1, deleted: 1, unchanged: 7 }, items, leftOut: 0, diagnostics: [] };
  const page = await shown(trial);
  assert.equal(await page.textContent(".told h1"), "Dry run: nothing was changed");
  const rows = await page.locator(".told tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.deepEqual(rows, [["Create", "https://repository.example.org/a", ""], ["Withheld deletions", "https://repository.example.org/b", "SYN-10"]]);
  assert.match(await page.textContent(".told"), /What a run would do.*Created1/s);
  await session.leave(page);
  // One that could not read everything has no complete plan.
  const cut = await shown({ ...trial, run: { ...trial.run, outcome: "incomplete" } });
  assert.equal(await cut.textContent(".told h1"), "The copy is incomplete");
  await session.leave(cut);
});

const NOTED = { code: "OAI-70", count: 2, args: {}, identifiers: ["oai:a", "oai:b"] };
const HARVEST = {
  format: "resourcesync-oai-report", formatVersion: 1, url: "https://repository.example.org/oai", status: "suspect", records: 9,
  counts: { created: 8, changed: 0, deleted: 0, leftSet: 0, touched: 0, unchanged: 0, tombstones: 0, quarantined: 1, repaired: 0 },
  reasons: [{ ...NOTED, severity: "warning", message: "9 records of 12 were delivered" }], notes: [],
};

test("the report of a harvest is shown with its reasons, and several of them as a list", async () => {
  const one = await shown(HARVEST);
  assert.match(await one.textContent(".told"), /not certain to be complete.*oai harvest.*Records delivered9.*2 times.*9 records of 12/s);
  assert.equal(await one.locator(".told-findings a.code").getAttribute("href"), "#/rules/OAI-70");
  await accessible(one, "a harvest");
  await session.leave(one);

  const several = await shown([HARVEST, { ...HARVEST, url: "https://other.example.org/oai", status: "complete", reasons: [] }, { ...HARVEST, url: "https://third.example.org/oai", status: "failed", records: 0, reasons: [], error: "no answer" }], { lang: "ja" });
  assert.equal(await several.textContent(".told h1"), "収集に失敗しました");
  assert.match(await several.textContent(".told .facts"), /リポジトリ3.*失敗1.*要確認1.*完了1.*取得したレコード18/s);
  assert.equal(await several.locator(".told tbody tr").count(), 2, "those that are not complete");
  assert.match(await several.textContent(".told tbody"), /9 records of 12.*no answer/s);
  await session.leave(several);
});

test("the proof of a harvest is shown, with the words of its rules", async () => {
  const list = { prefix: "oai_dc", ended: "empty-token", attempts: 1, delivered: 12, distinct: 10, repeated: 2, deleted: 1, quarantined: 1, pages: [{ n: 1, token: null, records: 12 }] };
  const proof = { format: "resourcesync-oai-proof", formatVersion: 1, status: "incomplete", reasons: [NOTED], notes: [], baseUrl: "https://repository.example.org/oai", started: 1_775_001_600_000, ended: 1_775_001_660_000, sequences: [list, list], next: [], owed: [{ prefix: "oai_dc", identifier: "oai:a" }], waited: 0, requests: 3 };
  const page = await shown(proof, { zone: "UTC" });
  assert.match(await page.textContent(".told"), /The harvest is incomplete.*2026-04-01T00:01:00Z.*Records delivered24.*Distinct records20.*Pages2.*Requests3/s);
  await page.waitForFunction(() => /\w{4}/.test(document.querySelector(".told-findings p")?.textContent ?? ""));
  assert.match(await page.textContent(".told tbody"), /oai:a/);
  await session.leave(page);
});

test("what only looks like such a report is refused with the reason", async () => {
  const page = await session.open();
  await give(page, { name: "report.json", mimeType: "application/json", buffer: Buffer.from('{ "format": "resourcesync-sync-report", ') });
  await page.waitForSelector("[role=alert] .verdict-main, .verdict[role=alert]");
  assert.match(await page.textContent(".verdict"), /could not be opened as a report/);
  await session.leave(page);
});

test("reports of a version, outcome or status that is not known claim nothing", async () => {
  const page = await session.open();
  for (const [report, selector, said] of [
    [{ ...SYNC, formatVersion: 99 }, ".verdict", /has version 99, this page shows version 1/],
    [{ ...SYNC, run: { outcome: "constructor" } }, ".told .undetermined h1", /^constructor$/],
    [[{ ...HARVEST, status: "complete" }, { ...HARVEST, status: "unheard-of" }], ".told .undetermined h1", /^harvest-unheard-of$/],
  ]) {
    await give(page, { name: "report.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(report, null, 2)) });
    await page.waitForSelector(`main ${selector}`);
    assert.match(await page.textContent(`main ${selector}`), said);
    await page.getByRole("button", { name: "Start over" }).click();
  }
  assert.deepEqual(page.complaints, []);
  await session.leave(page);
});

test("the reports of a publication and of a comparison by the command are shown", async () => {
  const folder = mkdtempSync(join(tmpdir(), "told-"));
  mkdirSync(join(folder, "files"));
  writeFileSync(join(folder, "files/a.txt"), "a");
  const { stdout } = spawnSync(command, ["build", "files", "--base-uri", "https://example.org/", "--out", "public", "--format", "json"], { cwd: folder, encoding: "utf8" });
  for (const [name, length] of [["old.csv", 1], ["new.csv", 2]]) writeFileSync(join(folder, name), `uri,length\nhttps://example.org/a,${length}\n`);
  const differences = spawnSync(command, ["diff", "old.csv", "new.csv", "--format", "json", "--no-config"], { cwd: folder, encoding: "utf8" }).stdout;
  rmSync(folder, { recursive: true });
  const page = await shown(stdout);
  assert.match(await page.textContent(".told"), /Published.*resourcesync build.*Resources1/s);
  assert.match(await page.title(), /Report of resourcesync build/);
  await page.getByRole("button", { name: "Start over" }).click();
  await give(page, { name: "diff.json", mimeType: "application/json", buffer: Buffer.from(differences) });
  await page.waitForSelector(".told h1");
  assert.match(await page.textContent(".told"), /Compared.*resourcesync diff.*Updated1/s);
  await session.leave(page);
});
