/** Publishing to a folder of node: atomically, or without any change. */

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs, { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { entries, init, Publication, PublishError, RefusedError, SourceFolder, validateSync } from "resourcesync";

await init();

const BASE = "https://example.com/";
const [AT, NEXT] = ["2024-05-01T00:00:00Z", "2024-05-02T00:00:00Z"];
const resources = (count) => Array.from({ length: count }, (_, number) => ({ uri: `${BASE}${number}`, length: number }));

function place(context) {
  const folder = mkdtempSync(join(tmpdir(), "resourcesync-"));
  context.after(() => rmSync(folder, { recursive: true }));
  return join(folder, "public");
}

/** Every file below a folder, by its path. */
function tree(folder, relative = "", found = {}) {
  for (const name of readdirSync(join(folder, relative))) {
    const path = join(relative, name);
    if (statSync(join(folder, path)).isDirectory()) tree(folder, path, found);
    else found[path] = readFileSync(join(folder, path), "utf8");
  }
  return found;
}

async function publish(path, at, list, more = {}) {
  const folder = new SourceFolder(path);
  try {
    const source = new Publication(BASE, at, { store: folder, describedby: `${BASE}about.html`, maxDocumentEntries: 2, ...more });
    source.set("", `${BASE}about.html`);
    await source.resourceList(list);
    await source.changeLists(folder.previous()?.changes ?? at, [], at);
    return await source.publish();
  } finally {
    folder.close();
  }
}

test("a generation replaces the one before, and files of others stay", async (context) => {
  const path = place(context);
  await publish(path, AT, resources(5));
  assert.ok(lstatSync(path).isSymbolicLink() && existsSync(join(path, "resourcelist-3.xml")));
  writeFileSync(join(path, "index.html"), "home");
  await publish(path, NEXT, resources(1));
  assert.ok(!existsSync(join(path, "resourcelist-1.xml")));
  assert.equal(readFileSync(join(path, "index.html"), "utf8"), "home");
  // The history is stored in the same step, so the lists continue.
  assert.ok(existsSync(join(path, "changelist-1.xml")) && existsSync(join(path, "changelist-3.xml")));
  for (const [name, text] of Object.entries(tree(path))) if (name.endsWith(".xml")) assert.equal(validateSync(text).verdict, "valid", name);
  assert.deepEqual(readdirSync(`${path}.resourcesync`).sort(), ["2", "published"]);
});

test("what others change until the exchange is kept", async (context) => {
  const path = place(context);
  await publish(path, AT, resources(1));
  for (const name of ["stays", "replaced", "removed"]) writeFileSync(join(path, name), "old");
  const rename = fs.renameSync;
  context.mock.method(fs, "renameSync", (from, to) => {
    // Everything was carried over.
    if (from.endsWith("next")) {
      writeFileSync(join(path, "new"), "new");
      writeFileSync(join(path, ".replaced"), "new");
      rename(join(path, ".replaced"), join(path, "replaced"));
      unlinkSync(join(path, "removed"));
    }
    rename(from, to);
  });
  syncBuiltinESMExports();
  try {
    await publish(path, NEXT, resources(1));
  } finally {
    context.mock.restoreAll();
    syncBuiltinESMExports();
  }
  assert.deepEqual(["new", "replaced", "stays"].map((name) => readFileSync(join(path, name), "utf8")), ["new", "new", "old"]);
  assert.ok(!existsSync(join(path, "removed")) && readdirSync(path).every((name) => !name.endsWith(".late")));
});

test("links of others lead to the same files where a folder of the command becomes a link", { skip: process.platform === "win32" }, async (context) => {
  const path = place(context);
  await publish(path, AT, resources(1));
  unlinkSync(path);
  renameSync(join(`${path}.resourcesync`, "1/public"), path);
  writeFileSync(join(path, "../data"), "outside");
  mkdirSync(join(path, "below"));
  const links = { out: "../data", "below/out": "../.././data", in: "resourcelist.xml", "below/in": "../resourcelist.xml", whole: join(path, "../data") };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(path, name));
  const before = Object.keys(links).map((name) => readFileSync(join(path, name), "utf8").length > 0);
  assert.deepEqual(before, Array(5).fill(true));
  for (const at of [NEXT, "2024-05-03T00:00:00Z"]) {
    await publish(path, at, resources(1));
    assert.deepEqual(["out", "below/out", "whole"].map((name) => readFileSync(join(path, name), "utf8")), Array(3).fill("outside"));
    assert.deepEqual(["in", "below/in", "whole"].map((name) => readlinkSync(join(path, name))), [links.in, links["below/in"], links.whole]);
  }
});

