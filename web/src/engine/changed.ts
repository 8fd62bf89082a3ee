// What changed in the resources from one list or Source to another: a table of the differences, and a Change List of them.

import { build, countsInFolder, diff, differences, entries, incomparable, init, type Aspect, type Difference, type Entry, type Kind } from "resourcesync/lite";
import type { Given } from "../state.js";
import { instant } from "./datetime.js";
import { missingPart } from "./parts.js";
import { registered, type Column } from "./tables.js";

export interface WhatChanged {
  old: readonly Given[];
  new: readonly Given[];
  /** Nobody said which one is older. */
  isUnordered: boolean;
  wasm: WebAssembly.Module;
}

/** The differences as a table, and their number. */
export interface Changed {
  id: number;
  columns: readonly Column[];
  rows: number;
  isCut: boolean;
  counts: { created: number; updated: number; deleted: number; same: number };
  /** The snapshots show that the given ones were in the other order; or nothing shows their order. */
  order?: "swapped" | "unknown";
}

/** Why they were not compared, and the kinds on both sides. */
export type NotCompared = { refused: "no-resources" | "kinds"; old: readonly Kind[]; new: readonly Kind[] } | Incomplete;

/** A document that cannot be read, and why; or one that leads to lists, and the URI of a list that is missing. */
interface Incomplete {
  refused: "unread" | "part";
  name: string;
  detail: string;
}

/** The documents that lead to lists of resources, and the capability of the entries that do; in an index all do. */
const LEADS: Partial<Record<Kind, string>> = { "source-description": "capabilitylist", "capability-list": "resourcelist", "source-description-index": "", "resource-list-index": "" };

/** Resources of each side, and differences that the table has. */
const MOST = 1_000_000;
const ROWS = 200_000;

/** The resources of one kind of list. */
interface Resources {
  entries: Map<string, Entry>;
  /** When the earliest snapshot was taken. */
  at?: string;
  /** The Capability Lists of the sets that the lists belong to; empty for a list that names none. */
  sets: Set<string>;
}

/** For the Change List: the sides of the last comparison. */
let last: { id: number; old: Resources; new: Resources } | null = null;

/** Compares the resources of both sides. */
export async function whatChanged(asked: WhatChanged): Promise<Changed | NotCompared> {
  await init(asked.wasm);
  const [old, fresh] = [await resources(asked.old), await resources(asked.new)];
  if ("refused" in old) return old;
  if ("refused" in fresh) return fresh;
  const sides = [old, fresh] as const;
  const kind = [...sides[1].keys()].find((own) => sides[0].has(own) && incomparable(own, own) === undefined);
  if (kind === undefined) return refusal(...sides);
  const [one, other] = [sides[0].get(kind), sides[1].get(kind)];
  if (!one || !other) return refusal(...sides);
  const [at, otherAt] = [one, other].map((side) => instant(side.at) ?? Number.NaN) as [number, number];
  const [before, after] = at > otherAt ? [other, one] : [one, other];
  const order = at > otherAt ? "swapped" : asked.isUnordered && !(at < otherAt) ? "unknown" : undefined;
  const rows: Partial<Record<Column, string>>[] = [];
  const counts = { created: 0, updated: 0, deleted: 0, same: 0 };
  let found = 0;
  for (const own of differences(sorted(before), sorted(after))) {
    counts[own.change] += 1;
    found += 1;
    if (rows.length < ROWS) rows.push(row(own));
  }
  counts.same = after.entries.size - counts.created - counts.updated;
  const { id, columns } = registered(rows, ["number", "change", "uri"]);
  last = { id, old: before, new: after };
  return { id, columns, rows: rows.length, isCut: found > rows.length, counts, ...(order && { order }) };
}

/** The differences as a Change List. Throws `no-snapshot` if the lists do not say when they were made, and `several-sets` if they are not those of one set. */
export function changeList(id: number): Blob {
  if (last?.id !== id) throw new Error("the comparison was closed");
  const { old, new: own } = last;
  if (old.sets.size > 1 || own.sets.size > 1) throw new Error("several-sets");
  const [up = ""] = own.sets;
  if (old.at === undefined || own.at === undefined || up === "") throw new Error("no-snapshot");
  const text = build("change-list", { from: old.at, until: own.at, links: [{ rel: "up", href: up }] }, diff(sorted(old), sorted(own), own.at));
  return new Blob([text], { type: "application/xml" });
}

