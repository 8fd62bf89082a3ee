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
    assert.equal(await page.textContent(".told h1"), look.lang === "en" ? "The copy is incomplete" : "コピーは未完了です");
    assert.match(await page.textContent(".told"), look.lang === "en" ? /continues where this run ended.*Created2.*another digest.*Failed.*SYN-06.*leaves out 3 further items/s : /続きから処理します.*作成2/s);
    assert.equal(await page.locator(".told tbody tr").count(), 1, "only what failed");
    await accessible(page, look.lang);
    for (const width of [1440, 375, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await fits(page, `${look.lang}, ${width}`);
    }
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  }
});

test("the report of an audit is shown, with what would bring the copy in step", async () => {
  const page = await shown(AUDIT);
  assert.match(await page.textContent(".told"), /The copy differs from the Source.*audit --repair.*Missing.*repository\.example\.org\/c/s);
  await page.context().close();
});

test("the report of a publication by the command is shown", async () => {
  const folder = mkdtempSync(join(tmpdir(), "told-"));
  mkdirSync(join(folder, "files"));
  writeFileSync(join(folder, "files/a.txt"), "a");
  const { stdout } = spawnSync(command, ["build", "files", "--base-uri", "https://example.org/", "--out", "public", "--format", "json"], { cwd: folder, encoding: "utf8" });
  rmSync(folder, { recursive: true });
  const page = await shown(stdout);
  assert.match(await page.textContent(".told"), /Published.*resourcesync build.*Resources1/s);
  assert.match(await page.title(), /Report of resourcesync build/);
  await page.context().close();
});