test("a folder that was opened publishes once", async (context) => {
  const path = place(context);
  const folder = new SourceFolder(path);
  const begin = (at) => {
    const source = new Publication(BASE, at, { store: folder, describedby: `${BASE}about.html` });
    source.set("", `${BASE}about.html`);
    return source;
  };
  const first = begin(AT);
  await first.resourceList(resources(1));
  await first.publish();
  writeFileSync(join(path, "theirs"), "of others");
  const second = begin(NEXT);
  await assert.rejects(second.resourceList(resources(2)).then(() => second.publish()), /publishes once/);
  folder.close();
  assert.deepEqual(readdirSync(`${path}.resourcesync`).sort(), ["1", "published"]);
  await publish(path, NEXT, resources(2));
  assert.equal(readFileSync(join(path, "theirs"), "utf8"), "of others");
});

test("a publication that fails leaves the folder as it was, and a list that failed is never published", async (context) => {
  const path = place(context);
  await publish(path, AT, resources(3));
  const before = tree(path);
  const wrong = [...resources(2), { uri: "not a URI" }];
  await assert.rejects(publish(path, NEXT, wrong), RefusedError);
  await assert.rejects(publish(path, NEXT, (function* () { yield* resources(2); throw new Error("the connection is gone"); })()), /connection/);
  const folder = new SourceFolder(path);
  const source = new Publication(BASE, NEXT, { store: folder, describedby: `${BASE}about.html` });
  source.set("", `${BASE}about.html`);
  await source.resourceList(wrong).catch(() => undefined);
  await assert.rejects(source.publish(), /a part of this publication failed/);
  assert.throws(() => new SourceFolder(path), PublishError);
  folder.close();
  assert.deepEqual(tree(path), before);

  const skipped = [];
  const store = { begin() {}, write() {}, end() {} };
  const other = new Publication(BASE, NEXT, { store, describedby: `${BASE}about.html` });
  other.set("", `${BASE}about.html`);
  await other.resourceList(wrong, undefined, ({ uri }) => skipped.push(uri));
  assert.equal((await other.publish()).sets[0].resources, 2);
  assert.deepEqual(skipped, ["not a URI"]);
});

test("parts of a publication do not overlap, and nothing is published before they end", async () => {
  const store = { begin() {}, write() {}, end() {} };
  async function* slowly() {
    for (const one of resources(3)) yield await new Promise((turn) => setTimeout(turn, 1, one));
  }
  const begin = () => {
    const source = new Publication(BASE, AT, { store, describedby: `${BASE}about.html` });
    source.set("a", `${BASE}about.html`);
    return { source, list: source.resourceList(slowly()) };
  };
  const busy = /a part of this publication is being written/;
  const one = begin();
  assert.throws(() => one.source.set("b", `${BASE}about.html`), busy);
  assert.throws(() => one.source.finish(), busy);
  await one.list;
  one.source.set("b", `${BASE}about.html`);
  await one.source.resourceList(slowly());
  assert.deepEqual((await one.source.publish()).sets.map(({ resources }) => resources), [3, 3]);
  for (const part of [(source) => source.publish(), (source) => source.resourceDump([])]) {
    const { source, list } = begin();
    await assert.rejects(part(source), busy);
    await list;
    await assert.rejects(source.publish(), /a part of this publication failed/);
  }
});

test("a folder of others, a clash of names and damage are named", async (context) => {
  const path = place(context);
  await publish(path, AT, resources(1));
  writeFileSync(join(path, "changelist-3.xml"), "of others");
  await assert.rejects(publish(path, NEXT, resources(1)), /changelist-3\.xml was not published here/);
  unlinkSync(join(path, "changelist-3.xml"));
  const list = join(path, "changelist-1.xml");
  const text = readFileSync(list, "utf8");
  writeFileSync(list, text.replace("until", "x"));
  await assert.rejects(publish(path, NEXT, resources(1)), /changelist-1\.xml is damaged/);
  writeFileSync(list, text);
  const mark = join(path, ".generation");
  for (const damaged of ["v3-beta\n", "1\0\0", "", "0\n"]) {
    writeFileSync(mark, damaged);
    await assert.rejects(publish(path, NEXT, resources(1)), /\.generation does not name a generation/);
  }
  writeFileSync(mark, "1\n");
  assert.deepEqual(readdirSync(`${path}.resourcesync`).sort(), ["1", "published"]);
  writeFileSync(join(`${path}.resourcesync`, "1/state.json"), "{");
  await assert.rejects(publish(path, NEXT, resources(1)), /state\.json is damaged/);
  unlinkSync(path);
  await assert.rejects(publish(path, NEXT, resources(1)), /is not there or empty/);
});

