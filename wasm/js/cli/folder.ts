/** The files of a folder in the order of the command, sorted by name. */

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import type { SourceError } from "../errors.js";
import { glue, inside } from "../module.js";
import type { Step } from "../run.js";
import { sourceError } from "./trouble.js";

/** Adds the files of a folder, recursively. */
export function* folder(path: string, name: string): Generator<Step | { readonly path: string; readonly name: string }> {
  const own = name.replace(/\/+$/, "");
  let inside;
  try {
    inside = readdirSync(path, { withFileTypes: true });
  } catch (error) {
    yield { source: nothing(sourceError(error)), name: own, via: "folder" };
    return;
  }
  inside.sort((one, other) => Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)));
  for (const entry of inside) {
    const [below, called] = [join(path, entry.name), `${own}/${entry.name}`];
    if (entry.isDirectory()) yield* folder(below, called);
    else yield* file(below, called);
  }
}

function* file(path: string, name: string): Generator<Step | { readonly path: string; readonly name: string }> {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) {
    yield { skip: { code: "folder-link" }, name };
    return;
  }
  if (!inside(() => glue.countsInFolder(name))) return;
  if (stat?.isFile()) yield { path, name };
  else if (stat) yield { skip: { code: "not-regular-file" }, name };
  else yield { source: nothing(sourceError({ code: "ENOENT" })), name, via: "folder" };
}

/** A source that cannot be read. */
export async function* nothing(error: SourceError): AsyncGenerator<Uint8Array> {
  throw error;
}
