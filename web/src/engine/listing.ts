// The resources of a file that is no ResourceSync document, but from which one can be built: a Sitemap, a table, a list of URIs.

import { entries, init } from "resourcesync/lite";
import { isDatetime } from "./datetime.js";

/** Resources as lines for the build view. */
export interface Listing {
  kind: "sitemap" | "table";
  /** A URI, and its last change where it is known, on each line. */
  lines: string;
  count: number;
  /** There are more than were read. */
  isCut: boolean;
  /** The folder that contains all of them. */
  base: string;
  /** The columns of a table. */
  columns?: readonly Column[];
  /** Values that are not what they should be; they are left out. */
  strange: number;
  /** Rows or pages without a URI of the web: their number, and the line or entry and the value of the first ones. */
  left: { count: number; first: readonly (readonly [at: number, value: string])[] };
  /** The encoding that a text was taken for, if it does not show it. */
  encoding?: string;
}

/** A row of a table, and the line that it begins in. */
interface Row {
  line: number;
  cells: readonly string[];
}

/** What a column is taken for. */
export type Role = "none" | "uri" | "lastmod" | "length" | "type" | "md5" | "sha-256";

export interface Column {
  title: string;
  role: Role;
  /** The first values. */
  values: readonly string[];
}

/** Resources that are read, and bytes of a table. */
const MOST = 100_000;
const BYTES = 64 << 20;

const URI = /^https?:\/\/[^\s/]/i;
/** Titles of columns, in the languages of the page. */
const TITLES: readonly [Role, RegExp][] = [
  ["lastmod", /^(last[ _-]?mod(ified)?|modified|updated|changed|date|datetime|更新日時?|最終更新日?時?|修正日時?|日時|日付)$/i],
  ["length", /^(length|size|bytes?|(file|content)[ _-]?(size|length)|サイズ|ファイルサイズ|長さ|バイト数?|容量)$/i],
  ["type", /^(type|format|mime.*|(media|content)[ _-]?type|メディアタイプ|MIME ?タイプ|形式|ファイル形式)$/i],
  ["md5", /^md-?5.*$/i],
  ["sha-256", /^sha-?256.*$/i],
];
/** A date as spreadsheets write it. */
const DATE = /^(\d{4})(?:[/.-]|年)(\d{1,2})(?:[/.-]|月)(\d{1,2})日?$/;
/** Values of a column that are shown, and rows that are named. */
const SHOWN = 3;

/** Reads the resources; null if there are none. */
export async function listing(file: Blob, name: string, wasm: WebAssembly.Module, roles?: readonly Role[]): Promise<Listing | null> {
  const start = await file.slice(0, 4096).text();
  // A document that declares the namespace is meant as one of ResourceSync.
  if (start.includes("http://www.openarchives.org/rs/terms/")) return null;
  if (/<urlset[\s>]/.test(start)) return sitemap(file, wasm);
  if (/^[\s\ufeff]*</.test(start) || file.size > BYTES) return null;
  const { text, encoding } = decoded(new Uint8Array(await file.arrayBuffer()));
  const found = table(text, /\.tsv$/i.test(name), roles);
  return found && { ...found, ...(encoding && { encoding }) };
}

async function sitemap(file: Blob, wasm: WebAssembly.Module): Promise<Listing | null> {
  await init(wasm);
  const lines: string[] = [];
  const left = new Left();
  let [at, strange, isCut] = [0, 0, false];
  for await (const { uri, lastmod } of entries(file)) {
    at += 1;
    if (!isUri(uri)) {
      left.add(at, uri);
      continue;
    }
    if (lines.length === MOST) {
      isCut = true;
      break;
    }
    const time = lastmod ? valueOf("lastmod", lastmod) : "";
    if (lastmod && time === "") strange += 1;
    lines.push([encoded(uri), ...(time ? [time] : [])].join("\t"));
  }
  return listed("sitemap", lines, { isCut, strange, left });
}

function table(text: string, isTabbed: boolean, given?: readonly Role[]): Listing | null {
  const rows = rowsOf(text, isTabbed ? "\t" : separator(text));
  const width = Math.max(0, ...rows.slice(0, 100).map(({ cells }) => cells.length));
  const roles = given ?? recognised(rows, width);
  const column = roles.indexOf("uri");
  if (column < 0) return null;
  const uriOf = ({ cells }: Row) => cells[column]?.trim() ?? "";
  // A list of URIs has no titles, and what is like a URI is none.
  const [head] = rows;
  const titles = head && !URI.test(uriOf(head)) && !/[:/]|^www\./i.test(uriOf(head)) ? head.cells : [];
  const body = titles.length > 0 ? rows.slice(1) : rows;
  const left = new Left();
  const own = body.filter((row) => isUri(uriOf(row)) || left.add(row.line, uriOf(row)));
  let strange = 0;
  const lines = own.slice(0, MOST).map((row) => {
    const values = roles.map((role, at) => {
      const cell = row.cells[at]?.trim() ?? "";
      if (role === "none" || role === "uri" || cell === "") return "";
      const value = valueOf(role, cell);
      if (value === "") strange += 1;
      return value;
    });
    return [encoded(uriOf(row)), ...values.filter((value) => value !== "")].join("\t");
  });
  const found = listed("table", lines, { isCut: own.length > MOST, strange, left });
  const columns = roles.map((role, at): Column => ({ title: titles[at]?.trim() ?? "", role, values: body.slice(0, SHOWN).map(({ cells }) => cells[at]?.trim() ?? "") }));
  return found && { ...found, ...(width > 1 && { columns }) };
}

