/**
 * Random histories of publishing with faults: no change is lost, and no generation is invalid. RESOURCESYNC_HISTORIES sets their number,
 * RESOURCESYNC_SEED repeats a run; the moments at which processes are killed differ in each run.
 */

import assert from "node:assert/strict";
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { randoms } from "./histories/random.mjs";
import { GuardError, publish, PublishError, readSync, RefusedError, validateSync } from "resourcesync";

const BASE = "https://example.com/";
const CHILD = fileURLToPath(new URL("histories/child.mjs", import.meta.url));
const HISTORIES = Number(process.env.RESOURCESYNC_HISTORIES ?? 16);
const SEED = Number(process.env.RESOURCESYNC_SEED ?? Date.now() % 1_000_000);

function place(context) {
  const folder = mkdtempSync(join(tmpdir(), "resourcesync-histories-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const records = (model) => Object.entries(model).map(([uri, version]) => ({ uri, length: version, hashes: { md5: version.toString(16).padStart(32, "0") } }));

/** The published resources with their versions, and all changes; nothing if there is no list. */
function published(folder) {
  const read = (name) => readSync(readFileSync(join(folder, name)));
  if (!existsSync(join(folder, "resourcelist.xml"))) return undefined;
  const resources = Object.fromEntries(read("resourcelist.xml").entries.map(({ uri, length }) => [uri, length]));
  const first = read("changelist.xml");
  const lists = first.kind === "change-list-index" ? first.entries.map(({ uri }) => read(uri.slice(BASE.length))) : [first];
  return { resources, changes: lists.flatMap(({ entries }) => entries.map(({ change, uri, length }) => ({ change, uri, length }))) };
}

/** A process that publishes, until it is killed. */
class Publisher {
  #child;

  /** Publishes, and kills the process after a time; true if it succeeded. */
  async run(task, killedAfter) {
    this.#child ??= fork(CHILD, { stdio: "ignore" });
    const child = this.#child;
    const over = new AbortController();
    const heard = (event) => once(child, event, { signal: over.signal }).catch(() => new Promise(() => undefined));
    const answer = Promise.race([heard("message"), heard("exit").then(() => [false])]);
    child.send(task);
    const timer = killedAfter === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killedAfter);
    const [succeeded] = await answer;
    over.abort();
    clearTimeout(timer);
    if (killedAfter !== undefined) {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      this.#child = undefined;
    }
    return succeeded;
  }

  end() {
    this.#child?.kill();
  }
}

/** Publishes where files cannot be larger than some KiB, as on a full disk. */
async function whileFull(task, kib) {
  const child = spawn("bash", ["-c", `ulimit -f ${kib}; exec "$0" "$1" "$2"`, process.execPath, CHILD, JSON.stringify(task)], { stdio: "ignore" });
  const [status] = await once(child, "exit");
  return status === 0;
}

test(`${HISTORIES} random histories with faults lose no change`, async (context) => {
  context.diagnostic(`RESOURCESYNC_SEED=${SEED}`);
  const publisher = new Publisher();
  context.after(() => publisher.end());
  const top = place(context);
  const seen = {};
  for (let number = 0; number < HISTORIES; number++) {
    const { chance, below } = randoms(SEED + number);
    const folder = join(top, `public-${number}`);
    const model = { [`${BASE}always`]: 1 };
    let baseline;
    for (let step = 1; step <= 4; step++) {
      for (let changed = below(5); changed > 0; changed--) model[`${BASE}${below(20)}`] = number * 10 + step + 1;
      const uris = Object.keys(model).filter((uri) => !uri.endsWith("always"));
      if (uris.length > 2) delete model[uris[below(uris.length)]];
      const faults = ["none", "kill", "kill", "full", "raise", "empty", "clock"].filter((name) => name !== "full" || process.platform !== "win32");
      const fault = step === 4 ? "none" : faults[below(faults.length)];
      const where = `RESOURCESYNC_SEED=${SEED}, history ${number}, step ${step}, ${fault}`;
      const at = fault === "clock" ? "2024-05-01T00:00:00Z" : `2024-05-01T00:0${step}:00Z`;
      const task = { folder, base: BASE, at, fault, records: fault === "empty" ? [] : records(model) };
      const before = published(folder);
      const moment = chance();
      const succeeded = fault === "full" ? await whileFull(task, Math.floor(moment * 5)) : await publisher.run(task, fault === "kill" ? moment * 40 : undefined);
      const after = published(folder);
      seen[`${fault} ${succeeded ? "published" : "not published"}`] = true;
      if (!after) {
        assert.ok(!succeeded, where);
        continue;
      }
      baseline ??= after.resources;
      if (succeeded) assert.deepEqual(after.resources, fault === "empty" ? {} : model, where);
      else {
        assert.notEqual(fault, "none", where);
        const isOld = JSON.stringify(after) === JSON.stringify(before);
        if (!isOld) {
          assert.ok(fault === "kill" || fault === "full", where);
          assert.deepEqual(after.resources, model, where);
        }
      }
      const copy = { ...baseline };
      for (const { change, uri, length } of after.changes) {
        if (change === "deleted") delete copy[uri];
        else copy[uri] = length;
      }
      assert.deepEqual(copy, after.resources, where);
    }
    const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".xml") || name.endsWith("resourcesync"));
    for (const name of names) assert.equal(validateSync(readFileSync(join(folder, name))).verdict, "valid", `history ${number}: ${name}`);
    rmSync(folder, { force: true });
    rmSync(`${folder}.resourcesync`, { recursive: true });
  }
  // Otherwise the faults come too early or too late to be faults.
  for (const wanted of ["none published", ...(HISTORIES < 100 ? [] : ["kill not published", "full not published"])]) assert.ok(seen[wanted], `${wanted}: ${Object.keys(seen)}`);
});

