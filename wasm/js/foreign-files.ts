/** Files of others in a published folder: they stay from one generation to the next. */

import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, realpathSync, renameSync, rmSync, symlinkSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join, normalize } from "node:path";

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

/**
 * Carries files of others, and empty folders, over from one folder to another. If it `isMoved`, that one will be two folders deeper, and links out of
 * it lead to where they led. Throws a `PublishError` if the other has a file of that name.
 */
export function carry(old: string, next: string, isOwn: (path: string) => boolean, isMoved: boolean, relative = ""): Carried[] {
  return readdirSync(join(old, relative), { withFileTypes: true }).flatMap((entry) => {
    const path = relative === "" ? entry.name : `${relative}/${entry.name}`;
    const [from, to] = [join(old, path), join(next, path)];
    if (entry.isDirectory()) {
      if (readdirSync(from).length === 0) mkdirSync(to, { recursive: true });
      return carry(old, next, isOwn, isMoved, path);
    }
    if (isOwn(path)) return [];
    const version = versionOf(from);
    try {
      copy(old, path, to, isMoved);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      throw new PublishError(`${from} was not published here, and a file of the next generation needs its name; move it away`);
    }
    return [{ path, version }];
  });
}

/** Repeats what happened to these files after they were carried over: they were added, replaced or removed. Returns what could not be repeated. */
export function carryLate(old: string, next: string, carried: readonly Carried[], isOwn: (path: string) => boolean, isMoved: boolean): string[] {
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
    else if (now !== version) attempt(path, () => replace(old, path, to, isMoved));
  }
  const known = new Set(carried.map(({ path }) => path));
  for (const path of filesBelow(old, "")) {
    if (known.has(path) || isOwn(path) || stat(join(next, path))) continue;
    attempt(path, () => copy(old, path, join(next, path), isMoved));
  }
  return warnings;
}

/** What tells the versions of a file apart; `undefined` if there is none. */
function versionOf(path: string): string | undefined {
  const is = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return is && `${is.ino} ${is.size} ${is.mtimeNs}`;
}

/** Puts a file in the place of another one in one step. */
function replace(folder: string, path: string, to: string, isMoved: boolean): void {
  const late = `${to}.late`;
  copy(folder, path, late, isMoved);
  try {
    renameSync(late, to);
  } catch (error) {
    rmSync(late, { force: true });
    throw error;
  }
}

/** Adds a file of a folder as a hard link, or a symbolic link as it is, unless it is moved and leads out of the folder. */
function copy(folder: string, path: string, to: string, isMoved: boolean): void {
  const from = join(folder, path);
  mkdirSync(dirname(to), { recursive: true });
  if (!stat(from)?.isSymbolicLink()) return linkSync(from, to);
  const target = readlinkSync(from);
  const isOut = !isAbsolute(target) && /^\.\.(?:[/\\]|$)/.test(normalize(join(dirname(path), target)));
  symlinkSync(isMoved && isOut ? join("../..", target) : target, to);
}
