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
}

/** Resources that are read, and bytes of a table. */
const MOST = 100_000;
const BYTES = 64 << 20;

const URI = /^https?:\/\/[^\s/]/i;
/** Titles of columns with the last change, in the languages of the page. */
const CHANGED = /^(last[ _-]?mod(ified)?|modified|updated|changed|date|datetime|更新日時?|最終更新日?時?|修正日時?|日時|日付)$/i;
/** A W3C Datetime, which may be a date. */
const DATETIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Reads the resources; null if there are none. */
export async function listing(file: Blob, name: string, wasm: WebAssembly.Module): Promise<Listing | null> {
  const start = await file.slice(0, 4096).text();
  // A document that declares the namespace is meant as one of ResourceSync.
  if (start.includes("http://www.openarchives.org/rs/terms/")) return null;
  if (/<urlset[\s>]/.test(start)) return sitemap(file, wasm);
  if (/^[\s\ufeff]*</.test(start) || file.size > BYTES) return null;
  return table(decoded(new Uint8Array(await file.arrayBuffer())), /\.tsv$/i.test(name));
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
    lines.push(lastmod ? `${encoded(uri)}\t${lastmod}` : encoded(uri));
  }
  return listed("sitemap", lines, isCut);
}

function table(text: string, isTabbed: boolean): Listing | null {
  const rows = rowsOf(text, isTabbed || (text.split("\n", 1)[0] ?? "").includes("\t") ? "\t" : ",");
  const width = Math.max(0, ...rows.slice(0, 100).map((row) => row.length));
  const counts = Array.from({ length: width }, (_, column) => rows.reduce((sum, row) => sum + (URI.test(row[column]?.trim() ?? "") ? 1 : 0), 0));
  const column = counts.indexOf(Math.max(...counts));
  if (column < 0 || counts[column] === 0) return null;
  const changed = rows[0]?.findIndex((title) => CHANGED.test(title.trim())) ?? -1;
  const lines = rows.filter((row) => URI.test(row[column]?.trim() ?? "")).slice(0, MOST).map((row) => {
    const when = row[changed]?.trim() ?? "";
    return DATETIME.test(when) ? `${encoded(row[column]?.trim() ?? "")}\t${when}` : encoded(row[column]?.trim() ?? "");
  });
  return listed("table", lines, (counts[column] ?? 0) > MOST);
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
function rowsOf(text: string, separator: string): string[][] {
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
    } else if (character === separator) {
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
