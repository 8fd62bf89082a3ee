// Documents as rows of text: an index of where each row begins, and the bytes of the rows that are on show.

/** Part of a line, at most; a longer line continues in the next row. */
const LONGEST = 400;
/** From here on a row ends before the next element, so that a document in one line can be read. */
const LONG = 160;
/** Bytes of a document that is shown. */
const MOST = 512 << 20;

/** A document that was opened. */
export interface Opened {
  id: number;
  rows: number;
}

/** A row: the line it is in, whether the line begins here, the offset of its first byte in the document, and its bytes. */
export interface Row {
  line: number;
  begins: boolean;
  offset: number;
  bytes: Uint8Array;
}

interface Index {
  id: number;
  file: Blob;
  text: Blob;
  starts: Uint32Array;
  lines: Uint32Array;
}

// The report is about one document at a time; a finding may lead to a second one and back.
const indexes: Index[] = [];
const KEPT = 2;
let last = 0;

/** Opens a document: unpacked, as UTF-8, with an index of its rows. */
export async function openText(file: Blob): Promise<Opened> {
  const known = indexes.find((index) => index.file === file);
  if (known) return { id: known.id, rows: known.starts.length };
  const text = await unpacked(file);
  const index = { id: last++, file, text, ...(await indexed(text)) };
  indexes.unshift(index);
  indexes.length = Math.min(indexes.length, KEPT);
  return { id: index.id, rows: index.starts.length };
}

/** So many rows from one on. */
export async function rowsOf(id: number, from: number, count: number): Promise<Row[]> {
  const { text, starts, lines } = indexOf(id);
  const end = Math.min(from + count, starts.length);
  const first = starts[from] ?? text.size;
  const bytes = new Uint8Array(await text.slice(first, starts[end] ?? text.size).arrayBuffer());
  const rows: Row[] = [];
  for (let at = from; at < end; at++) {
    const offset = starts[at] ?? 0;
    rows.push({ line: lines[at] ?? 0, begins: lines[at] !== lines[at - 1], offset, bytes: bytes.slice(offset - first, (starts[at + 1] ?? text.size) - first) });
  }
  return rows;
}

/** The row that holds an offset. */
export function rowAt(id: number, offset: number): number {
  const { starts } = indexOf(id);
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function indexOf(id: number): Index {
  const index = indexes.find((index) => index.id === id);
  if (!index) throw new Error("the document was closed");
  return index;
}

async function unpacked(file: Blob): Promise<Blob> {
  const [one, two] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (one === 0x1f && two === 0x8b) return bounded(file.stream().pipeThrough(new DecompressionStream("gzip")));
  if (file.size > MOST) throw new Error("too large");
  const coding = one === 0xff && two === 0xfe ? "utf-16le" : one === 0xfe && two === 0xff ? "utf-16be" : null;
  return coding ? new Blob([new TextDecoder(coding, { ignoreBOM: true }).decode(await file.arrayBuffer())]) : file;
}

async function bounded(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    size += value.length;
    if (size > MOST) throw new Error("too large");
    parts.push(value);
  }
}

async function indexed(text: Blob): Promise<{ starts: Uint32Array; lines: Uint32Array }> {
  let starts = new Uint32Array(1024);
  let lines = new Uint32Array(1024);
  let rows = 0;
  let line = 1;
  let offset = 0;
  let begin = 0;
  let isAfterReturn = false;
  const add = (start: number) => {
    if (rows === starts.length) {
      starts = doubled(starts);
      lines = doubled(lines);
    }
    starts[rows] = start;
    lines[rows++] = line;
    begin = start;
  };
  add(0);
  const reader = text.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    for (const byte of value) {
      // CR, LF and CRLF each end one line.
      if (isAfterReturn) {
        isAfterReturn = false;
        line += 1;
        add(byte === 10 ? offset + 1 : offset);
        if (byte === 10) {
          offset += 1;
          continue;
        }
      }
      const length = offset - begin;
      if ((length >= LONG && byte === 60) || (length >= LONGEST && (byte & 0xc0) !== 0x80)) add(offset);
      offset += 1;
      if (byte === 13) {
        isAfterReturn = true;
      } else if (byte === 10) {
        line += 1;
        add(offset);
      }
    }
  }
  if (isAfterReturn) {
    line += 1;
    add(offset);
  }
  return { starts: starts.slice(0, rows), lines: lines.slice(0, rows) };
}

function doubled(own: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(own.length * 2);
  more.set(own);
  return more;
}
