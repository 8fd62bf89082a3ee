/** The files of a folder in the order of the command, sorted by name. */

import { readdirSync, realpathSync, statSync, type Dirent, type PathLike, type Stats } from "node:fs";
import { sep } from "node:path";

import { SourceError } from "../errors.js";
import { glue, inside } from "../module.js";
import type { Step } from "../run.js";
import { sourceError } from "./trouble.js";

/** A step of a run, or a file to read. */
type Found = Step | { readonly path: Buffer; readonly name: string };

/** Adds the files of a folder, recursively. */
export function* folder(path: string, name: string): Generator<Found> {
  yield* below(Buffer.from(path), name.replace(/\/+$/, ""), real(Buffer.from(path)));
}

/** Paths are bytes, since names need not be text. */
function* below(path: Buffer, name: string, root: string | undefined): Generator<Found> {
  let inside;
  try {
    inside = readdirSync(path, { withFileTypes: true, encoding: "buffer" });
  } catch (error) {
    yield { source: nothing(sourceError(error)), name, via: "folder" };
    return;
  }
  inside.sort((one, other) => Buffer.compare(one.name, other.name));
  for (const entry of inside) {
    const [own, called] = [Buffer.concat([path, Buffer.from("/"), entry.name]), `${name}/${entry.name.toString()}`];
    if (entry.isDirectory()) yield* below(own, called, root);
    else yield* file(own, called, root, entry);
  }
}

function* file(path: Buffer, name: string, root: string | undefined, entry: Dirent<Buffer>): Generator<Found> {
  const stat = lookup(path);
  const is = stat instanceof SourceError ? undefined : stat;
  if (is?.isDirectory()) {
    yield { skip: { code: "folder-link" }, name };
    return;
  }
  if (!inside(() => glue.countsInFolder(name))) return;
  if (stat instanceof SourceError) yield { source: nothing(stat), name, via: "folder" };
  // A link must not make anything outside the folder part of a report.
  else if (entry.isSymbolicLink() && (root === undefined || !real(path)?.startsWith(root))) yield { skip: { code: "link-out-of-folder" }, name };
  else if (stat.isFile()) yield { path, name };
  else yield { skip: { code: "not-regular-file" }, name };
}

/** What is at a path, or why that is not known. */
export function lookup(path: PathLike): Stats | SourceError {
  try {
    return statSync(path);
  } catch (error) {
    return sourceError(error);
  }
}

/** A real path with a separator at its end, one letter for each byte. */
function real(path: Buffer): string | undefined {
  try {
    return `${realpathSync.native(path, "latin1").replace(/[/\\]$/, "")}${sep}`;
  } catch {
    return undefined;
  }
}

/** A source that cannot be read. */
export async function* nothing(error: SourceError): AsyncGenerator<Uint8Array> {
  throw error;
}