function refusal(...sides: readonly [ReadonlyMap<Kind, Resources>, ReadonlyMap<Kind, Resources>]): NotCompared {
  const [old, fresh] = sides.map((side) => [...side.keys()]) as [Kind[], Kind[]];
  const reasons = old.flatMap((one) => fresh.map((other) => incomparable(one, other)));
  return { refused: reasons.includes("kinds") ? "kinds" : "no-resources", old, new: fresh };
}

/** The entries of the documents by kind, if all can be read that are named like one: others would count as deleted. Packages are not read. */
async function resources(given: readonly Given[]): Promise<Map<Kind, Resources> | Incomplete> {
  const kinds = new Map<Kind, Resources>();
  /** The lists that have to be there, and the document that leads to each. */
  const led = new Map<string, string>();
  const files = given.filter(({ name, ignored }) => !ignored && !/\.zip$/i.test(name));
  let count = 0;
  for (const { file, name } of files) {
    try {
      const stream = entries(file);
      const first = await stream.next().catch((error: unknown) => {
        if (countsInFolder(name)) throw error;
      });
      if (!first) continue;
      const { kind, head } = await stream.head;
      const own: Resources = kinds.get(kind) ?? { entries: new Map(), sets: new Set() };
      kinds.set(kind, own);
      const at = instant(head.at);
      if (head.at !== undefined && at !== undefined && at < (instant(own.at) ?? Number.POSITIVE_INFINITY)) own.at = head.at;
      own.sets.add(head.links?.find(({ rel }) => rel === "up")?.href ?? "");
      const lead = LEADS[kind];
      if (first.done || (lead === undefined && incomparable(kind, kind) !== undefined)) {
        await stream.return?.();
        continue;
      }
      const take = (entry: Entry) => {
        if (lead === undefined) own.entries.set(entry.uri, entry);
        else if (lead === "" || entry.capability === lead) led.set(entry.uri, name);
      };
      take(first.value);
      for await (const entry of stream) {
        if (++count > MOST) throw new Error(`more than ${MOST} resources`);
        take(entry);
      }
    } catch (error) {
      return { refused: "unread", name, detail: error instanceof Error ? error.message : String(error) };
    }
  }
  const missing = missingPart([...led.keys()], files);
  return missing === undefined ? kinds : { refused: "part", name: led.get(missing) ?? "", detail: missing };
}

/** In the order of the bytes of their URIs. */
function sorted({ entries: all }: Resources): Entry[] {
  return [...all.values()].sort((one, other) => byBytes(one.uri, other.uri));
}

/** The order of UTF-8: that of JavaScript, except that surrogates come last. */
function byBytes(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  for (let at = 0; at < most; at++) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (a !== b) return place(a) - place(b);
  }
  return one.length - other.length;
}

function place(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit;
}

/** The column of each aspect, and what an entry says of it. */
const ASPECTS: Record<Aspect, [column: Column, value: (entry: Entry) => string]> = {
  length: ["newLength", ({ length }) => (length === undefined ? "" : String(length))],
  lastmod: ["newLastmod", ({ lastmod }) => lastmod ?? ""],
  digest: ["newHash", ({ hashes }) => Object.entries(hashes ?? {}).map(([algorithm, value]) => `${algorithm}:${value}`).join(" ")],
  type: ["newType", ({ type }) => type ?? ""],
  encoding: ["newEncoding", ({ encoding }) => encoding ?? ""],
  links: ["newLinks", ({ links }) => (links ?? []).map(({ rel, href }) => `${rel ?? ""} ${href ?? ""}`.trim()).join(", ")],
};

function row({ change, uri, differs, old, new: own }: Difference): Partial<Record<Column, string>> {
  const cells: Partial<Record<Column, string>> = { change, uri };
  for (const [aspect, [column, value]] of Object.entries(ASPECTS) as [Aspect, (typeof ASPECTS)[Aspect]][]) {
    if (old && own) {
      if (differs.includes(aspect)) cells[column] = `${value(old) || "–"} → ${value(own) || "–"}`;
      continue;
    }
    const only = value((own ?? old) as Entry);
    if (only !== "") cells[column] = only;
  }
  return cells;
}
