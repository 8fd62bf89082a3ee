// Repairs a document, and describes the difference.

import { FormatError, init, repair, type Repair } from "resourcesync/lite";
import { difference, patch, type DiffLine } from "./difference.js";
import { zipped } from "./publish.js";

export interface Fix {
  file: Blob;
  wasm: WebAssembly.Module;
  /** The time zone of datetimes without one. */
  zone?: string;
}

/** A repaired document. */
export interface Fixed {
  /** The repaired document, byte for byte as the command writes it. */
  file: Blob;
  /** The first repairs, and the number of all. */
  repairs: readonly Repair[];
  total: number;
  rewritten: boolean;
  /** The first parts that differ, and the number of all. */
  parts: DiffLine[][];
  allParts: number;
}

/** Why a document is not repaired: it is compressed, not UTF-8, or a repair would lose a part of it. */
export type NotFixed = { refused: "compressed" | "encoding" | "lossy"; detail: string };

export interface FixAll {
  files: readonly { name: string; file: Blob }[];
  wasm: WebAssembly.Module;
  zone?: string;
}

/** The changed documents, each with the patch that leads to it. */
export interface FixedAll {
  file: Blob;
  documents: number;
  repairs: number;
  /** Documents that cannot be repaired. */
  refused: number;
}

/** Repairs and parts that are shown. */
const REPAIRS = 200;
const PARTS = 100;

/** Repairs what is unambiguous. */
export async function fix({ file, wasm, zone }: Fix): Promise<Fixed | NotFixed> {
  await init(wasm);
  const [one, two] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (one === 0x1f && two === 0x8b) return { refused: "compressed", detail: "" };
  const before = await text(file);
  if (before === null) return { refused: "encoding", detail: "" };
  try {
    const { text: after, repairs, rewritten } = repair(before, zone ? { zone } : {});
    const { parts, total } = difference(before, after, PARTS);
    return { file: new Blob([after], { type: "application/xml" }), repairs: repairs.slice(0, REPAIRS), total: repairs.length, rewritten, parts, allParts: total };
  } catch (error) {
    if (error instanceof FormatError) return { refused: "lossy", detail: error.message };
    throw error;
  }
}

/** Repairs several documents; those without repairs are left out. */
export async function fixAll({ files, wasm, zone }: FixAll): Promise<FixedAll> {
  await init(wasm);
  const all: { name: string; file: Blob }[] = [];
  let [repairs, refused] = [0, 0];
  for (const { name, file } of files) {
    const fixed = await fix({ file, wasm, ...(zone && { zone }) });
    if ("refused" in fixed) {
      refused += 1;
      continue;
    }
    if (fixed.total === 0) continue;
    repairs += fixed.total;
    const [before, after] = await Promise.all([text(file), text(fixed.file)]);
    all.push({ name, file: fixed.file }, { name: `${name}.diff`, file: new Blob([patch(name, before ?? "", after ?? "")]) });
  }
  return { file: await zipped(all), documents: all.length / 2, repairs, refused };
}

/** The text of a document in UTF-8, with its byte order mark; null if it is not UTF-8. */
export async function text(file: Blob): Promise<string | null> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
