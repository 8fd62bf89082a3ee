/** The lock of a published folder. */

import { randomUUID } from "node:crypto";
import { linkSync, lstatSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { PublishError } from "./errors.js";

/** Another run is at work, which may end soon. @internal */
export class BusyError extends PublishError {}

/**
 * The lock of a folder, held until it is released. Node cannot hold the lock of the command, so each of them writes its process into a file and
 * then reads that of the other. @internal
 */
export class ProcessLock {
  readonly #place: string;

  constructor(folder: string) {
    this.#place = join(folder, "lock.pid");
    take(this.#place);
    const other = join(folder, "lock");
    const owner = processIn(other);
    if (owner === process.pid || !isAlive(owner)) return;
    this.release();
    throw busy(other, owner);
  }

  release(): void {
    rmSync(this.#place, { force: true });
  }
}

/** True if a file next to a lock is that of a killed process. @internal */
export function isLeft(place: string): boolean {
  const owner = processIn(place);
  return owner > 0 && !isAlive(owner);
}

/** Creates a file with this process, in place of that of a killed one. */
function take(place: string): void {
  // A link appears with its content: another run never reads an empty file, which it would take for that of a killed process.
  const own = `${place}.${randomUUID()}`;
  writeFileSync(own, String(process.pid));
  try {
    while (!linked(own, place)) clear(place);
  } finally {
    rmSync(own, { force: true });
  }
}

function linked(own: string, place: string): boolean {
  try {
    linkSync(own, place);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Removes the file of a killed process. Of those that see it only one removes it, which has the lock of exactly this file. */
function clear(place: string): void {
  const seen = identity(place);
  const owner = processIn(place);
  if (isAlive(owner)) throw busy(place, owner);
  if (seen === undefined) return;
  const own = `${place}.${seen}`;
  take(own);
  try {
    if (identity(place) === seen) rmSync(place, { force: true });
  } finally {
    rmSync(own, { force: true });
  }
}

function identity(place: string): string | undefined {
  const is = lstatSync(place, { bigint: true, throwIfNoEntry: false });
  return is && `${is.ino}-${is.mtimeNs}`;
}

function busy(place: string, owner: number): BusyError {
  return new BusyError(`another run is at work (${place} is of the process ${owner})`);
}

/** The process in a file; 0 if there is none. */
function processIn(place: string): number {
  try {
    return Number(readFileSync(place, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
