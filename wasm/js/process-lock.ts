/** The lock of a published folder. */

import { randomUUID } from "node:crypto";
import { linkSync, lstatSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { PublishError } from "./errors.js";

/** Another run is at work, which may end soon. @internal */
export class BusyError extends PublishError {}

/** Says when the process of `lock.pid` began: the first process of each container has the same number. */
const BEGUN = "lock.begun";

/**
 * The lock of a folder, held until it is released. Node cannot hold the lock of the command, so each of them writes its process into a file and
 * then reads that of the other. @internal
 */
export class ProcessLock {
  readonly #place: string;
  readonly #begun: string;

  constructor(folder: string) {
    this.#place = join(folder, "lock.pid");
    this.#begun = join(folder, BEGUN);
    take(this.#place);
    try {
      // The lock that is meant comes last, so that a text that is not whole says nothing.
      writeFileSync(this.#begun, `${beginOf(process.pid)} ${identity(this.#place)}`);
      const other = join(folder, "lock");
      const owner = processIn(other);
      if (owner !== process.pid && isAlive(owner) && mayHoldLock(owner, other)) throw busy(other, owner);
    } catch (error) {
      this.release();
      throw error;
    }
  }

  release(): void {
    rmSync(this.#begun, { force: true });
    rmSync(this.#place, { force: true });
  }
}

/** True if a file next to a lock is that of a killed process. @internal */
export function isLeft(place: string): boolean {
  const owner = processIn(place);
  return owner > 0 && !isHeld(place, owner);
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
  if (isHeld(place, owner)) throw busy(place, owner);
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
  return Number(read(place));
}

function read(place: string): string {
  try {
    return readFileSync(place, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/** True unless the process in a file of this package has ended, as far as that is known. */
function isHeld(place: string, owner: number): boolean {
  if (!isAlive(owner)) return false;
  const begun = read(join(dirname(place), BEGUN));
  const [now, end] = [beginOf(owner), ` ${identity(place)}`];
  return now === "" || begun === end || !begun.endsWith(end) || begun === `${now}${end}`;
}

/** What tells a process of Linux apart from those that had its number before; "" if that is not known. */
function beginOf(pid: number): string {
  const [boot, ticks] = [proc("sys/kernel/random/boot_id"), ticksOf(pid)];
  return boot === undefined || ticks === undefined ? "" : `${boot.trim()} ${ticks}`;
}

/** When a process of Linux began, in hundredths of a second since the system did. */
function ticksOf(pid: number): string | undefined {
  const stat = proc(`${pid}/stat`);
  // The name of the program is in parentheses, and may contain any others.
  return stat?.slice(stat.lastIndexOf(")")).split(" ")[20];
}

/**
 * True unless a living process is another one than that whose number is in the lock of the command: it began after the number was written, and
 * has no lock of the system. The latter alone proves nothing, since not every file system lists its locks.
 */
function mayHoldLock(pid: number, place: string): boolean {
  const [locks, boot, ticks] = [proc("locks"), /^btime (\d+)$/m.exec(proc("stat") ?? "")?.[1], ticksOf(pid)];
  if (locks === undefined || boot === undefined || ticks === undefined) return true;
  const hasLock = locks.split("\n").some((line) => line.split(/\s+/).includes(String(pid)));
  // The time of the boot is in whole seconds, and so rather too early.
  return hasLock || Number(boot) * 1000 + Number(ticks) * 10 <= (lstatSync(place, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

/** A file of `/proc`, unless it is missing, or has the numbers that processes have elsewhere. */
function proc(name: string): string | undefined {
  try {
    return readlinkSync("/proc/self") === String(process.pid) ? readFileSync(`/proc/${name}`, "latin1") : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
