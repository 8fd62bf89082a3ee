/** What a Source lists and changes, for programs that fetch it themselves. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { changes, decide, dryRun, MismatchError, OptionError, survey, verifying } from "resourcesync/sync";

import { BASE, serving, small } from "./small-source.mjs";

const NOW = Date.parse("2026-01-01T00:00:00Z");

async function taken(surveyed) {
  const all = [];
  for await (const { change, uri } of surveyed) all.push(`${change} ${uri.slice(BASE.length)}`);
  return all.sort();
}

test("a first run gives out everything that is listed, and the next one what changed", async () => {
  const source = small();
  const { asked, fetch } = serving(source);
  const first = survey(BASE, { fetch, now: NOW });
  assert.equal(first.checkpoint, undefined);
  assert.deepEqual(await taken(first), ["created changed", "created new", "created old"]);
  assert.equal(first.report.run.outcome, "in-step");
  assert.equal(first.report.plan.why, "first-run");
  assert.ok(asked.every((uri) => /\.xml$|resourcesync$|robots\.txt$/.test(uri)), "documents only");
  const kept = JSON.parse(JSON.stringify(first.checkpoint));
  assert.deepEqual([kept.source, kept.resources.length], [BASE, 3]);

  const nothing = changes(kept, { fetch, now: NOW });
  assert.deepEqual(await taken(nothing), []);
  source.changes.push(["2025-07-01T00:00:00Z", "deleted", "old"], ["2025-07-02T00:00:00Z", "created", "newer"], ["2025-07-02T00:00:01Z", "updated", "changed"]);
  source.resources = { changed: "a", new: "a", newer: "a" };
  const later = changes(nothing.checkpoint, { fetch, now: NOW });
  assert.deepEqual(await taken(later), ["created newer", "deleted old", "updated changed"]);
  assert.equal(later.report.plan.kind, "changes");
  assert.deepEqual(later.checkpoint.resources.map(({ uri }) => uri.slice(BASE.length)).sort(), ["changed", "new", "newer"]);
});

test("a run that is left has no checkpoint, and one that cannot read its lists does not claim to be in step", async () => {
  const { fetch } = serving(small());
  const left = survey(BASE, { fetch, now: NOW });
  for await (const _ of left) break;
  assert.equal(left.checkpoint, undefined);
  const unread = survey(BASE, { fetch: async () => new Response("", { status: 503 }), now: NOW });
  assert.deepEqual(await taken(unread), []);
  assert.notEqual(unread.report.run.outcome, "in-step");
  await assert.rejects(taken(survey(BASE, { fetch, signal: AbortSignal.abort("enough") })), (reason) => reason === "enough");
  const controller = new AbortController();
  setTimeout(() => controller.abort("enough"), 5);
  await assert.rejects(taken(survey(BASE, { fetch: () => new Promise(() => {}), signal: controller.signal })), (reason) => reason === "enough");
  const stop = new AbortController();
  const stopped = survey(BASE, { fetch, now: NOW, signal: stop.signal });
  const seen = [];
  await assert.rejects(async () => {
    for await (const { uri } of stopped) {
      seen.push(uri);
      stop.abort("enough");
    }
  }, (reason) => reason === "enough");
  assert.deepEqual([seen.length, stopped.checkpoint], [1, undefined]);
  for (const wrong of [{ maxDelete: "many" }, { fulll: true }, { checkpoint: { ...left.checkpoint, format: "x", formatVersion: 1, source: BASE } }]) {
    await assert.rejects(taken(survey(BASE, { fetch, ...wrong })), OptionError);
  }
});

test("the guard withholds deletions that are not credible", async () => {
  const source = small();
  source.resources = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`r${at}`, "a"]));
  source.changes = [];
  const { fetch } = serving(source);
  const first = survey(BASE, { fetch, now: NOW });
  assert.equal((await taken(first)).length, 100);
  source.resources = { r1: "a" };
  source.at = "2025-07-01T00:00:00Z";
  const guarded = changes(first.checkpoint, { fetch, now: NOW, full: true });
  assert.deepEqual(await taken(guarded), []);
  assert.ok(guarded.report.withheld);
  assert.equal((await taken(changes(first.checkpoint, { fetch, now: NOW, full: true, maxDelete: "100%" }))).length, 99);
});

test("a dry run says what would be done, also since a moment", async () => {
  const { fetch } = serving(small());
  const { first, next } = await dryRun(BASE, { fetch, now: NOW, since: "2025-02-15T00:00:00Z" });
  assert.deepEqual([first.run.dryRun, first.plan.requests, first.plan.bytes, first.plan.why], [true, 3, 21, "first-run"]);
  assert.deepEqual([next.plan.kind, next.plan.requests, next.counts.created, next.counts.updated, next.counts.deleted], ["changes", 1, 1, 0, 1]);
  const { next: earlier } = await dryRun(BASE, { fetch, now: NOW, since: "2024-06-01T00:00:00Z" });
  assert.deepEqual([earlier.plan.kind, earlier.plan.why], ["list", "gap"]);
  assert.equal((await dryRun(BASE, { fetch, now: NOW })).next, undefined);
  await assert.rejects(dryRun(BASE, { fetch, since: "yesterday" }), OptionError);
});

test("one function decides about one resource", () => {
  const md5 = `md5:${"0".repeat(32)}`;
  const uri = `${BASE}a`;
  assert.equal(decide({ uri, hash: md5 }), "fetch");
  assert.equal(decide({ uri, hash: md5 }, { hash: md5 }), "keep");
  assert.equal(decide({ uri, hash: md5 }, { hash: `md5:${"1".repeat(32)}` }), "fetch");
  const dated = { lastmod: "2025-01-01", length: 3 };
  assert.equal(decide({ uri, ...dated }, dated), "fetch");
  assert.equal(decide({ uri, ...dated }, dated, { since: "2025-01-01T18:00:00Z" }), "fetch");
  assert.equal(decide({ uri, ...dated }, dated, { since: "2025-01-03T00:00:00Z" }), "keep");
  assert.throws(() => decide({ uri, ...dated }, dated, { since: "yesterday" }), OptionError);
  assert.equal(decide({ uri, hash: `sha-1:${"0".repeat(40)}` }, { hash: md5 }), "hash");
});

test("bytes that are not as listed are an error at the end", async () => {
  const bytes = Buffer.from("one two three");
  const hash = `md5:${createHash("md5").update(bytes).digest("hex")} sha-256:${createHash("sha256").update(bytes).digest("hex")}`;
  const read = (listed) => new Response(verifying(new Response(bytes).body, { uri: `${BASE}a`, ...listed })).text();
  assert.equal(await read({ hash, length: bytes.length }), "one two three");
  assert.equal(await read({}), "one two three");
  const differs = (listed, what) => assert.rejects(read(listed), (error) => error instanceof MismatchError && error.differs === what && error.code === "MISMATCH");
  await differs({ hash: `md5:${"0".repeat(32)}` }, "digest");
  await differs({ hash, length: 20 }, "length");
  await differs({ length: 3 }, "length");
  // As `entries` has it.
  await differs({ hashes: { md5: "0".repeat(32) } }, "digest");
  await differs({ hashes: { "sha-256": "0".repeat(64), md5: hash.slice(4, 36) } }, "digest");
  assert.equal(await read({ hashes: { md5: hash.slice(4, 36) } }), "one two three");
  assert.throws(() => verifying(bytes, {}), OptionError);
});
