/** Files of others in a published folder: they stay from one generation to the next. */

import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, realpathSync, renameSync, rmSync, symlinkSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";

import { PublishError } from "./errors.js";

/** A file that was carried over, in this version. */
export interface Carried {
  path: string;
  version: string | undefined;
}

/** What is at a path, without following a link; `undefined` if there is nothing. */
export function stat(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** The paths of all files below a folder, with `/` as separator. */
export function filesBelow(folder: string, prefix: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${prefix}${entry.name}`;
    return entry.isDirectory() ? filesBelow(join(folder, entry.name), `${path}/`) : [path];
  });
}

/** Throws a `PublishError` if something is mounted below a folder, as far as the system tells: it would go with the folder. */
export function checkMounts(folder: string): void {
  const real = realpathSync(folder);
  let table: string;
  try {
    table = readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return;
  }
  for (const line of table.split("\n")) {
    // White space and backslashes are octal.
    const place = (line.split(" ")[4] ?? "").replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(parseInt(code, 8)));
    if (place.startsWith(`${real}/`)) throw new PublishError(`${place} is mounted, and a publication replaces ${folder} as a whole; unmount it, or publish to another folder`);
  }
}

/** Carries files of others, and empty folders, over from one folder to another. Throws a `PublishError` if the other has a file of that name. */
export function carry(old: string, next: string, isOwn: (path: string) => boolean, relative = ""): Carried[] {
  return readdirSync(join(old, relative), { withFileTypes: true }).flatMap((entry) => {
    const path = relative === "" ? entry.name : `${relative}/${entry.name}`;
    const [from, to] = [join(old, path), join(next, path)];
    if (entry.isDirectory()) {
      if (readdirSync(from).length === 0) mkdirSync(to, { recursive: true });
      return carry(old, next, isOwn, path);
    }
    if (isOwn(path)) return [];
    const version = versionOf(from);
    try {
      copy(from, to);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      throw new PublishError(`${from} was not published here, and a file of the next generation needs its name; move it away`);
    }
    return [{ path, version }];
  });
}

/** Repeats what happened to these files after they were carried over: they were added, replaced or removed. Returns what could not be repeated. */
export function carryLate(old: string, next: string, carried: readonly Carried[], isOwn: (path: string) => boolean): string[] {
  // Without the old folder nothing is known of its files, and least of all that they were removed.
  if (!stat(old)?.isDirectory()) return [];
  const warnings: string[] = [];
  const attempt = (path: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      warnings.push(`${join(old, path)} was changed meanwhile, and that could not be kept: ${(error as Error).message}`);
    }
  };
  for (const { path, version } of carried) {
    const [from, to] = [join(old, path), join(next, path)];
    const now = versionOf(from);
    if (now === undefined) attempt(path, () => rmSync(to, { force: true }));
    else if (now !== version) attempt(path, () => replace(from, to));
  }
  const known = new Set(carried.map(({ path }) => path));
  for (const path of filesBelow(old, "")) {
    if (known.has(path) || isOwn(path) || stat(join(next, path))) continue;
    attempt(path, () => copy(join(old, path), join(next, path)));
  }
  return warnings;
}

/** What tells the versions of a file apart; `undefined` if there is none. */
function versionOf(path: string): string | undefined {
  const is = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return is && `${is.ino} ${is.size} ${is.mtimeNs}`;
}

/** Puts a file in the place of another one in one step. */
function replace(from: string, to: string): void {
  const late = `${to}.late`;
  copy(from, late);
  try {
    renameSync(late, to);
  } catch (error) {
    rmSync(late, { force: true });
    throw error;
  }
}

/** Adds a file as a hard link, or a symbolic link as it is. */
function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  if (stat(from)?.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else linkSync(from, to);
}
