/** Publishing single changes in node: nothing else is written, and what was interrupted is completed or withdrawn. */

import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { BASE, replayed, tree, valid } from "./histories/source.mjs";
import { publish, PublishError, readSync, RefusedError, Source } from "resourcesync";

const resource = (name, length) => ({ uri: `${BASE}${name}`, length });

function place(context) {
  const folder = mkdtempSync(join(tmpdir(), "resourcesync-source-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "public");
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

test("what could not be published with the others is refused when it is stated", async (context) => {
  const folder = place(context);
  const source = new Source(folder, BASE);
  for (const name of ["changelist.xml", "resourcelist-2.xml", "about.html", ".well-known/resourcesync", "notifications/changes.xml"]) {
    assert.throws(() => source.upsert(resource(name, 1)), /has the URI of a document of the Source/, name);
    await assert.rejects(publish(folder, BASE, [resource(name, 1)]), /has the URI of a document of the Source/, name);
  }
  source.upsert(resource("changes.xml", 1));
  assert.throws(() => source.upsert(resource("b", 1), { set: "books" }), PublishError);
  await source.publish();
  assert.throws(() => source.batch((batch) => { batch.upsert(resource("b", 1)); batch.upsert(resource("c", 1), { set: "books" }); }), PublishError);
  assert.equal(source.pending, 0);
  // Another program knows what is published before its first event.
  const other = new Source(folder, BASE);
  assert.throws(() => other.upsert(resource("b", 1), { set: "books" }), PublishError);
  other.upsert(resource("b", 1));
  assert.equal((await other.publish()).created, 1);
  const inSets = new Source(`${folder}-sets`, BASE);
  assert.throws(() => inSets.batch((batch) => { batch.upsert(resource("1", 1)); batch.upsert(resource("a", 1), { set: "books" }); }), PublishError);
  inSets.upsert(resource("a", 1), { set: "books" });
  assert.throws(() => inSets.upsert(resource("books/capabilitylist.xml", 1), { set: "books" }), /a document of the Source/);
  await inSets.publish();
  assert.throws(() => inSets.delete(`${BASE}a`), PublishError);
  valid(`${folder}-sets`);
});

test("a batch is stated as a whole, and what failed remains", async (context) => {
  const folder = place(context);
  const source = new Source(folder, BASE);
  source.upsert(resource("a", 1));
  assert.throws(() => source.batch((batch) => { batch.upsert(resource("b", 1)); throw new Error("no"); }), /no/);
  assert.throws(() => source.batch((batch) => { batch.upsert(resource("b", 1)); batch.upsert({ uri: "not a URI" }); }), RefusedError);
  await assert.rejects(source.batch(async (batch) => { batch.upsert(resource("b", 1)); await null; throw new Error("later"); }), /later/);
  assert.equal(source.pending, 1);
  // A query builder is a thenable that begins when it is waited for.
  let left;
  const query = (batch) => ({ then: (done, fail) => Promise.resolve(((left = batch), batch.upsert(resource("c", 1)))).then(done, fail) });
  await source.batch(query);
  assert.equal(source.pending, 2);
  assert.throws(() => left.upsert(resource("d", 1)), /the batch is over/);
  assert.equal(source.batch((batch) => (batch.upsert(resource("b", 1)), batch.delete(`${BASE}a`), 7)), 7);
  mkdirSync(folder);
  writeFileSync(join(folder, "other"), "of others");
  await assert.rejects(source.publish(), PublishError);
  assert.equal(source.pending, 4);
  rmSync(folder, { recursive: true });
  const [one, two] = await Promise.all([source.publish(), source.publish()]);
  assert.deepEqual([one.resources, two.changed, source.pending], [2, false, 0]);
  assert.throws(() => new Source(folder, BASE, { hub: "x" }), /did you mean `hubs`/);
});

test("a batch has each record as it was given", async (context) => {
  const source = new Source(place(context), BASE);
  const one = { uri: "", length: 1 };
  source.batch((batch) => { for (const name of ["a", "b", "c"]) { one.uri = `${BASE}${name}`; batch.upsert(one); } });
  assert.equal((await source.publish()).resources, 3);
  assert.throws(() => source.batch((batch) => batch.upsert(resource("d", 1), { Set: "x" })), /did you mean `set`/);
  for (const change of [{ change: "deleted" }, { datetime: "2024-05-01T00:00:00Z" }]) assert.throws(() => source.upsert({ ...resource("a", 1), ...change }), /is a change/);
  assert.equal(source.pending, 0);
});

test("what a class has in getters is published", async (context) => {
  const folder = place(context);
  class Row {
    constructor(name) { this.name = name; }
    get uri() { return `${BASE}${this.name}`; }
    get length() { return 7; }
  }
  const source = new Source(folder, BASE);
  source.upsert(Object.create(new Row("a")));
  await source.publish();
  assert.deepEqual(replayed(folder), { [`${BASE}a`]: 7 });
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

test("no other run publishes while all records are read, which would be undone", async (context) => {
  const folder = place(context);
  const source = new Source(folder, BASE);
  source.upsert(resource("a", 1));
  await source.publish();
  const other = new Source(folder, BASE, { wait: 20 });
  other.upsert(resource("b", 1));
  await source.reconcile((async function* () {
    yield resource("a", 1);
    await assert.rejects(other.publish(), /another run is at work/);
  })());
  await other.publish();
  assert.deepEqual(replayed(folder), { [`${BASE}a`]: 1, [`${BASE}b`]: 1 });
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
