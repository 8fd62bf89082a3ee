/** The command and npm continue what the other published: one chain of changes, every document valid, one run at a time. */

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { publish, PublishError, readSync, SourceFolder } from "resourcesync";

import { root } from "./cases.mjs";

const native = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), "debug/resourcesync");
const BASE = "https://example.com/";
const at = (day) => `2024-05-${String(day).padStart(2, "0")}T00:00:00Z`;

function place(context) {
  const folder = mkdtempSync(join(tmpdir(), "resourcesync-faces-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "public");
}

const lines = (records, set = "") => records.map((record) => JSON.stringify(set === "" ? record : { ...record, set }));

/** Publishes with the command, from an inventory. */
function command(out, inventory, day, ...more) {
  const file = `${out}.jsonl`;
  writeFileSync(file, `${inventory.join("\n")}\n`);
  const args = ["build", "--from-jsonl", file, "--base-uri", BASE, "--out", out, "--at", at(day), ...more];
  return spawnSync(native, args, { encoding: "utf8" });
}

function commanded(...args) {
  const { status, stderr } = command(...args);
  assert.equal(status, 0, stderr);
}

const npm = (out, records, day, more = {}) => publish(out, BASE, records, { at: at(day), ...more });

/** All changes of a set in order, after a check of the chain of its Change Lists. */
function chain(out, set = "") {
  const read = (uri) => readSync(readFileSync(join(out, uri.slice(BASE.length))));
  const index = read(`${BASE}${set === "" ? "" : `${set}/`}changelist.xml`);
  const lists = index.kind === "change-list-index" ? index.entries.map(({ uri }) => read(uri)) : [index];
  const intervals = lists.map(({ head }) => [head.from, head.until]);
  for (const [place, [, until]] of intervals.entries()) assert.equal(until, intervals[place + 1]?.[0], JSON.stringify(intervals));
  return lists.flatMap(({ entries }) => entries.map(({ change, uri, datetime }) => `${change} ${uri.slice(BASE.length)} ${datetime.slice(8, 10)}`));
}

/** The published folder is valid, also across documents, and its state is that of its files. */
function check(out) {
  const { status, stdout } = spawnSync(native, ["validate", "--no-config", out], { encoding: "utf8" });
  assert.equal(status, 0, stdout);
  const state = spawnSync(native, ["build", tmpdir(), "--verify-state", "--base-uri", BASE, "--out", out], { encoding: "utf8" });
  assert.equal(state.status, 0, state.stderr);
}

const [a, b, c] = ["a", "b", "c"].map((name) => ({ uri: `${BASE}${name}`, length: 1, lastmod: "2024-01-01T00:00:00Z" }));
const changed = (record, length) => ({ ...record, length });

/** Publishes one history with alternating faces. */
async function history(out, isCommandFirst, rotate) {
  const steps = [[a, b], [a, changed(b, 2)], [a, changed(b, 2), c], [changed(a, 3), c], [changed(a, 3), changed(c, 4)], [changed(a, 3), changed(c, 4), b]];
  for (const [number, records] of steps.entries()) {
    const day = number + 1;
    if ((number % 2 === 0) === isCommandFirst) commanded(out, lines(records), day, "--rotate", String(rotate), "--max-delete", "1");
    else assert.equal((await npm(out, records, day, { rotate, maxDelete: 1 })).changed, true);
    check(out);
  }
  assert.deepEqual(chain(out), ["updated b 02", "created c 03", "deleted b 04", "updated a 04", "updated c 05", "created b 06"].sort((one, other) => one.slice(-2).localeCompare(other.slice(-2)) || one.split(" ")[1].localeCompare(other.split(" ")[1])));
  // What is published is the same for both.
  assert.equal((await npm(out, steps.at(-1), 7, { rotate })).changed, false);
  const same = command(out, lines(steps.at(-1)), 7, "--rotate", String(rotate));
  assert.deepEqual([same.status, readdirSync(`${out}.resourcesync`).includes("6")], [0, true]);
}

for (const [name, isCommandFirst] of [["the command begins and npm continues", true], ["npm begins and the command continues", false]]) {
  for (const rotate of [2, 10_000]) test(`${name}, with lists of ${rotate} changes`, (context) => history(place(context), isCommandFirst, rotate));
}

test("sets and foreign files are continued by both", async (context) => {
  const out = place(context);
  commanded(out, [...lines([a], "x"), ...lines([b], "y")], 1);
  writeFileSync(join(out, "index.html"), "home");
  await npm(out, { x: [changed(a, 2)], y: [b] }, 2);
  check(out);
  assert.ok(lstatSync(out).isSymbolicLink());
  await assert.rejects(npm(out, [a, b], 3), /no resource is in a set/);
  commanded(out, [...lines([changed(a, 2)], "x"), ...lines([changed(b, 2)], "y")], 4);
  check(out);
  assert.deepEqual([chain(out, "x"), chain(out, "y")], [["updated a 02"], ["updated b 04"]]);
  assert.equal(readFileSync(join(out, "index.html"), "utf8"), "home");
});

test("a program that drives the publication continues the histories of the command", async (context) => {
  const out = place(context);
  commanded(out, lines([a]), 1);
  commanded(out, lines([changed(a, 2)]), 2, "--rotate", "1");
  const folder = new SourceFolder(out);
  context.after(() => folder.close());
  assert.deepEqual(folder.previous().changes.closed.map(({ number }) => number), [1]);
  assert.equal(folder.previous("none"), undefined);
});

test("what npm does not publish is left to the command", async (context) => {
  const files = place(context);
  mkdirSync(files);
  writeFileSync(join(files, "file.txt"), "text");
  for (const more of [["--dump"], ["--set", "x=**"], ["--gzip"]]) {
    const out = place(context);
    const { status, stderr } = spawnSync(native, ["build", files, "--base-uri", BASE, "--out", out, ...more], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
    const before = readFileSync(join(out, ".generation"), "utf8");
    await assert.rejects(npm(out, [a], 30, { at: undefined }), PublishError, more[0]);
    assert.equal(readFileSync(join(out, ".generation"), "utf8"), before);
  }
});

test("a state that npm wrote earlier is continued and replaced", async (context) => {
  const out = place(context);
  await npm(out, [a, b], 1);
  const earlier = join(`${out}.resourcesync`, "1/state.json");
  const state = JSON.parse(readFileSync(earlier, "utf8"));
  // The options in its words, the time as it was given, and its own order of keys.
  const { parts, files, ...rest } = { ...state, at: "2024-05-01T09:00:00+09:00", wanted: 'publish describedby= sets=[""]' };
  writeFileSync(earlier, JSON.stringify({ files, parts, ...rest }));
  await npm(out, [a, changed(b, 2)], 2);
  check(out);
  assert.deepEqual(chain(out), ["updated b 02"]);
  assert.equal(JSON.parse(readFileSync(join(`${out}.resourcesync`, "2/state.json"), "utf8")).wanted, state.wanted);
});

test("one run at a time, whichever face it is of", { skip: process.platform === "win32" }, async (context) => {
  const out = place(context);
  await npm(out, [a], 1);
  const folder = new SourceFolder(out);
  const { status, stderr } = command(out, lines([a, b]), 2);
  assert.notEqual(status, 0);
  assert.match(stderr, /another run is at work .*lock\.pid/);
  folder.close();
  // A command that waits for its input holds the lock; it writes its process into it.
  const node = spawn(process.execPath, ["-e", "setTimeout(() => {}, 600_000)"]);
  context.after(() => node.kill());
  writeFileSync(join(`${out}.resourcesync`, "lock"), String(node.pid));
  await assert.rejects(npm(out, [a, b], 2), /another run is at work .*lock is of the process/);
  assert.ok(!existsSync(join(`${out}.resourcesync`, "lock.pid")));
  writeFileSync(join(`${out}.resourcesync`, "lock"), "");
  await npm(out, [a, b], 2);
  check(out);
});

test("a run that was killed while it replaced a folder by a link has lost nothing", async (context) => {
  for (const next of [(out) => npm(out, [a, b], 3), (out) => commanded(out, lines([a, b]), 3)]) {
    const out = place(context);
    commanded(out, lines([a]), 1);
    symlinkSync("public.resourcesync/2/public", join(`${out}.resourcesync`, "link"));
    renameSync(out, join(`${out}.resourcesync`, "1/public"));
    await next(out);
    check(out);
    assert.deepEqual(chain(out), ["created b 03"]);
  }
});