test("a process that is killed at any moment leaves a whole generation", async (context) => {
  const path = place(context);
  const script = `
    import { Publication, SourceFolder } from "resourcesync";
    const [path, at, count] = process.argv.slice(1);
    const folder = new SourceFolder(path);
    const source = new Publication("${BASE}", at, { store: folder, describedby: "${BASE}about.html", maxDocumentEntries: 7 });
    source.set("", "${BASE}about.html");
    await source.resourceList(Array.from({ length: Number(count) }, (_, number) => ({ uri: "${BASE}" + number })));
    await source.changeLists(folder.previous()?.changes ?? at, [], at);
    await source.publish();
    folder.close();
  `;
  let [seed, killed] = [7, 0];
  let whole = -1;
  for (let round = 1; round <= 20; round++) {
    seed = (seed * 48271) % 2147483647;
    const at = `2024-05-01T00:${String(round).padStart(2, "0")}:00Z`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script, path, at, String(20 + round)], { cwd: new URL("..", import.meta.url), stdio: "ignore" });
    if (round < 20) setTimeout(() => child.kill("SIGKILL"), 60 + (seed % 150));
    const [status] = await once(child, "exit");
    if (status === null) killed++;
    if (!existsSync(path)) continue;
    let count = 0;
    for (const [name, text] of Object.entries(tree(path))) {
      if (!name.endsWith(".xml")) continue;
      assert.equal(validateSync(text).verdict, "valid", name);
      if (/^resourcelist-\d/.test(name)) for await (const _ of entries(text)) count++;
    }
    assert.ok(count === 20 + round || (status !== 0 && count === whole), `round ${round}: ${count} after ${whole}, ${status}`);
    whole = count;
  }
  assert.ok(killed > 0 && whole === 40, `${killed} killed, ${whole}`);
  assert.deepEqual(readdirSync(`${path}.resourcesync`).filter((name) => /^\d+$/.test(name) || name === "next").length, 1);
});

test("the lock of a killed process goes to one other process, and a run of the command keeps what it has begun", async (context) => {
  const path = place(context);
  const dead = String(spawnSync(process.execPath, ["-e", ""]).pid);
  const script = fileURLToPath(new URL("histories/locking.mjs", import.meta.url));
  mkdirSync(`${path}.resourcesync`);
  const lock = join(`${path}.resourcesync`, "lock.pid");
  writeFileSync(lock, dead);
  const ends = await Promise.all(Array.from({ length: 4 }, () => once(spawn(process.execPath, [script, path, dead, "60"], { stdio: "inherit" }), "exit")));
  assert.deepEqual(ends, Array(4).fill([0, null]));
  new SourceFolder(path).close();
  assert.deepEqual(readdirSync(`${path}.resourcesync`), []);

  const begun = join(`${path}.resourcesync`, "next/public/resourcelist.xml");
  mkdirSync(join(`${path}.resourcesync`, "next/public"), { recursive: true });
  writeFileSync(begun, "of the command");
  writeFileSync(join(`${path}.resourcesync`, "lock"), String(process.ppid));
  assert.throws(() => new SourceFolder(path), /another run is at work/);
  assert.ok(existsSync(begun) && !existsSync(lock));
});

test("the lock of a killed process is not that of a later process with its number", { skip: process.platform !== "linux" && "how processes began is read on Linux only" }, async (context) => {
  const path = place(context);
  const beside = (name) => join(`${path}.resourcesync`, name);
  new SourceFolder(path);
  assert.throws(() => new SourceFolder(path), /another run is at work/);
  const begun = readFileSync(beside("lock.begun"), "utf8");
  // The same process, of a container that ran before; half of such a text says nothing.
  const [boot, ticks, lock] = begun.split(" ");
  writeFileSync(beside("lock.begun"), `${boot} ${ticks - 1} ${lock.slice(0, -1)}`);
  assert.throws(() => new SourceFolder(path), /another run is at work/);
  writeFileSync(beside("lock.begun"), `${boot} ${ticks - 1} ${lock}`);
  new SourceFolder(path).close();
  // A killed run of the command had the number of a process that began later and has no lock.
  writeFileSync(beside("lock"), String(process.ppid));
  assert.throws(() => new SourceFolder(path), /another run is at work/);
  utimesSync(beside("lock"), 1e9, 1e9);
  new SourceFolder(path).close();
  const holder = spawn("flock", [beside("lock"), "sh", "-c", "echo; cat"], { stdio: ["pipe", "pipe", "inherit"] });
  await once(holder.stdout, "data");
  writeFileSync(beside("lock"), String(holder.pid));
  utimesSync(beside("lock"), 1e9, 1e9);
  assert.throws(() => new SourceFolder(path), /another run is at work/);
  holder.stdin.end();
  assert.deepEqual(readdirSync(`${path}.resourcesync`), ["lock"]);
});
