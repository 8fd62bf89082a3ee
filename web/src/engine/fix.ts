// Repairs a document, and describes the difference.

import { FormatError, init, repair, type Repair } from "resourcesync/lite";
import { difference, type DiffLine } from "./difference.js";

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

/** The text of a document in UTF-8, with its byte order mark; null if it is not UTF-8. */
export async function text(file: Blob): Promise<string | null> {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
