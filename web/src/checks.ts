// The last checks: in memory for Back and Forward, and in the browser's database for a reload, unless the user has disabled that.

import type { Told } from "./engine/told.js";
import { sizeOf } from "./sizes.js";
import type { Given, Report, Settings, State } from "./state.js";
import { slices, turn } from "./turn.js";

/** A finished check, or the report of another command. */
export interface Check {
  id: number;
  phase: Finished;
  given: readonly Given[];
  settings: Settings;
}

type Finished = Extract<State["phase"], { at: "done" | "told" }>;

/** The fields of a check shown in the list. */
export interface Summary {
  id: number;
  name: string;
  files: number;
  verdict: Report["verdict"];
  afterFilters?: true;
  /** It is the report of this command. */
  told?: Told["command"];
}

/** A check in the database; its findings and files follow in parts, since storing thousands at once would block the page. */
interface Part {
  found: Report["diagnostics"];
  given: readonly Given[];
}

/** The maximum number of checks in the database. */
const MOST = 10;
/** The maximum bytes of files, and inputs of a report, stored with a check. */
const FILES = 16 << 20;
const INPUTS = 20_000;

/** Findings and files of a part. */
const FOUND = 500;
const GIVEN = 50;

const session = new Map<number, Check>();
/** What the database lists, as far as it comes from this page. */
const listed = new Map<number, Summary>();
/** What is in the database, or on its way. */
const stored = new Map<number, Report | Told>();
let last = 0;

/** The id of a new check: its start time, made unique. */
export function nextId(): number {
  return (last = Math.max(Date.now(), last + 1));
}

/** Stores the displayed check, unless it is already stored. */
export async function keep(state: State): Promise<void> {
  const { phase, check: id, given, settings } = state;
  if ((phase.at !== "done" && phase.at !== "told") || id === null || stored.get(id) === shownIn(phase)) return;
  session.set(id, { id, phase, given, settings });
  if (!state.keep) return;
  stored.set(id, shownIn(phase));
  const report = phase.at === "done" ? phase.report : null;
  const diagnostics = report?.diagnostics ?? [];
  // A large report is shown first; a small one is stored before a reload can come.
  if (diagnostics.length > FOUND) await turn();
  const size = await sizeOf(given);
  // A report opened from a file is rendered from that file.
  if (size > FILES && phase.at === "done" && phase.opened) return;
  if (report && report.inputs.length + (report.skipped?.length ?? 0) > INPUTS) return;
  const found = [...slices(diagnostics, FOUND)].map((found): Part => ({ found, given: [] }));
  const summary = summaryOf(id, phase, given);
  listed.set(id, summary);
  // An edited text has the id of the check before: a reload finds all of the one or all of the other.
  const write = (given: readonly Given[]) => changed(["summaries", "checks"], async (store, commit) => {
    const checks = store("checks");
    checks.delete(IDBKeyRange.bound([id], [id, Infinity]));
    checks.put({ id, phase: withFindings(phase, []), given: [], settings } satisfies Check);
    store("summaries").put(summary);
    const parts = [...found, ...[...slices(given, GIVEN)].map((given): Part => ({ found: [], given }))];
    for (const [at, part] of parts.entries()) {
      const stored = done(checks.put({ id: [id, at], ...part }));
      // A few are stored even if a reload comes at once; thousands at once would block the page.
      if (at > 1) await stored;
      else stored.catch(() => undefined);
    }
    commit();
    return true;
  });
  const isWhole = size <= FILES && given.length > 0 && (await storesFiles()) && (await write(given));
  if (!isWhole) await write([]);
  await prune();
}

function shownIn(phase: Finished): Report | Told {
  return phase.at === "done" ? phase.report : phase.told;
}

function withFindings(phase: Finished, diagnostics: Report["diagnostics"]): Finished {
  return phase.at === "done" ? { ...phase, report: { ...phase.report, diagnostics } } : phase;
}

