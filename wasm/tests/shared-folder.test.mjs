/**
 * Random histories of one folder that the npm package, the Python package and the command publish in any order: with kills, full disks, damaged
 * and removed states, and two writers at once, no change is lost, and each is announced once. RESOURCESYNC_HISTORIES sets their number,
 * RESOURCESYNC_SEED repeats a run; the moments at which processes are killed differ in each run.
 */

import assert from "node:assert/strict";
import { existsSync, lstatSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";

import { moment, publishers } from "./histories/publishers.mjs";
import { randoms } from "./histories/random.mjs";
import { announced, BASE, Harvester, hub, listed, replayed, tree, valid } from "./histories/source.mjs";
import { Source } from "resourcesync";

const HISTORIES = Number(process.env.RESOURCESYNC_HISTORIES ?? 100);
const SEED = Number(process.env.RESOURCESYNC_SEED ?? Date.now() % 1_000_000);
const FAULTS = ["kill", "kill", "kill", "full", "damage", "remove", "two", "two", "none", "none", "none", "none"];
const PARTS = ["changes.log", "inventory.index", "changes.jsonl"];

/** Makes the state unusable; returns how to restore it. */
function damaged(folder, fault, below) {
  const state = join(`${folder}.resourcesync`, readFileSync(join(folder, ".generation"), "utf8").trim());
  if (fault === "remove") {
    // What npm published first is in its state: the folder is a link to it.
    if (lstatSync(folder).isSymbolicLink()) return undefined;
    renameSync(state, `${folder}.away`);
    return { refused: true, restore: () => renameSync(`${folder}.away`, state) };
  }
  const part = PARTS[below(PARTS.length)];
  const path = join(state, part);
  const whole = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  if (whole.length === 0) return undefined;
  const bytes = Buffer.from(whole);
  bytes[bytes.length >> 1] ^= 1;
  writeFileSync(path, bytes);
  // The changes of the open list are read only where it is written.
  return { refused: part !== "changes.jsonl", restore: () => writeFileSync(path, whole) };
}

const outbox = (folder) => `${folder}.resourcesync/outbox.jsonl`;

/** Sends what waits, as if the time had come for it. */
async function flush(folder, { uri }) {
  for (let waiting = 1, tries = 0; waiting > 0; tries++) {
    assert.ok(tries < 100, `${waiting} notifications wait`);
    if (existsSync(outbox(folder))) writeFileSync(outbox(folder), readFileSync(outbox(folder), "utf8").replaceAll(/"next":"[^"]*"/g, '"next":"2024-05-01T00:00:00.000Z"'));
    ({ waiting } = await new Source(folder, BASE, { hubs: [uri] }).publish());
  }
}

function apply(model, events) {
  const after = { ...model };
  for (const [verb, uri, length] of events) verb === "delete" ? delete after[uri] : (after[uri] = length);
  return Object.fromEntries(Object.entries(after).sort());
}

/** Random faults of steps, and what came of them. */
const seen = {};

async function history(context, top, seed, [own, others]) {
  const names = Object.keys(own);
  const { below } = randoms(seed);
  const any = (list) => list[below(list.length)];
  const folder = join(top, String(seed));
  const hearing = await hub(context, randoms(seed).below);
  const harvester = new Harvester(folder, hearing.uri);
  let model = {};

  /** Publishes with a face; returns why that failed. */
  const run = async (face, task, fault = {}, from = own) => {
    const answer = await from[face].run(task, fault);
    // The command says with its status that payloads wait for a hub.
    return answer === "published" || /payloads? waits? for .* sends again\n$/.test(answer) ? undefined : answer;
  };

  for (let step = 0; step < 6; step++) {
    const events = (first) => Array.from({ length: 1 + below(5) }, () => [below(4) === 0 ? "delete" : "upsert", `${BASE}${first + below(12)}`, 1 + below(3)]);
    const task = { folder, base: BASE, events: events(0), snapshot: any(["never", "now", "3 changes"]), rotate: 4, hubs: [hearing.uri] };
    hearing.isDown = below(4) === 0;
    const fault = any(step === 0 ? FAULTS.filter((name) => name !== "damage" && name !== "remove") : FAULTS);
    const wanted = apply(model, task.events);
    const isInventory = below(6) === 0 && Object.keys(wanted).length > 0 && fault !== "two" && own.command;
    const face = isInventory ? "command" : any(names);
    if (isInventory) task.model = wanted;
    const where = `RESOURCESYNC_SEED=${seed}, step ${step}, ${face}, ${fault}`;
    const before = step === 0 ? {} : tree(folder);
    const other = fault === "two" && { face: any(names), task: { ...task, events: events(12) } };
    const broken = fault === "damage" || fault === "remove" ? damaged(folder, fault, below) : undefined;
    const tried = fault === "kill" ? { killed: moment(face, below) } : fault === "full" ? { full: below(16) * 512 } : {};

    let [left, theirs] = await Promise.all([run(face, task, tried), other ? run(other.face, other.task, {}, others) : undefined]);
    seen[`${fault}, ${left || theirs ? "not " : ""}published`] = true;
    if (broken?.refused) assert.ok(left, where);
    if (!["kill", "full", "two"].includes(fault) && !broken) assert.equal(left, undefined, where);
    if (left && step > 0 && fault !== "two") {
      const isPublished = isDeepStrictEqual(replayed(folder), wanted);
      // A file that no list names yet may be there after a kill. What could not be written to the outbox is published.
      if (fault === "kill") assert.ok(isPublished || isDeepStrictEqual(replayed(folder), model), where);
      else if (!isPublished || !/outbox\.jsonl/.test(left)) assert.deepEqual(tree(folder), before, where);
      valid(folder);
      // It can be copied as it is, and its last change is in it.
      assert.deepEqual(await harvester.started(), isPublished ? wanted : model, where);
    }
    broken?.restore();
    // Events are stated again after a fault, which is harmless. What a process of Python left in its journal is published before others continue.
    if (left) left = await run(face === "python" || theirs ? face : any(names.filter((name) => !isInventory || name === "command")), task);
    if (theirs) theirs = await run(other.face, other.task);
    assert.deepEqual([left, theirs], [undefined, undefined], where);
    model = other ? apply(wanted, other.task.events) : wanted;
    assert.deepEqual(replayed(folder), model, where);
    assert.deepEqual([await harvester.started(), await harvester.followed()], [model, model], where);
    assert.deepEqual(await harvester.found(), ["valid"], where);
  }
  hearing.isDown = false;
  await flush(folder, hearing);
  hearing.end();
  assert.deepEqual(announced(hearing).sort(), listed(folder).sort(), `RESOURCESYNC_SEED=${seed}`);
  rmSync(folder, { recursive: true });
  rmSync(`${folder}.resourcesync`, { recursive: true });
}

test(`${HISTORIES} random histories of events on every face, with faults, lose no change, and announce each once`, { skip: process.platform === "win32" }, async (context) => {
  const top = mkdtempSync(join(tmpdir(), "resourcesync-shared-"));
  context.after(() => rmSync(top, { recursive: true, force: true }));
  // A run of all records waits for the next second.
  const lanes = Array.from({ length: 4 }, () => [publishers(context), publishers(context)]);
  context.diagnostic(`RESOURCESYNC_SEED=${SEED}, ${Object.keys(lanes[0][0])}`);
  let next = SEED;
  const ends = await Promise.allSettled(
    lanes.map(async (both) => {
      while (next < SEED + HISTORIES) await history(context, top, next++, both).catch((error) => ((next = Infinity), Promise.reject(error)));
    }),
  );
  for (const { reason } of ends) if (reason) throw reason;
  // Otherwise the faults come too early or too late to be faults.
  const faults = ["kill, not published", "kill, published", "full, not published", "damage, not published", "remove, not published", "two, published"];
  for (const wanted of HISTORIES < 100 ? [] : faults) assert.ok(seen[wanted], `${wanted}: ${Object.keys(seen)}`);
});