test("records are published with what changed, and the guards protect what is published", async (context) => {
  const folder = join(place(context), "public");
  const some = (count, version = 1) => Array.from({ length: count }, (_, number) => ({ uri: `${BASE}${number}`, length: version, lastmod: "2024-05-01T12:00:00Z" }));
  const at = (day) => ({ at: `2024-05-0${day}T00:00:00Z` });
  assert.equal((await publish(folder, BASE, [], at(1))).resources, 0);
  const first = await publish(folder, BASE, some(40), at(2));
  assert.deepEqual([first.created, first.updated, first.deleted], [40, 0, 0]);
  assert.deepEqual((await publish(folder, BASE, some(40), at(3))).changed, false);
  // The change happened when the resource was modified, if that is after the last run.
  assert.equal(readSync(readFileSync(join(folder, "changelist.xml"))).entries[0].datetime, "2024-05-01T12:00:00Z");
  const before = published(folder);
  await assert.rejects(publish(folder, BASE, [], at(4)), (error) => error instanceof GuardError && /40 of 40 published resources would be deleted; .* maxDelete: 40/.test(error.message));
  await assert.rejects(publish(folder, BASE, some(39), { ...at(4), expectEntries: 40 }), /39 entries, not 40 \(expectEntries\)/);
  await assert.rejects(publish(folder, BASE, [...some(40), { uri: "not a URI" }], at(4)), RefusedError);
  await assert.rejects(publish(folder, BASE, { own: some(40) }, { ...at(4), maxDelete: "100%" }), /every resource is in a set, but the folder was published without sets/);
  await assert.rejects(publish(folder, BASE, [...some(40), ...some(1)], at(4)), (error) => error instanceof RefusedError && error.diagnostic.code === "RL-13");
  await assert.rejects(publish(folder, "https://example.org/", some(40), at(4)), /baseUri is https:\/\/example\.org\//);
  await assert.rejects(publish(folder, BASE, some(40), { ...at(4), maxDelete: "many" }), /maxDelete: `many` is not a number/);
  assert.deepEqual(published(folder), before);
  const refused = [];
  const onRefused = ({ uri }) => refused.push(uri);
  const last = await publish(folder, BASE, [...some(10, 2), { uri: "not a URI" }], { ...at(4), maxDelete: "75%", onRefused });
  assert.deepEqual([last.updated, last.deleted, last.refused, refused], [10, 0, 1, ["not a URI"]]);
  assert.match(last.warnings[0], /30 published resources are missing but stay published/);
  const after = await publish(folder, BASE, some(10, 2), { at: "2024-05-04T01:00:00Z", maxDelete: "75%" });
  assert.deepEqual([after.deleted, after.changes.length, after.changes[0].change, after.changes[0].set], [30, 30, "deleted", ""]);
  const state = join(`${folder}.resourcesync`, readdirSync(`${folder}.resourcesync`).find((name) => /^\d+$/.test(name)), "changes.jsonl");
  rmSync(state);
  await assert.rejects(publish(folder, BASE, some(10), at(5)), (error) => error instanceof PublishError && /changes\.jsonl is damaged/.test(error.message));
});

test("what is published of a refused record stays", async (context) => {
  const folder = join(place(context), "public");
  const at = (day) => `2024-05-0${day}T00:00:00Z`;
  const [first, second, third] = [1, 2, 3].map((number) => ({ uri: `${BASE}${number}`, length: number }));
  await publish(folder, BASE, [first, second, third], { at: at(1) });
  const refused = [];
  const onRefused = ({ uri }, { diagnostic }) => refused.push([uri, diagnostic.code]);
  const wrong = { uri: second.uri, hashes: { md5: "not a digest" } };
  const night = await publish(folder, BASE, [first, wrong, { uri: `${BASE}new`, hashes: { md5: "x" } }], { at: at(2), onRefused });
  assert.deepEqual([night.created, night.updated, night.deleted, night.refused, night.resources], [0, 0, 1, 2, 2]);
  assert.deepEqual(night.changes, [{ change: "deleted", uri: third.uri, set: "", datetime: at(2) }]);
  assert.equal((await publish(folder, BASE, [first, second], { at: at(3) })).changed, false);
  // Given twice: the first one counts.
  refused.length = 0;
  const twice = await publish(folder, BASE, [first, second, { ...second, length: 9 }], { at: at(3), onRefused });
  assert.deepEqual([twice.changed, twice.refused, refused], [false, 1, [[second.uri, "RL-13"]]]);
  assert.equal((await publish(folder, BASE, { a: [first], b: [first] }, { at: at(1), force: true }).catch((error) => error)).code, "PUBLISH");
  for (const uri of ["not a URI", `${BASE}a b`, ""]) {
    const unknown = await publish(folder, BASE, [first, { uri }], { at: at(4), onRefused });
    assert.deepEqual([unknown.changed, unknown.deleted, unknown.resources], [false, 0, 2]);
    assert.equal(unknown.warnings.length, 1);
  }
  assert.equal((await publish(folder, BASE, [first], { at: at(4) })).deleted, 1);
});

test("sets, rotation and retention", async (context) => {
  const folder = join(place(context), "public");
  for (let day = 1; day <= 6; day++) {
    const own = { a: [{ uri: `${BASE}a`, length: day }], b: (async function* () { yield { uri: `${BASE}b`, length: day }; })() };
    await publish(folder, BASE, own, { at: `2024-05-0${day}T00:00:00Z`, rotate: 2, keep: 1, describedby: `${BASE}about` });
  }
  const lists = (set) => readdirSync(join(folder, set)).filter((name) => name.startsWith("changelist")).sort();
  assert.deepEqual([lists("a"), lists("b")], [["changelist-2.xml", "changelist-3.xml", "changelist.xml"], ["changelist-2.xml", "changelist-3.xml", "changelist.xml"]]);
  const { created, updated, deleted } = await publish(folder, BASE, { a: [{ uri: `${BASE}a`, length: 6 }] }, { at: "2024-05-08T00:00:00Z", describedby: `${BASE}about` });
  assert.deepEqual([created, updated, deleted], [0, 0, 1]);
});
