// What a publication needs a worker for: changes since an earlier list, a package of the files, and all files in one ZIP.

import { createPackage, diff, entries, init, type Bitstream, type Entry, type Head } from "resourcesync/lite";
import type { Resource } from "../build/resources.js";
import { missingPart } from "./parts.js";

export interface ChangesSince {
  /** Resource Lists of the earlier publication, and their index. */
  earlier: readonly File[];
  resources: readonly Resource[];
  /** When the changes are published. */
  at: string;
  wasm: WebAssembly.Module;
}

/**
 * The changes from the earlier lists to the resources, and the moment from which on they are complete. Throws `no-snapshot` for other documents,
 * and `no-part NAME` if an index has a list that is not among them.
 */
export async function changesSince({ earlier, resources, at, wasm }: ChangesSince): Promise<{ changes: Entry[]; from: string }> {
  await init(wasm);
  const old: Entry[] = [];
  let from: string | undefined;
  for (const file of earlier) {
    const stream = entries(file);
    const first = await stream.next();
    const { kind, head } = await stream.head;
    if (kind === "resource-list-index") {
      const parts = first.done ? [] : [first.value.uri];
      for await (const { uri } of stream) parts.push(uri);
      const missing = missingPart(parts, earlier);
      if (missing !== undefined) throw new Error(`no-part ${missing}`);
      continue;
    }
    if (kind !== "resource-list") throw new Error("no-snapshot");
    if (head.at !== undefined && (from === undefined || Date.parse(head.at) < Date.parse(from))) from = head.at;
    if (!first.done) old.push(first.value);
    for await (const entry of stream) old.push(entry);
  }
  if (from === undefined) throw new Error("no-snapshot");
  return { changes: [...diff(sorted(old), sorted(resources), at)], from };
}

function sorted<T extends { uri: string }>(all: readonly T[]): T[] {
  return [...all].sort((one, other) => (one.uri < other.uri ? -1 : Number(one.uri > other.uri)));
}

export interface PackFiles {
  /** What the package is for: a Resource Dump or a Change Dump. */
  kind: "resource-dump-manifest" | "change-dump-manifest";
  head: Head;
  /** Resources or changes; a deletion has no file. */
  bitstreams: readonly { entry: Entry; file?: Blob }[];
  wasm: WebAssembly.Module;
}

/** A package of the files, with what its entry in the dump says. */
export async function packFiles({ kind, head, bitstreams, wasm }: PackFiles): Promise<{ file: Blob; length: number; sha256: string }> {
  await init(wasm);
  const pieces = createPackage(kind, head, bitstreams.map(({ entry, file }): Bitstream => ({ entry, bytes: file })));
  // A part becomes a Blob as soon as it is large, so that the browser may keep it on disk.
  const parts: Blob[] = [];
  let waiting: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const settle = () => {
    parts.push(new Blob(waiting));
    [waiting, size] = [[], 0];
  };
  for (;;) {
    const { done, value } = await pieces.next();
    if (done) {
      settle();
      return { file: new Blob(parts, { type: "application/zip" }), length: value.length, sha256: value.sha256 };
    }
    waiting.push(value as Uint8Array<ArrayBuffer>);
    if ((size += value.length) > 4 << 20) settle();
  }
}

/** Files in a ZIP without compression: what is large in them is packed already. */
export async function zipped(files: readonly { name: string; file: Blob }[]): Promise<Blob> {
  const parts: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let [offset, length] = [0, 0];
  for (const { name, file } of files) {
    const path = new TextEncoder().encode(name);
    const crc = await crc32(file);
    // Version 2.0, names in UTF-8, stored, 1 January 1980.
    const common = [[2, 20], [2, 0x800], [2, 0], [2, 0], [2, 33], [4, crc], [4, file.size], [4, file.size], [2, path.length], [2, 0]] as const;
    const local = fields([4, 0x04034b50], ...common);
    parts.push(local, path, file);
    const entry = fields([4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]);
    directory.push(entry, path);
    offset += local.length + path.length + file.size;
    length += entry.length + path.length;
  }
  const end = fields([4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, length], [4, offset], [2, 0]);
  return new Blob([...parts, ...directory, end], { type: "application/zip" });
}

function fields(...all: readonly (readonly [size: 2 | 4, value: number])[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(all.reduce((sum, [size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [size, value] of all) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return bytes;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

async function crc32(file: Blob): Promise<number> {
  let crc = 0xffffffff;
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return (crc ^ 0xffffffff) >>> 0;
    for (const byte of value) crc = (TABLE[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8);
  }
}