/** What is left out for want of a URI. */
class Left {
  readonly first: [at: number, value: string][] = [];
  count = 0;

  add(at: number, value: string): false {
    this.count += 1;
    if (this.first.length < SHOWN) this.first.push([at, value]);
    return false;
  }
}

/** Whether a text is the URI of a resource on the web. */
function isUri(text: string): boolean {
  return URI.test(text) && URL.canParse(text);
}

/** The separator of a table: a tab, a semicolon or a comma, whichever its first line has most of; those in quoted titles do not count. */
function separator(text: string): string {
  const [line = ""] = text.slice(0, 4096).replace(/"(?:[^"]|"")*"/g, "").split(/[\r\n]/, 1);
  const count = (own: string) => line.split(own).length;
  return ["\t", ";", ","].reduce((best, own) => (count(own) > count(best) ? own : best), ",");
}

/** What columns are: the one with URIs by its values, others by their titles. */
function recognised(rows: readonly Row[], width: number): Role[] {
  const counts = Array.from({ length: width }, (_, column) => rows.reduce((sum, { cells }) => sum + (URI.test(cells[column]?.trim() ?? "") ? 1 : 0), 0));
  const uri = Math.max(...counts) > 0 ? counts.indexOf(Math.max(...counts)) : -1;
  const taken = new Set<Role>();
  return counts.map((_, column) => {
    if (column === uri) return "uri";
    const title = rows[0]?.cells[column]?.trim() ?? "";
    const role = TITLES.find(([own, titles]) => !taken.has(own) && titles.test(title))?.[0] ?? "none";
    taken.add(role);
    return role;
  });
}

/** A cell as a value of the build view; empty if it is not one. */
function valueOf(role: Role, cell: string): string {
  switch (role) {
    case "lastmod": {
      const [, year, month = "", day = ""] = DATE.exec(cell) ?? [];
      const time = year ? `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}` : cell;
      // A year alone would be a length.
      return isDatetime(time) ? `${/^\d+$/.test(time) ? "lastmod:" : ""}${time}` : "";
    }
    case "length": {
      const digits = cell.replace(/(?<=\d)[,\s](?=\d{3})/g, "");
      return /^\d{1,15}$/.test(digits) ? digits : "";
    }
    case "type": return /^[\w.+-]+\/[\w.+-]+$/.test(cell) ? cell : "";
    case "md5": return /^[0-9a-f]{32}$/i.test(cell) ? `md5:${cell}` : "";
    case "sha-256": return /^[0-9a-f]{64}$/i.test(cell) ? `sha-256:${cell}` : "";
    default: return "";
  }
}

function listed(kind: Listing["kind"], lines: readonly string[], { isCut, strange, left: { count, first: named } }: { isCut: boolean; strange: number; left: Left }): Listing | null {
  const [first] = lines;
  if (first === undefined) return null;
  let base = new URL(".", first.split("\t")[0]).href;
  for (const line of lines) while (!line.startsWith(base) && base.split("/").length > 4) base = base.replace(/[^/]*\/$/, "");
  return { kind, lines: lines.join("\n"), count: lines.length, isCut, strange, left: { count, first: named }, base: lines.every((line) => line.startsWith(base)) ? base : "" };
}

/** A line of the build view ends its URI at a space. */
function encoded(uri: string): string {
  return uri.trim().replace(/\s/g, encodeURIComponent);
}

/** Words in Japanese; and what no such text has: letters outside of Shift_JIS, and those for private use. */
const JAPANESE = /[\u3040-\u30ff\p{sc=Han}]{2}/u;
const NOT_JAPANESE = /[\ufffd\ue000-\uf8ff]/;

/** Whether most letters of two bytes begin in the range of the common ones, where Windows-1252 has no letters that are common. */
function isShiftJis(bytes: Uint8Array): boolean {
  let [common, others] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x81 || (byte > 0x9f && byte < 0xe0)) continue;
    if (byte <= 0x9f) common += 1;
    else others += 1;
    at += 1;
  }
  return common > others;
}

/** The text of a spreadsheet: UTF-8, UTF-16 with a byte order mark, else that of a spreadsheet in Japan or in Europe, as its letters show. */
function decoded(bytes: Uint8Array): { text: string; encoding?: string } {
  const [one, two] = bytes;
  if (one === 0xff && two === 0xfe) return { text: new TextDecoder("utf-16le").decode(bytes) };
  if (one === 0xfe && two === 0xff) return { text: new TextDecoder("utf-16be").decode(bytes) };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    const text = new TextDecoder("shift_jis").decode(bytes);
    if (isShiftJis(bytes) && JAPANESE.test(text) && !NOT_JAPANESE.test(text)) return { text, encoding: "Shift_JIS" };
    return { text: new TextDecoder("windows-1252").decode(bytes), encoding: "Windows-1252" };
  }
}

/** The rows of a table (RFC 4180). */
function rowsOf(text: string, between: string): Row[] {
  const rows: Row[] = [];
  let row: string[] = [];
  let cell = "";
  let [line, begun] = [1, 1];
  let isQuoted = false;
  const end = () => {
    row.push(cell);
    cell = "";
  };
  const endRow = () => {
    end();
    if (row.some((own) => own !== "")) rows.push({ line: begun, cells: row });
    row = [];
    begun = line;
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === "\n" || (character === "\r" && text[at + 1] !== "\n")) line += 1;
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') cell += text[++at];
      else isQuoted = false;
    } else if (character === '"' && cell === "") {
      isQuoted = true;
    } else if (character === between) {
      end();
    } else if (character === "\n" || character === "\r") {
      endRow();
    } else {
      cell += character;
    }
  }
  endRow();
  return rows;
}
