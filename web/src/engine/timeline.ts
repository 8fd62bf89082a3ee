// What the documents say about time: changes a day, intervals of Change Lists and Dumps, snapshots.

import { entries, init, type Entry } from "resourcesync/lite";
import type { Given } from "../state.js";

/** A day in milliseconds. */
export const DAY = 86_400_000;

export type Change = "created" | "updated" | "deleted" | "other";

/** The changes of a day. */
export interface Day {
  /** Its start in UTC. */
  day: number;
  counts: Record<Change, number>;
}

/** The interval of a document; without an end it is still open. */
export interface Interval {
  name: string;
  kind: string;
  /** What it is a part of: the URI that it links to with `up`. */
  up: string;
  from: number;
  until?: number;
}

/** A snapshot: a moment, or the time that it took. */
export interface Snapshot {
  name: string;
  kind: string;
  at: number;
  completed?: number;
}

export interface Timeline {
  days: Day[];
  intervals: Interval[];
  snapshots: Snapshot[];
  /** Changes without a valid date. */
  undated: number;
  /** Not all documents were read. */
  isCut: boolean;
}

/** Documents that are read. */
export const MOST = 2_000;
/** Days that are counted one by one. */
const DAYS = 40_000;

/** Reads the documents; those that cannot be read are left out, their errors are in the report. */
export async function timeline(given: readonly Given[], wasm: WebAssembly.Module): Promise<Timeline> {
  await init(wasm);
  const days = new Map<number, Record<Change, number>>();
  const all: Timeline = { days: [], intervals: [], snapshots: [], undated: 0, isCut: false };
  const documents = given.filter(({ name, ignored }) => !ignored && !/\.zip$/i.test(name));
  all.isCut = documents.length > MOST;
  for (const own of documents.slice(0, MOST)) await read(own, all, days).catch(() => undefined);
  all.days = [...days].sort(([one], [other]) => one - other).map(([day, counts]) => ({ day, counts }));
  return all;
}

async function read({ name, file }: Given, all: Timeline, days: Map<number, Record<Change, number>>): Promise<void> {
  const stream = entries(file);
  const first = await stream.next();
  const { kind, head } = await stream.head;
  const [from, until, at, completed] = [head.from, head.until, head.at, head.completed].map(moment);
  const up = head.links?.find(({ rel }) => rel === "up")?.href ?? "";
  if (from !== undefined) all.intervals.push({ name, kind, up, from, ...(until !== undefined && { until }) });
  if (at !== undefined) all.snapshots.push({ name, kind, at, ...(completed !== undefined && { completed }) });
  // Entries of an index or a dump are documents, and those of other lists have no change.
  const hasChanges = !first.done && first.value.change !== undefined;
  if (!hasChanges) return void (await stream.return?.());
  count(first.value, all, days);
  for await (const entry of stream) count(entry, all, days);
}

function count({ change, datetime, lastmod }: Entry, all: Timeline, days: Map<number, Record<Change, number>>): void {
  if (change === undefined) return;
  const time = moment(datetime) ?? moment(lastmod);
  if (time === undefined) {
    all.undated += 1;
    return;
  }
  const day = Math.floor(time / DAY) * DAY;
  let own = days.get(day);
  if (!own && days.size < DAYS) days.set(day, (own = { created: 0, updated: 0, deleted: 0, other: 0 }));
  if (own) own[change === "created" || change === "updated" || change === "deleted" ? change : "other"] += 1;
}

function moment(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** Between intervals of the same kind in one set that follow each other: a gap or an overlap. */
export interface Seam {
  kind: string;
  is: "gap" | "overlap";
  from: number;
  until: number;
}

/** Gaps and overlaps between the intervals of each kind in each set; an index covers what is in it, so it has none. */
export function seams(intervals: readonly Interval[]): Seam[] {
  const found: Seam[] = [];
  const sets = new Map<string, Interval[]>();
  for (const interval of intervals.filter(({ kind }) => !kind.endsWith("-index"))) {
    const key = `${interval.kind} ${interval.up}`;
    const same = sets.get(key);
    if (same) same.push(interval);
    else sets.set(key, [interval]);
  }
  for (const own of sets.values()) {
    const { kind = "" } = own[0] ?? {};
    own.sort((one, other) => one.from - other.from);
    let end: number | undefined;
    for (const { from, until } of own) {
      if (end !== undefined && from > end) found.push({ kind, is: "gap", from: end, until: from });
      if (end !== undefined && from < end) found.push({ kind, is: "overlap", from, until: Math.min(end, until ?? end) });
      end = Math.max(end ?? Number.NEGATIVE_INFINITY, until ?? Number.POSITIVE_INFINITY);
    }
  }
  return found;
}

/** Steps of the time axis. */
export type Unit = "day" | "week" | "month" | "year";

/** The start of the step that a moment is in; weeks begin on Monday. */
export function startOf(unit: Unit, time: number): number {
  const date = new Date(time);
  if (unit === "year") return Date.UTC(date.getUTCFullYear(), 0);
  if (unit === "month") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  const day = Math.floor(time / DAY) * DAY;
  return unit === "day" ? day : day - ((new Date(day).getUTCDay() + 6) % 7) * DAY;
}

/** The start of the next step. */
export function after(unit: Unit, start: number): number {
  const date = new Date(start);
  if (unit === "year") return Date.UTC(date.getUTCFullYear() + 1, 0);
  if (unit === "month") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
  return start + (unit === "day" ? DAY : 7 * DAY);
}

/** The smallest unit with at most so many steps in a span. */
export function unitFor(span: number, most: number): Unit {
  const lengths = { day: DAY, week: 7 * DAY, month: 30.4 * DAY, year: 365 * DAY };
  return (["day", "week", "month"] as const).find((unit) => span / lengths[unit] <= most) ?? "year";
}

/** The days summed up in steps. */
export function steps(days: readonly Day[], unit: Unit): Day[] {
  const sums = new Map<number, Record<Change, number>>();
  for (const { day, counts } of days) {
    const start = startOf(unit, day);
    const own = sums.get(start) ?? { created: 0, updated: 0, deleted: 0, other: 0 };
    for (const change of ["created", "updated", "deleted", "other"] as const) own[change] += counts[change];
    sums.set(start, own);
  }
  return [...sums].sort(([one], [other]) => one - other).map(([day, counts]) => ({ day, counts }));
}
