/** Publishing single changes in node: nothing else is written, nothing is lost, and the other faces continue it. */

import assert from "node:assert/strict";
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { root } from "./cases.mjs";
import { python } from "./installed.mjs";
import { publish, PublishError, readSync, RefusedError, Source, validateSync } from "resourcesync";
import { readNotification } from "resourcesync/notify";

const BASE = "https://example.com/";
const CHILD = fileURLToPath(new URL("histories/events.mjs", import.meta.url));
const HISTORIES = Number(process.env.RESOURCESYNC_HISTORIES ?? 16);
const SEED = Number(process.env.RESOURCESYNC_SEED ?? Date.now() % 1_000_000);
const resource = (name, length) => ({ uri: `${BASE}${name}`, length });

function place(context) {
  const folder = mkdtempSync(join(tmpdir(), "resourcesync-source-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "public");
}

/** Every published file, by its path. */
function tree(folder, relative = "", found = {}) {
  for (const name of readdirSync(join(folder, relative))) {
    const path = join(relative, name);
    if (statSync(join(folder, path)).isDirectory()) tree(folder, path, found);
    else found[path] = readFileSync(join(folder, path), "utf8");
  }
  return found;
}

/** The resources of the Resource List after all changes. */
function replayed(folder) {
  const read = (name) => readSync(readFileSync(join(folder, name)));
  const lists = read("resourcelist.xml");
  const found = new Map(lists.entries.map(({ uri, length }) => [uri, length]));
  const since = lists.head?.at ?? "1970";
  const first = read("changelist.xml");
  const changes = first.kind === "change-list-index" ? first.entries.flatMap(({ uri }) => read(uri.slice(BASE.length)).entries) : first.entries;
  for (const { change, uri, length, datetime } of changes) {
    // Their texts have no order: with and without fractions of a second.
    if (Date.parse(datetime) <= Date.parse(since)) continue;
    if (change === "deleted") found.delete(uri);
    else found.set(uri, length);
  }
  return Object.fromEntries([...found].sort());
}

/** Every change in the Change Lists. */
function listed(folder) {
  const read = (name) => readSync(readFileSync(join(folder, name)));
  const first = read("changelist.xml");
  const entries = first.kind === "change-list-index" ? first.entries.flatMap(({ uri }) => read(uri.slice(BASE.length)).entries) : first.entries;
  return entries.map(({ change, uri, datetime }) => `${change} ${uri} ${datetime}`);
}

/** A hub that accepts, refuses for now, or never answers; equal bytes are accepted once. */
async function hub(context, below) {
  const own = { payloads: [], isDown: false };
  const server = createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      if (own.isDown) return response.writeHead(503).end();
      const body = Buffer.concat(parts);
      if (request.headers.link.includes("/changes.xml>") && !own.payloads.some((other) => other.equals(body))) own.payloads.push(body);
      // What a killed process, or one without an answer, had sent comes again.
      if (below(6) === 0) request.socket.destroy();
      else response.end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => (server.close(), server.closeAllConnections()));
  own.uri = `http://127.0.0.1:${server.address().port}/`;
  return own;
}

/** Sends what waits, as if the time had come for it. */
async function flush(folder, { uri }) {
  const outbox = `${folder}.resourcesync/outbox.jsonl`;
  for (let waiting = 1, tries = 0; waiting > 0; tries++) {
    assert.ok(tries < 100, `${waiting} notifications wait`);
    if (existsSync(outbox)) writeFileSync(outbox, readFileSync(outbox, "utf8").replaceAll(/"next":"[^"]*"/g, '"next":"2024-05-01T00:00:00.000Z"'));
    ({ waiting } = await new Source(folder, BASE, { hubs: [uri] }).publish());
  }
}

/** True if payloads wait in the outbox. */
function waits(folder) {
  const outbox = `${folder}.resourcesync/outbox.jsonl`;
  return existsSync(outbox) && readFileSync(outbox, "utf8").includes('"next":');
}

/** The changes that were announced: the intervals are contiguous, and no change is announced twice. */
function announced({ payloads }) {
  const all = payloads.map((body) => readNotification(body, "change-notification"));
  for (const [place, { report, from }] of all.entries()) {
    assert.equal(report, undefined);
    if (place > 0) assert.equal(from, all[place - 1].until);
  }
  return all.flatMap(({ changes }) => changes.map(({ change, uri, datetime }) => `${change} ${uri} ${datetime}`));
}

function valid(folder) {
  for (const [name, text] of Object.entries(tree(folder))) if (text !== "" && (name.endsWith(".xml") || name.endsWith("resourcesync"))) assert.equal(validateSync(text).verdict, "valid", name);
}

test("a change is published in the open Change List, and nothing else is written", async (context) => {
  const folder = place(context);
  const source = new Source(folder, BASE, { snapshot: "never" });
  for (let number = 0; number < 300; number++) source.upsert(resource(number, number));
  assert.deepEqual(await source.publish().then(({ resources, changes, changed }) => [resources, changes.length, changed]), [300, 0, true]);
  const before = tree(folder);
  source.upsert(resource("7", 77));
  source.upsert(resource("new", 1));
  source.upsert(resource("8", 8));
  source.delete(`${BASE}9`);
  source.delete(`${BASE}unknown`);
  const done = await source.publish();
  assert.deepEqual([done.created, done.updated, done.deleted, done.unchanged, done.resources], [1, 1, 1, 2, 300]);
  assert.deepEqual(done.written, ["changelist.xml"]);
  const after = tree(folder);
  assert.deepEqual(Object.keys(after).filter((name) => after[name] !== before[name]), ["changelist.xml"]);
  valid(folder);
  assert.equal((await source.publish()).changed, false);
  assert.deepEqual([replayed(folder)[`${BASE}7`], replayed(folder)[`${BASE}9`]], [77, undefined]);
  // A snapshot has the same resources.
  const found = replayed(folder);
  await source.publish({ snapshot: "now" });
  assert.deepEqual(Object.fromEntries(readSync(readFileSync(join(folder, "resourcelist.xml"))).entries.map(({ uri, length }) => [uri, length])), found);
  // A full inventory finds what events missed.
  const reconciled = await source.reconcile([...Object.entries(found).map(([uri, length]) => ({ uri, length })), resource("missed", 5)]);
  assert.deepEqual([reconciled.created, reconciled.updated, reconciled.deleted], [1, 0, 0]);
  valid(folder);
});

test("a batch is stated as a whole, and what failed remains", async (context) => {
  const folder = place(context);
  const source = new Source(folder, BASE);
  source.upsert(resource("a", 1));
  assert.throws(() => source.batch((batch) => { batch.upsert(resource("b", 1)); throw new Error("no"); }), /no/);
  assert.throws(() => source.batch((batch) => { batch.upsert(resource("b", 1)); batch.upsert({ uri: "not a URI" }); }), RefusedError);
  await assert.rejects(source.batch(async (batch) => { batch.upsert(resource("b", 1)); await null; throw new Error("later"); }), /later/);
  assert.equal(source.pending, 1);
  assert.equal(source.batch((batch) => (batch.upsert(resource("b", 1)), batch.delete(`${BASE}a`), 7)), 7);
  mkdirSync(folder);
  writeFileSync(join(folder, "other"), "of others");
  await assert.rejects(source.publish(), PublishError);
  assert.equal(source.pending, 3);
  rmSync(folder, { recursive: true });
  const [one, two] = await Promise.all([source.publish(), source.publish()]);
  assert.deepEqual([one.resources, two.changed, source.pending], [1, false, 0]);
  assert.throws(() => new Source(folder, BASE, { hub: "x" }), /did you mean `hubs`/);
});

test("a publication that was interrupted is completed or withdrawn, and a damaged state is refused", async (context) => {
  const folder = place(context);
  const source = new Source(folder, BASE, { snapshot: "never" });
  source.upsert(resource("a", 1));
  await source.publish();
  const known = `${folder}.resourcesync/1`;
  const log = join(known, "changes.log");
  source.upsert(resource("b", 2));
  await source.publish();
  // What was staged, and in the log, is put into its place.
  mkdirSync(join(known, "staged.1/public"), { recursive: true });
  renameSync(join(folder, "changelist.xml"), join(known, "staged.1/public/changelist.xml"));
  source.upsert(resource("c", 3));
  await source.publish();
  assert.deepEqual(replayed(folder), { [`${BASE}a`]: 1, [`${BASE}b`]: 2, [`${BASE}c`]: 3 });
  // What was staged, and is not in the log to its end, is removed.
  const whole = readFileSync(log);
  mkdirSync(join(known, "staged.3/public"), { recursive: true });
  writeFileSync(join(known, "staged.3/public/changelist.xml"), "half");
  appendFileSync(log, '{"publication":3,');
  source.upsert(resource("d", 4));
  await source.publish();
  assert.ok(!existsSync(join(known, "staged.3")) && readFileSync(log).subarray(0, whole.length).equals(whole));
  assert.equal(replayed(folder)[`${BASE}d`], 4);
  valid(folder);
  for (const name of ["changes.log", "inventory.index", "changes.jsonl", "inventory.jsonl"]) {
    const text = readFileSync(join(known, name));
    const before = tree(folder);
    writeFileSync(join(known, name), Buffer.concat([text.subarray(0, -9), Buffer.from("damaged!\n")]));
    source.upsert(resource("a", 9));
    await assert.rejects(source.publish(), /damaged/, name);
    assert.deepEqual(tree(folder), before);
    writeFileSync(join(known, name), text);
  }
  assert.equal((await source.publish()).updated, 1);
});

test("a folder of records is continued by events, and by records again", async (context) => {
  const folder = place(context);
  await publish(folder, BASE, [resource("a", 1), resource("b", 1)], { at: "2024-05-01T00:00:00Z" });
  const [index, own] = ["inventory.index", "state.json"].map((name) => `${folder}.resourcesync/1/${name}`);
  rmSync(index);
  const source = new Source(folder, BASE);
  source.delete(`${BASE}unknown`);
  await assert.rejects(source.publish(), /inventory.index is damaged/);
  // Earlier versions had none.
  const state = JSON.parse(readFileSync(own, "utf8"));
  delete state.parts["inventory.index"];
  writeFileSync(own, JSON.stringify(state));
  source.upsert(resource("c", 1), { at: new Date("2024-05-02T00:00:00Z") });
  const done = await source.publish({ at: "2024-05-03T00:00:00Z", snapshot: "never" });
  assert.deepEqual([done.at, done.changes[0].datetime], ["2024-05-02T00:00:00Z", "2024-05-02T00:00:00Z"]);
  const again = await publish(folder, BASE, [resource("a", 1), resource("b", 2), resource("c", 1)]);
  assert.deepEqual([again.created, again.updated, again.deleted], [0, 1, 0]);
  valid(folder);
});

test("an event in the second of a run of all records comes after it", async (context) => {
  const folder = place(context);
  await publish(folder, BASE, [resource("a", 1), resource("b", 1)], { at: "2024-05-01T00:00:10Z" });
  const source = new Source(folder, BASE, { snapshot: "never" });
  source.delete(`${BASE}a`);
  await source.publish({ at: "2024-05-01T00:00:10.950Z" });
  assert.deepEqual(replayed(folder), { [`${BASE}b`]: 1 });
});

test("events that wait in the journal of another program are published first", async (context) => {
  const folder = place(context);
  const source = new Source(folder, BASE);
  source.upsert(resource("a", 1));
  await source.publish();
  writeFileSync(`${folder}.resourcesync/journal`, "waiting");
  source.upsert(resource("a", 2));
  await assert.rejects(source.publish(), /wait in .*journal/);
  await assert.rejects(publish(folder, BASE, [resource("a", 2)]), /wait in .*journal/);
  rmSync(`${folder}.resourcesync/journal`);
  assert.equal((await source.publish()).updated, 1);
});

/** The other faces that are there: the command, and the Python package after its tests. */
function others() {
  const command = process.env.RESOURCESYNC ?? join(root, "target/debug/resourcesync");
  return { ...(existsSync(command) && { command }), ...(python && { python }) };
}

const PYTHON = `
import json, sys
import resourcesync as rs
task = json.loads(sys.argv[1])
source = rs.Source(task["folder"], task["base"], rotate=4, hubs=task["hubs"])
with source.batch() as batch:
    for verb, uri, length in task["events"]:
        batch.delete(uri) if verb == "delete" else batch.upsert(rs.Resource(uri, length=length))
source.publish(snapshot=task["snapshot"])
`;

/** Starts a face that publishes events, or all records. */
function start(face, path, { folder, base, events, snapshot, rotate, hubs, model }) {
  if (face === "npm") {
    const child = fork(CHILD, { stdio: "ignore" });
    child.send({ folder, base, events, snapshot, rotate, hubs });
    return child;
  }
  if (face === "python") return spawn(path, ["-c", PYTHON, JSON.stringify({ folder, base, events, snapshot, hubs })], { stdio: "ignore" });
  const own = ["build", "--quiet", "--base-uri", base, "--out", folder, "--rotate", String(rotate), ...hubs.flatMap((hub) => ["--hub", hub, "--allow-host", new URL(hub).host])];
  const change = ([verb, uri, length]) => (verb === "delete" ? `deleted,${uri},` : `upsert,${uri},${length}`);
  const rows = model ? ["uri,length", ...Object.entries(model).map(([uri, length]) => `${uri},${length}`)] : ["change,uri,length", ...events.map(change)];
  const input = model ? ["--from-csv", "-", "--max-delete", "100%"] : ["--changes", "-", "--snapshot", snapshot];
  const child = spawn(path, [...own, ...input], { stdio: ["pipe", "ignore", "ignore"] });
  child.stdin.on("error", () => undefined);
  child.stdin.end(`${rows.join("\n")}\n`);
  return child;
}

test(`${HISTORIES} random histories of events on every face, with kills, lose no change, and announce each once`, { skip: process.platform === "win32" }, async (context) => {
  const paths = { npm: "", ...others() };
  context.diagnostic(`RESOURCESYNC_SEED=${SEED}, ${Object.keys(paths)}`);
  const top = place(context);
  let state = SEED;
  const below = (count) => (state = (state * 1103515245 + 12345) % 2147483648) % count;
  for (let number = 0; number < HISTORIES; number++) {
    const folder = `${top}-${number}`;
    const own = await hub(context, below);
    const model = {};
    for (let step = 0; step < 6; step++) {
      const events = Array.from({ length: 1 + below(5) }, () => [below(4) === 0 ? "delete" : "upsert", `${BASE}${below(12)}`, 1 + below(3)]);
      for (const [verb, uri, length] of events) verb === "delete" ? delete model[uri] : (model[uri] = length);
      const task = { folder, base: BASE, events, snapshot: ["never", "now", "3 changes"][below(3)], rotate: 4, hubs: [own.uri] };
      own.isDown = below(4) === 0;
      const where = `RESOURCESYNC_SEED=${SEED}, history ${number}, step ${step}`;
      const faces = Object.keys(paths);
      // Events are stated again after a kill, which is harmless. The journal of a killed process is published before other faces continue.
      for (let tries = 0, face = faces[below(faces.length)], status; status !== 0; tries++) {
        assert.ok(tries < 3, `${where}: ${face} ended with ${status}`);
        const isInventory = face === "command" && below(3) === 0 && Object.keys(model).length > 0;
        const child = start(face, paths[face], isInventory ? { ...task, model } : task);
        const timer = tries === 0 && below(2) === 0 ? setTimeout(() => child.kill("SIGKILL"), 10 + below(face === "npm" ? 170 : 120)) : undefined;
        [status] = await once(child, "exit");
        clearTimeout(timer);
        // The command says with its status that payloads wait for a hub.
        if (face === "command" && status === 2 && waits(folder)) status = 0;
        if (status !== 0 && face !== "python") face = faces[below(faces.length)];
      }
      assert.deepEqual(replayed(folder), Object.fromEntries(Object.entries(model).sort()), where);
      valid(folder);
    }
    own.isDown = false;
    await flush(folder, own);
    assert.deepEqual(announced(own).sort(), listed(folder).sort(), `RESOURCESYNC_SEED=${SEED}, history ${number}`);
    rmSync(folder, { force: true, recursive: true });
    rmSync(`${folder}.resourcesync`, { recursive: true });
  }
});
