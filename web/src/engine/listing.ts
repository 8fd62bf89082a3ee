// The resources of a file that is no ResourceSync document, but from which one can be built: a Sitemap, a table, a list of URIs.

import { entries, init } from "resourcesync/lite";

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
  /** Cells that are not what their column is taken for; they are left out. */
  strange?: number;
}

/** What a column is taken for. */
export const ROLES = ["none", "uri", "lastmod", "length", "type", "md5", "sha-256"] as const;
export type Role = (typeof ROLES)[number];

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
/** A W3C Datetime, which may be a date; and a date as spreadsheets write it. */
const DATETIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;
const DATE = /^(\d{4})(?:[/.-]|年)(\d{1,2})(?:[/.-]|月)(\d{1,2})日?$/;
/** Values of a column that are shown. */
const SHOWN = 3;

/** Reads the resources; null if there are none. */
export async function listing(file: Blob, name: string, wasm: WebAssembly.Module, roles?: readonly Role[]): Promise<Listing | null> {
  const start = await file.slice(0, 4096).text();
  // A document that declares the namespace is meant as one of ResourceSync.
  if (start.includes("http://www.openarchives.org/rs/terms/")) return null;
  if (/<urlset[\s>]/.test(start)) return sitemap(file, wasm);
  if (/^[\s\ufeff]*</.test(start) || file.size > BYTES) return null;
  return table(decoded(new Uint8Array(await file.arrayBuffer())), /\.tsv$/i.test(name), roles);
}

async function sitemap(file: Blob, wasm: WebAssembly.Module): Promise<Listing | null> {
  await init(wasm);
  const lines: string[] = [];
  let isCut = false;
  for await (const { uri, lastmod } of entries(file)) {
    if (!URI.test(uri)) continue;
    if (lines.length === MOST) {
      isCut = true;
      break;
    }
    // A year alone would be a length.
    lines.push(lastmod ? `${encoded(uri)}\t${/^\d+$/.test(lastmod) ? "lastmod:" : ""}${lastmod}` : encoded(uri));
  }
  return listed("sitemap", lines, isCut);
}

function table(text: string, isTabbed: boolean, given?: readonly Role[]): Listing | null {
  const rows = rowsOf(text, isTabbed ? "\t" : separator(text.split("\n", 1)[0] ?? ""));
  const width = Math.max(0, ...rows.slice(0, 100).map((row) => row.length));
  const roles = given ?? recognised(rows, width);
  const column = roles.indexOf("uri");
  const own = rows.filter((row) => URI.test(row[column]?.trim() ?? ""));
  if (column < 0 || own.length === 0) return null;
  let strange = 0;
  const lines = own.slice(0, MOST).map((row) => {
    const values = roles.map((role, at) => {
      const cell = row[at]?.trim() ?? "";
      if (role === "none" || role === "uri" || cell === "") return "";
      const value = valueOf(role, cell);
      if (value === "") strange += 1;
      return value;
    });
    return [encoded(row[column]?.trim() ?? ""), ...values.filter((value) => value !== "")].join("\t");
  });
  const found = listed("table", lines, own.length > MOST);
  // A list of URIs has neither titles nor columns to choose from.
  const titles = rows[0] && !URI.test(rows[0][column]?.trim() ?? "") ? rows[0] : [];
  const body = titles.length > 0 ? rows.slice(1) : rows;
  const columns = roles.map((role, at): Column => ({ title: titles[at]?.trim() ?? "", role, values: body.slice(0, SHOWN).map((row) => row[at]?.trim() ?? "") }));
  return found && { ...found, strange, ...(width > 1 && { columns }) };
}

/** The separator of a table: a tab, a semicolon or a comma, whichever its first line has most of. */
function separator(line: string): string {
  const count = (own: string) => line.split(own).length;
  return ["\t", ";", ","].reduce((best, own) => (count(own) > count(best) ? own : best), ",");
}

/** What columns are: the one with URIs by its values, others by their titles. */
function recognised(rows: readonly string[][], width: number): Role[] {
  const counts = Array.from({ length: width }, (_, column) => rows.reduce((sum, row) => sum + (URI.test(row[column]?.trim() ?? "") ? 1 : 0), 0));
  const uri = Math.max(...counts) > 0 ? counts.indexOf(Math.max(...counts)) : -1;
  const taken = new Set<Role>();
  return counts.map((_, column) => {
    if (column === uri) return "uri";
    const title = rows[0]?.[column]?.trim() ?? "";
    const role = TITLES.find(([own, titles]) => !taken.has(own) && titles.test(title))?.[0] ?? "none";
    taken.add(role);
    return role;
  });
}

/** A cell as a value of the build view; empty if it is not one. */
function valueOf(role: Role, cell: string): string {
  switch (role) {
    case "lastmod": {
      if (DATETIME.test(cell)) return cell;
      const [, year, month = "", day = ""] = DATE.exec(cell) ?? [];
      return year ? `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}` : "";
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

function listed(kind: Listing["kind"], lines: readonly string[], isCut: boolean): Listing | null {
  const [first] = lines;
  if (first === undefined) return null;
  let base = new URL(".", first.split("\t")[0]).href;
  for (const line of lines) while (!line.startsWith(base) && base.split("/").length > 4) base = base.replace(/[^/]*\/$/, "");
  return { kind, lines: lines.join("\n"), count: lines.length, isCut, base: lines.every((line) => line.startsWith(base)) ? base : "" };
}

/** A line of the build view ends its URI at a space. */
function encoded(uri: string): string {
  return uri.trim().replace(/\s/g, encodeURIComponent);
}

/** The text of a spreadsheet: UTF-8, UTF-16 with a byte order mark, else Shift_JIS. */
function decoded(bytes: Uint8Array): string {
  const [one, two] = bytes;
  if (one === 0xff && two === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (one === 0xfe && two === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("shift_jis").decode(bytes);
  }
}

/** The rows of a table (RFC 4180). */
function rowsOf(text: string, between: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let isQuoted = false;
  const end = () => {
    row.push(cell);
    cell = "";
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') cell += text[++at];
      else isQuoted = false;
    } else if (character === '"' && cell === "") {
      isQuoted = true;
    } else if (character === between) {
      end();
    } else if (character === "\n" || character === "\r") {
      end();
      if (row.some((own) => own !== "")) rows.push(row);
      row = [];
    } else {
      cell += character;
    }
  }
  end();
  if (row.some((own) => own !== "")) rows.push(row);
  return rows;
}
