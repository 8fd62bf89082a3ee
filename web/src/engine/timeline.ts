// What the documents say about time: changes a day, intervals of Change Lists and Dumps, snapshots.

import { entries, init, type Entry } from "resourcesync/lite";
import type { Given } from "../state.js";
import { instant } from "./datetime.js";

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
  /** Changes, and documents, with a time that is not a datetime with a time zone: where they belong is unknown. */
  undated: number;
  undatedDocuments: number;
  /** Documents with changes. */
  sources: number;
  /** Changes of a set that were listed again, such as in a Change List and in a Change Dump Manifest. They are counted once. */
  again: number;
  /** Not all documents or changes were read. */
  isCut: boolean;
}

/** Documents that are read. */
export const MOST = 2_000;
/** Changes that are distinguished; a JavaScript set holds no more than 16 million. */
export const MOST_CHANGES = 2_000_000;
/** Days that are counted one by one. */
const DAYS = 40_000;

/** Reads the documents; those that cannot be read are left out, their errors are in the report. */
export async function timeline(given: readonly Given[], wasm: WebAssembly.Module): Promise<Timeline> {
  await init(wasm);
  const documents = given.filter(({ name, ignored }) => !ignored && !/\.zip$/i.test(name));
  const reading = new Reading(documents.length > MOST);
  for (const own of documents.slice(0, MOST)) await reading.read(own).catch(() => undefined);
  return reading.all();
}

/** What a change is: the same in two documents of a set is one change. */
type Told = Pick<Entry, "uri" | "change" | "datetime" | "lastmod">;

class Reading {
  readonly #days = new Map<number, Record<Change, number>>();
  readonly #intervals: Interval[] = [];
  readonly #snapshots: Snapshot[] = [];
  /** The changes of each set, by the URI of its Capability List. */
  readonly #sets = new Map<string, Set<number>>();
  /** Changes of documents that name no set: they belong to one that may be read later. */
  readonly #loose: Told[] = [];
  #changes = 0;
  #undated = 0;
  #undatedDocuments = 0;
  #sources = 0;
  #again = 0;
  #isCut: boolean;

  constructor(isCut: boolean) {
    this.#isCut = isCut;
  }

  async read({ name, file }: Given): Promise<void> {
    const stream = entries(file);
    const first = await stream.next();
    const { kind, head } = await stream.head;
    const written = [head.from, head.until, head.at, head.completed];
    const [from, until, at, completed] = written.map(instant);
    const up = head.links?.find(({ rel }) => rel === "up")?.href ?? "";
    // An interval whose end cannot be read is not one without an end.
    const isUndated = written.some((text) => text !== undefined && instant(text) === undefined);
    if (isUndated) this.#undatedDocuments += 1;
    if (from !== undefined && !isUndated) this.#intervals.push({ name, kind, up, from, ...(until !== undefined && { until }) });
    if (at !== undefined && !isUndated) this.#snapshots.push({ name, kind, at, ...(completed !== undefined && { completed }) });
    // Entries of an index or a dump are documents, and those of other lists have no change.
    const hasChanges = !first.done && first.value.change !== undefined;
    if (!hasChanges) return void (await stream.return?.());
    this.#sources += 1;
    this.#take(first.value, up);
    for await (const entry of stream) {
      if (this.#changes >= MOST_CHANGES) {
        this.#isCut = true;
        return;
      }
      this.#take(entry, up);
    }
  }

  all(): Timeline {
    const named = [...this.#sets.values()];
    const loose = this.#setOf("");
    for (const change of this.#loose) {
      const key = keyOf(change);
      if (named.some((set) => set.has(key)) || loose.has(key)) {
        this.#again += 1;
      } else {
        loose.add(key);
        this.#count(change);
      }
    }
    const days = [...this.#days].sort(([one], [other]) => one - other).map(([day, counts]) => ({ day, counts }));
    return { days, intervals: this.#intervals, snapshots: this.#snapshots, undated: this.#undated, undatedDocuments: this.#undatedDocuments, sources: this.#sources, again: this.#again, isCut: this.#isCut };
  }

  #setOf(up: string): Set<number> {
    let set = this.#sets.get(up);
    if (!set) this.#sets.set(up, (set = new Set()));
    return set;
  }

  #take({ uri, change, datetime, lastmod }: Entry, up: string): void {
    if (change === undefined) return;
    this.#changes += 1;
    const own = { uri, change, datetime, lastmod };
    if (up === "") return void this.#loose.push(own);
    const [set, key] = [this.#setOf(up), keyOf(own)];
    if (set.has(key)) {
      this.#again += 1;
    } else {
      set.add(key);
      this.#count(own);
    }
  }

  #count({ change, datetime, lastmod }: Told): void {
    const time = instant(datetime ?? lastmod);
    if (time === undefined) {
      this.#undated += 1;
      return;
    }
    const day = Math.floor(time / DAY) * DAY;
    let own = this.#days.get(day);
    if (!own && this.#days.size < DAYS) this.#days.set(day, (own = { created: 0, updated: 0, deleted: 0, other: 0 }));
    if (own) own[change === "created" || change === "updated" || change === "deleted" ? change : "other"] += 1;
  }
}

/** A change as a number of 53 bits, since the texts of millions of changes would fill the memory. */
function keyOf({ uri, change, datetime, lastmod }: Told): number {
  const text = `${change} ${instant(datetime ?? lastmod) ?? datetime ?? lastmod ?? ""} ${uri}`;
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 2654435761);
    other = Math.imul(other ^ unit, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(other ^ (other >>> 13), 3266489909);
  other = Math.imul(other ^ (other >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return 4294967296 * (2097151 & other) + (one >>> 0);
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
