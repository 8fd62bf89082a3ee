// Entries of a list and members of a package as tables: read once, then filtered, sorted, and given row by row.

import { entries, init, openPackage, type Entry, type Member, type MemberResource } from "resourcesync/lite";
import { isDatetime } from "./datetime.js";

/** A table that was opened. */
export interface Opened {
  id: number;
  columns: readonly Column[];
  rows: number;
  /** The table has only the first rows. */
  isCut: boolean;
  /** The document could not be read further. */
  failed?: string;
}

/** What is in a column: the page has a word for each. */
export type Column = "number" | "name" | "state" | "uri" | "change" | "datetime" | "lastmod" | "from" | "until" | "length" | "size" | "packedSize" | "type" | "encoding"
  | "hash" | "capability" | "path" | "priority" | "checked"
  /** What an update changed: the values before and after it. */
  | "newLength" | "newLastmod" | "newHash" | "newType" | "newEncoding" | "newLinks";

/** The rows to show, and in which order. */
export interface Wish {
  filter: string;
  /** Only rows with this value in a column. */
  only?: { column: number; value: string };
  sort?: { column: number; descending: boolean };
}

interface Table {
  id: number;
  columns: Column[];
  cells: string[][];
  /** The rows on show, in their order. */
  shown: Uint32Array;
}

/** Columns with numbers. */
const NUMBERS = new Set<Column>(["number", "length", "size", "packedSize", "priority"]);
/** Rows of a table. */
const MOST = 200_000;
/** Tables that are kept. */
const KEPT = 3;

const tables: Table[] = [];
let last = 0;

/** Reads a document or a package. */
export async function openTable(file: Blob, name: string, isPackage: boolean, wasm: WebAssembly.Module): Promise<Opened> {
  await init(wasm);
  const rows: Partial<Record<Column, string>>[] = [];
  let isCut = false;
  let failed: string | undefined;
  if (isPackage) {
    // Not `using`: Safari has no `Symbol.dispose`. The garbage collector frees it.
    const opened = await openPackage(file, { name });
    for (const member of opened.members) rows.push(...ofMember(member));
    for (const resource of opened.absent) rows.push({ ...ofResource(resource), state: resource.path === undefined ? "unpackaged" : "absent" });
  } else {
    try {
      for await (const entry of entries(file)) {
        if (rows.length === MOST) {
          isCut = true;
          break;
        }
        rows.push(ofEntry(entry));
      }
    } catch (error) {
      failed = error instanceof Error ? error.message : String(error);
    }
  }
  const { id, columns } = registered(rows);
  return { id, columns, rows: rows.length, isCut, ...(failed !== undefined && { failed }) };
}

/** Makes rows a table: first the columns that are always there, then those that any of them has. */
export function registered(rows: Partial<Record<Column, string>>[], always: readonly Column[] = []): { id: number; columns: Column[] } {
  rows.forEach((row, at) => (row.number = String(at + 1)));
  const order: Column[] = ["number", "name", "state", "size", "packedSize", "uri", "change", "datetime", "lastmod", "from", "until", "capability", "length", "type", "encoding", "hash", "path", "priority", "checked",
    "newLength", "newLastmod", "newHash", "newType", "newEncoding", "newLinks"];
  const columns = [...always, ...order.filter((column) => !always.includes(column) && rows.some((row) => row[column] !== undefined))];
  const table = { id: last++, columns, cells: rows.map((row) => columns.map((column) => row[column] ?? "")), shown: Uint32Array.from(rows.keys()) };
  tables.unshift(table);
  tables.length = Math.min(tables.length, KEPT);
  return { id: table.id, columns };
}

function ofEntry(entry: Entry): Partial<Record<Column, string>> {
  const { uri, change, datetime, lastmod, from, until, capability, length, type, encoding, hashes, path, priority } = entry;
  const given = { uri, change, datetime, lastmod, from, until, capability, type, encoding, path };
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(length !== undefined && { length: String(length) }),
    ...(priority !== undefined && { priority: String(priority) }),
    ...(hashes && { hash: Object.entries(hashes).map(([algorithm, value]) => `${algorithm}:${value}`).join(" ") }),
  };
}

function ofMember({ name, state, size, packedSize, checked, resources }: Member): Partial<Record<Column, string>>[] {
  const own = { name, state, size: String(size), packedSize: String(packedSize), ...(checked.length > 0 && { checked: checked.join(" ") }) };
  return resources.length === 0 ? [own] : resources.map((resource) => ({ ...ofResource(resource), ...own }));
}

function ofResource({ uri, path, change, datetime, lastmod, type, encoding, length, hash }: MemberResource): Partial<Record<Column, string>> {
  const given = { uri, path, change, datetime, lastmod, type, encoding, hash };
  return { ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)), ...(length !== undefined && { length: String(length) }) };
}

/** Filters and sorts; returns the number of rows. */
export function arrange(id: number, { filter, only, sort }: Wish): number {
  const table = tableOf(id);
  const text = filter.trim().toLowerCase();
  const { cells, columns } = table;
  const all = [...cells.keys()].filter((row) => !only || cells[row]?.[only.column] === only.value).filter((row) => text === "" || cells[row]?.some((cell) => cell.toLowerCase().includes(text)));
  if (sort) {
    const { column, descending } = sort;
    const isNumber = NUMBERS.has(columns[column] ?? "uri");
    const times = columns[column] === "datetime" || columns[column] === "lastmod" || columns[column] === "from" || columns[column] === "until";
    const key = (row: number) => {
      const cell = cells[row]?.[column] ?? "";
      return cell === "" ? null : isNumber ? Number(cell) : times ? isDatetime(cell) ? Date.parse(cell) : 0 : cell;
    };
    const keys = new Map(all.map((row) => [row, key(row)]));
    all.sort((one, other) => {
      const [a, b] = [keys.get(one) ?? null, keys.get(other) ?? null];
      // What is missing comes last in both directions.
      if (a === null || b === null) return a === b ? one - other : a === null ? 1 : -1;
      const order = a < b ? -1 : a > b ? 1 : 0;
      return (descending ? -order : order) || one - other;
    });
  }
  table.shown = Uint32Array.from(all);
  return all.length;
}

/** So many rows from one on. */
export function tableRows(id: number, from: number, count: number): string[][] {
  const { cells, shown } = tableOf(id);
  return [...shown.subarray(from, from + count)].map((row) => cells[row] ?? []);
}

/** The rows on show as CSV (RFC 4180), with the byte order mark by which spreadsheets detect UTF-8. */
export function csv(id: number): Blob {
  const { columns, cells, shown } = tableOf(id);
  const parts: string[] = ["\ufeff", line(columns)];
  for (const row of shown) parts.push(line(cells[row] ?? []));
  return new Blob(parts, { type: "text/csv" });
}

function line(cells: readonly string[]): string {
  // A cell that a spreadsheet would take for a formula is quoted as text.
  const safe = (cell: string) => (/^[=+\-@\t\r]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell);
  return `${cells.map(safe).map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(",")}\r\n`;
}

function tableOf(id: number): Table {
  const table = tables.find((table) => table.id === id);
  if (!table) throw new Error("the table was closed");
  return table;
}