function summaryOf(id: number, phase: Finished, given: readonly Given[]): Summary {
  const file = given[0]?.name ?? "";
  if (phase.at === "told") return { id, name: file, files: 1, verdict: phase.told.look, told: phase.told.command };
  const { inputs, verdict, afterFilters } = phase.report;
  const all = inputs.filter(({ parent }) => parent === undefined);
  return { id, name: all[0]?.name ?? file, files: all.length, verdict, ...(afterFilters && { afterFilters }) };
}

/** The id of the record that shows whether files are stored. */
const PROBE = 0;
let probed: Promise<boolean> | null = null;

/** Whether the browser stores files. In private windows WebKit does not: there a transaction in which a file follows other records never ends, and with it
 * every later one. A file that comes first ends it with an error. */
function storesFiles(): Promise<boolean> {
  probed ??= changed(["checks"], async (store) => {
    await done(store("checks").put({ id: PROBE, file: new Blob(["x"]) }));
    store("checks").delete(PROBE);
    return true;
  }).then((own) => own === true);
  return probed;
}

/** Removes the oldest checks from the database if there are too many. */
async function prune(): Promise<void> {
  await changed(["summaries", "checks"], async (store) => {
    const ids = (await done(store("summaries").getAllKeys())) as number[];
    for (const old of ids.slice(0, Math.max(0, ids.length - MOST))) {
      store("checks").delete(old);
      store("checks").delete(IDBKeyRange.bound([old], [old, Infinity]));
      store("summaries").delete(old);
    }
  });
}

/** A check by its id, if it still exists. */
export async function recall(id: number): Promise<Check | undefined> {
  const own = session.get(id);
  if (own) return own;
  const found = await changed(["checks"], async (store) => {
    const check = (await done(store("checks").get(id))) as Check | undefined;
    if (!check) return undefined;
    const diagnostics: Report["diagnostics"][number][] = [];
    const given: Given[] = [];
    for (let at = 0; ; at++) {
      const part = (await done(store("checks").get([id, at]))) as Part | undefined;
      if (!part) return { ...check, given, phase: withFindings(check.phase, diagnostics) };
      diagnostics.push(...part.found);
      given.push(...part.given);
    }
  });
  if (found) {
    session.set(id, found);
    stored.set(id, shownIn(found.phase));
  }
  return found;
}

/** Milliseconds that a list may take. */
const PATIENCE = 1_000;

/** The checks in the database, newest first; those of this page, if it does not answer. */
export async function kept(): Promise<Summary[]> {
  const all = changed(["summaries"], (store) => done(store("summaries").getAll())) as Promise<Summary[] | undefined>;
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE));
  return [...((await Promise.race([all, late])) ?? [...listed.values()].slice(-MOST))].reverse();
}

/** Removes all checks from the database and from memory. */
export async function forget(): Promise<void> {
  session.clear();
  listed.clear();
  stored.clear();
  await changed(["summaries", "checks"], async (store) => {
    store("summaries").clear();
    store("checks").clear();
  });
}

/** Runs a transaction. The result is undefined if the browser stores nothing. */
async function changed<T>(names: string[], work: (store: (name: string) => IDBObjectStore, commit: () => void) => Promise<T>): Promise<T | undefined> {
  try {
    const database = await opened();
    const transaction = database.transaction(names, "readwrite");
    const complete = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
    });
    const [result] = await Promise.all([work((name) => transaction.objectStore(name), () => transaction.commit()), complete]);
    return result;
  } catch {
    return undefined;
  }
}

let database: Promise<IDBDatabase> | null = null;

function opened(): Promise<IDBDatabase> {
  database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("resourcesync-page", 3);
    request.onupgradeneeded = () => {
      for (const name of [...request.result.objectStoreNames]) request.result.deleteObjectStore(name);
      request.result.createObjectStore("summaries", { keyPath: "id" });
      request.result.createObjectStore("checks", { keyPath: "id" });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("no database"));
  });
  return database;
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("not read"));
  });
}
