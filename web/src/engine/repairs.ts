// Counts what can be repaired in documents, before the user asks for it.

import { init, repair } from "resourcesync/lite";
import { text } from "./fix.js";

/** The repairs of a document. */
export interface Repairs {
  /** Repairs that need nothing else. */
  certain: number;
  /** More repairs that need to know the time zone of datetimes without one. */
  zoned: number;
}

/** Counts the repairs of each document; none in one that cannot be repaired. */
export async function repairs(files: readonly Blob[], wasm: WebAssembly.Module): Promise<Repairs[]> {
  await init(wasm);
  const all: Repairs[] = [];
  for (const file of files) all.push(await of(file).catch(() => ({ certain: 0, zoned: 0 })));
  return all;
}

async function of(file: Blob): Promise<Repairs> {
  const [one, two] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const own = one === 0x1f && two === 0x8b ? null : await text(file);
  if (own === null) return { certain: 0, zoned: 0 };
  const certain = repair(own).repairs.length;
  return { certain, zoned: Math.max(0, repair(own, { zone: "Z" }).repairs.length - certain) };
}
