/** A published folder of node: a complete new generation replaces the old one atomically, or nothing changes. */

import { createHash, type Hash } from "node:crypto";
import { closeSync, fsyncSync, ftruncateSync, linkSync, mkdirSync, openSync, readdirSync, readFileSync, readlinkSync, readSync, realpathSync, renameSync, rmdirSync, rmSync, symlinkSync, truncateSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";

import { PublishError } from "./errors.js";
import { carry, carryLate, checkMounts, filesBelow, stat } from "./foreign-files.js";
import { isLeft, ProcessLock } from "./process-lock.js";
import type { ChangeHistory, DumpHistory, Published, Store } from "./publish.js";
import { free, glue, inside } from "./publish-module.js";

const MARK = ".generation";
/** The parts of the state in addition to `state.json`. */
const PARTS = ["inventory.jsonl", "changes.jsonl"];
/** The index of the inventory. */
const INDEX = "inventory.index";
/** The publications of changes since the parts were written. */
const LOG = "changes.log";
/** The notifications of a publication, and those that wait for hubs. */
const [PAYLOADS, OUTBOX] = ["payloads.jsonl", "outbox.jsonl"];
const WINDOW = 1 << 17;

/** A staged file. */
interface Staged {
  path: string;
  length: number;
  sha256: string;
}

/** The histories of a set, for its next publication. */
export interface SetHistory {
  readonly changes?: ChangeHistory;
  readonly dump?: DumpHistory;
}

/**
 * The folder that a web server serves, as the store of a `Publication`. Files are written to a folder next to it, `PATH.resourcesync`,
 * which must not be published; `publish` atomically replaces the symbolic link at the path. Foreign files in the folder are kept. A
 * failed publication changes nothing. Open one for each publication.
 *
 * ```js
 * const folder = new SourceFolder("public");
 * try {
 *   const source = new Publication("https://example.com/", new Date().toISOString(), { store: folder });
 *   source.set("", "https://example.com/about");
 *   await source.resourceList(resources);
 *   await source.changeLists(folder.previous()?.changes ?? at, changes);
 *   await source.publish();
 * } finally {
 *   folder.close();
 * }
 * ```
 */
export class SourceFolder implements Store {
  readonly #out: string;
  readonly #beside: string;
  readonly #current: number;
  /** The state of the published generation. */
  readonly #state: glue.PublishState | undefined;
  readonly #next: string;
  #file: { fd: number; path: string; length: number; digest: Hash } | undefined;
  #written: Staged[] = [];
  readonly #lock: ProcessLock;
  #isOpen = true;
  #isReplaced = false;
  /** The folder that files are written to. */
  #to: string;
  #log = 0;
  /** What the operator should know about notifications. @internal */
  readonly warnings: string[] = [];

  /** Locks the folder, which is new, empty or was published before, here or by another face. Throws a `PublishError` otherwise. */
  constructor(path: string) {
    this.#out = placeOf(path);
    this.#beside = `${this.#out}.resourcesync`;
    this.#next = join(this.#beside, "next");
    this.#to = join(this.#next, "public");
    mkdirSync(this.#beside, { recursive: true });
    this.#lock = new ProcessLock(this.#beside);
    try {
      this.#resume();
      this.#current = this.#generation();
      if (this.#current === 0 && this.#last() > 0) throw new PublishError(`${path} is not there or empty, but ${this.#beside} has the state of its generation ${this.#last()}`);
      this.#clear(this.#current);
      this.#state = this.#current > 0 ? this.#read() : undefined;
      // What a killed run published and did not add to the outbox is added before its generation is replaced.
      this.#announce(this.#current);
      mkdirSync(this.#to, { recursive: true });
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The histories of a set; `undefined` if it was not published. */
  previous(set = ""): SetHistory | undefined {
    return inside(() => this.#state?.previous(set)) as SetHistory | undefined;
  }

  /** Throws a `PublishError` if events of other programs wait: published later, they would undo what is published now. @internal */
  checkJournal(): void {
    const waiting = ["journal", "journal.taken"].map((name) => join(this.#beside, name)).find((place) => stat(place));
    if (waiting !== undefined) throw new PublishError(`events of a program in Python wait in ${waiting}: publish them first, with its \`Source\` or with \`resourcesync build --changes - --out ${this.#out} </dev/null\``);
  }

  /** A copy of the state of the published generation. @internal */
  copyOfState(): glue.PublishState | undefined {
    return inside(() => this.#state?.copy());
  }

  /** Reads the parts of the state of the published generation. @internal */
  readParts(take: (name: string, bytes: Uint8Array) => void): void {
    for (const name of this.#state ? PARTS : []) this.#part(name, (place) => each(place, (bytes) => take(name, bytes)));
  }

  /** Reads a part of the state, which is not missing. */
  #part<T>(name: string, read: (place: string) => T): T {
    const place = join(this.#known(this.#current), name);
    try {
      return read(place);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      throw new PublishError(`${place} is damaged (it is missing): restore it from a backup, or rebuild it with \`resourcesync build --rebuild-state\``);
    }
  }

  /** True if the folder was published before. @internal */
  get isPublished(): boolean {
    return this.#state !== undefined;
  }

  /** The length of the log. @internal */
  get log(): number {
    return this.#log;
  }

  /** A whole part of the state. @internal */
  readPart(name: string): Uint8Array {
    return this.#part(name, (place) => readFileSync(place));
  }

  /** Bytes of the inventory. @internal */
  readBlock(offset: number, length: number): Uint8Array {
    const [fd, bytes] = [openSync(join(this.#known(this.#current), "inventory.jsonl"), "r"), new Uint8Array(length)];
    try {
      let read = 0;
      for (let more; read < length && (more = readSync(fd, bytes, read, length - read, offset + read)) > 0; read += more);
      return bytes.subarray(0, read);
    } finally {
      closeSync(fd);
    }
  }

  /** Files written from now on are staged, in a folder of the state. @internal */
  stage(folder: string): void {
    this.#to = join(this.#known(this.#current), folder, "public");
    mkdirSync(this.#to, { recursive: true });
    this.#written = [];
  }

  /** The staged files. @internal */
  get staged(): readonly Staged[] {
    return this.#written;
  }

  /** Removes what was staged, if it is not published. @internal */
  withdraw(folder: string): void {
    rmSync(join(this.#known(this.#current), folder), { recursive: true, force: true });
  }

  /** Publishes the staged files: appends the publication to the log, and moves them to their places. @internal */
  place(folder: string, bytes: Uint8Array, places: readonly string[]): void {
    const known = this.#known(this.#current);
    const from = join(known, folder);
    for (const { path } of this.#written) {
      if (!inside(() => this.#state?.hasFile(path)) && stat(join(this.#out, path))) throw new PublishError(`${join(this.#out, path)} was not published here, and a file of the publication needs its name; move it away`);
    }
    sync(from);
    const log = join(known, LOG);
    const fd = openSync(log, "a");
    try {
      writeAll(fd, bytes, log);
      fsyncSync(fd);
    } catch (error) {
      // The log is cut before the staged files are removed, by which the next run recognizes what is not whole.
      ftruncateSync(fd, this.#log);
      fsyncSync(fd);
      throw error;
    } finally {
      closeSync(fd);
    }
    syncOne(known);
    this.#move(from, places);
    this.#announcePublished(this.#current);
  }

  /** Writes the payloads of what is written, which become part of its state. @internal */
  putPayloads(bytes: Uint8Array): void {
    const rest = [bytes, new Uint8Array()];
    put(join(dirname(this.#to), PAYLOADS), () => rest.shift() as Uint8Array);
  }

  /** A topic without a new payload stays as it is; it is empty before the first. @internal */
  keepTopic(path: string): void {
    if (this.#state && stat(join(this.#out, path))?.isFile()) return this.#keep(path, this.#to, false);
    this.begin(path);
    this.end();
  }

  /** Opens the outbox for a function, which also gets one that appends to its file: what is appended is on disk afterwards. @internal */
  async withOutbox<T>(work: (outbox: glue.PublishOutbox, append: (bytes: Uint8Array) => void) => Promise<T>): Promise<T> {
    const { outbox, append, close } = this.#outbox();
    try {
      return await work(outbox, append);
    } finally {
      close();
    }
  }

  #outbox(): { outbox: glue.PublishOutbox; append: (bytes: Uint8Array) => void; close: () => void } {
    const place = join(this.#beside, OUTBOX);
    const journal = stat(place) ? readFileSync(place) : new Uint8Array();
    const outbox = inside(() => new glue.PublishOutbox(journal, place));
    let fd: number | undefined;
    const close = () => {
      if (fd !== undefined) closeSync(fd);
      this.warnings.push(...inside(() => outbox.warnings()));
      free(outbox);
    };
    const append = (bytes: Uint8Array) => {
      if (bytes.length === 0) return;
      const isNew = fd === undefined && !stat(place);
      fd ??= openSync(place, "a");
      writeAll(fd, bytes, place);
      fsyncSync(fd);
      if (isNew) syncOne(this.#beside);
    };
    try {
      const compacted = inside(() => outbox.compacted());
      if (compacted) {
        const [own, rest] = [`${place}.${process.pid}`, [compacted, new Uint8Array()]];
        put(own, () => rest.shift() as Uint8Array);
        renameSync(own, place);
        syncOne(this.#beside);
      }
    } catch (error) {
      close();
      throw error;
    }
    return { outbox, append, close };
  }

  /** Adds the payloads of a published generation to the outbox, unless they were already added. */
  #announce(generation: number): void {
    const place = join(this.#known(generation), PAYLOADS);
    if (!stat(place)) return;
    const { outbox, append, close } = this.#outbox();
    try {
      each(place, (bytes) => append(inside(() => outbox.take(bytes, place))));
      inside(() => outbox.taken(place));
    } finally {
      close();
    }
  }

  /** The same for a generation that was just published: it stays published whatever happens, and the next publication adds what is missing. */
  #announcePublished(generation: number): void {
    try {
      this.#announce(generation);
    } catch (error) {
      this.warnings.push(`published, but the notifications are not in the outbox (${(error as Error).message}); the next publication adds them`);
    }
  }

  /** Moves staged files to their places. */
  #move(from: string, places: readonly string[]): void {
    const above = new Set<string>();
    for (const name of places) {
      const place = name.startsWith("public/") ? join(this.#out, name.slice("public/".length)) : join(this.#known(this.#current), name);
      mkdirSync(dirname(place), { recursive: true });
      renameSync(join(from, name), place);
      above.add(dirname(place));
    }
    for (const folder of above) syncOne(folder);
    rmSync(from, { recursive: true, force: true });
  }

  /** Writes the parts of the state of the next generation; an empty array ends one. @internal */
  writeParts(next: (name: string) => Uint8Array): void {
    for (const name of [...PARTS, INDEX]) put(join(this.#next, name), () => next(name));
  }

  begin(path: string): void {
    if (this.#isReplaced) throw new PublishError("a SourceFolder publishes once: close it, and open another one");
    const place = join(this.#to, path);
    mkdirSync(dirname(place), { recursive: true });
    this.#file = { fd: openSync(place, "wx"), path, length: 0, digest: createHash("sha256") };
  }

  write(bytes: Uint8Array): void {
    if (!this.#file) throw new PublishError("no file was begun");
    writeAll(this.#file.fd, bytes, join(this.#to, this.#file.path));
    this.#file.length += bytes.length;
    this.#file.digest.update(bytes);
  }

  end(): void {
    const file = this.#file;
    if (!file) return;
    this.#file = undefined;
    try {
      fsyncSync(file.fd);
    } finally {
      closeSync(file.fd);
    }
    this.#written.push({ path: file.path, length: file.length, sha256: file.digest.digest("hex") });
  }

  /** Replaces the published folder, and stores the histories of its sets. `Publication.publish` calls it. */
  commit(published: Published, at: string, base: string): void {
    const sets = published.sets.map(({ name, changes, dump }) => ({ name, changes, dump }));
    this.replace(inside(() => glue.PublishState.of(at, base, sets)), published.kept);
  }

  /** Replaces the published folder with the next generation and its state. @internal */
  replace(state: glue.PublishState, kept: readonly string[]): void {
    const next = join(this.#next, "public");
    for (const path of kept) this.#keep(path, next, true);
    const isOwn = (path: string) => path === MARK || inside(() => this.#state?.hasFile(path)) === true;
    if (this.#state) checkMounts(this.#out);
    // A folder of the command moves into that of its state.
    const isMoved = stat(this.#out)?.isDirectory() === true;
    const carried = this.#state ? carry(this.#out, next, isOwn, isMoved) : [];
    const number = this.#current + 1;
    for (const { path, length, sha256 } of this.#written) inside(() => state.addFile(path, length, sha256));
    put(join(this.#next, "state.json"), inside(() => state.text()));
    free(state);
    put(join(next, MARK), `${number}\n`);
    sync(next);
    const known = this.#known(number);
    rmSync(known, { recursive: true, force: true });
    renameSync(this.#next, known);
    this.#isReplaced = true;
    this.#exchange(number);
    // The generation is published: what fails now leaves a file as it was carried over.
    if (this.#state) this.warnings.push(...carryLate(join(this.#known(this.#current), "public"), join(known, "public"), carried, isOwn, isMoved));
    try {
      const last = join(this.#beside, ".published");
      put(last, `${number}\n`);
      renameSync(last, join(this.#beside, "published"));
      sync(this.#beside);
    } catch {
      // The next publication makes up for it.
    }
    this.#announcePublished(number);
    this.#clear(number);
  }

  /** Unlocks the folder, and removes unpublished files. */
  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      if (this.#file) closeSync(this.#file.fd);
      this.#file = undefined;
      free(this.#state);
      rmSync(this.#next, { recursive: true, force: true });
    } finally {
      this.#lock.release();
    }
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** The folder with the state of a generation. */
  #known(generation: number): string {
    return join(this.#beside, String(generation));
  }

  /** The generation that was published last; 0 if unknown. */
  #last(): number {
    return Number(read(join(this.#beside, "published")) ?? 0);
  }

  /** Replaces the published folder with a generation: atomically, unless it is still a folder and not a link. */
  #exchange(number: number): void {
    const link = join(this.#beside, "link");
    rmSync(link, { force: true });
    symlinkSync(join(basename(this.#beside), String(number), "public"), link);
    const is = stat(this.#out);
    if (is && !is.isSymbolicLink()) {
      const old = join(this.#known(this.#current), "public");
      if (this.#current === 0) rmdirSync(this.#out);
      else {
        // The command may keep the generation before it there.
        rmSync(old, { recursive: true, force: true });
        renameSync(this.#out, old);
      }
    }
    renameSync(link, this.#out);
  }

  /** Puts a folder back that a killed run had moved away to replace it with a link. */
  #resume(): void {
    const last = this.#last();
    const old = join(this.#known(last), "public");
    const link = join(this.#beside, "link");
    if (stat(this.#out) || !stat(link) || read(join(old, MARK)) !== String(last)) return;
    symlinkSync(join(basename(this.#beside), String(last), "public"), this.#out);
    rmSync(link);
  }

  /** The generation in the marker file of the folder; 0 if there is none. */
  #generation(): number {
    const is = stat(this.#out);
    if (!is) return 0;
    const mark = read(join(this.#out, MARK));
    if (mark !== undefined) {
      if (!/^[1-9]\d*$/.test(mark)) throw new PublishError(`${join(this.#out, MARK)} does not name a generation`);
      return Number(mark);
    }
    if (is.isDirectory() && readdirSync(this.#out).length === 0) return 0;
    throw new PublishError(`${this.#out} is not empty and was not published here`);
  }

  #read(): glue.PublishState {
    const folder = this.#known(this.#current);
    const text = read(join(folder, "state.json"));
    if (text === undefined) throw new PublishError(`${this.#out} is generation ${this.#current}, which has no state in ${this.#beside}`);
    const state = inside(() => new glue.PublishState(text, folder));
    const log = stat(join(folder, LOG)) ? readFileSync(join(folder, LOG)) : new Uint8Array();
    const staged = readdirSync(folder).find((name) => name.startsWith("staged."));
    const files = staged === undefined ? [] : filesBelow(join(folder, staged), "");
    const number = staged === undefined ? undefined : Number(staged.slice("staged.".length));
    const left = inside(() => state.applyLog(log, number, files)) as { complete?: string[]; withdraw?: number } | undefined;
    this.#log = left?.withdraw ?? log.length;
    if (left?.withdraw !== undefined && log.length > 0) {
      truncateSync(join(folder, LOG), left.withdraw);
    }
    if (left && staged !== undefined) this.#move(join(folder, staged), left.complete ?? []);
    return state;
  }

  /** Removes all but one generation, and the files of killed runs. */
  #clear(current: number): void {
    for (const name of readdirSync(this.#beside)) {
      const isOld = name === "next" || (/^\d+$/.test(name) && Number(name) !== current && isGeneration(join(this.#beside, name)));
      if (isOld || (name.startsWith("lock.pid.") && isLeft(join(this.#beside, name)))) rmSync(join(this.#beside, name), { recursive: true, force: true });
    }
  }

  /** Adds a file of the previous generation to the next one; one that is checked must not be damaged. */
  #keep(path: string, next: string, isChecked: boolean): void {
    const from = join(this.#out, path);
    const digest = createHash("sha256");
    let length = 0;
    each(from, (bytes) => {
      digest.update(bytes);
      length += bytes.length;
    });
    const sha256 = digest.digest("hex");
    if (isChecked && !inside(() => this.#state?.isIntact(path, length, sha256))) throw new PublishError(`${from} is damaged: it is not as it was published`);
    mkdirSync(dirname(join(next, path)), { recursive: true });
    linkSync(from, join(next, path));
    this.#written.push({ path, length, sha256 });
  }
}

/** True for a folder that has, as far as its removal was not interrupted, what a generation has. */
function isGeneration(folder: string): boolean {
  const parts = ["public", "state.json", INDEX, LOG, PAYLOADS, ...PARTS];
  return readdirSync(folder).length === 0 || parts.some((part) => stat(join(folder, part)));
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

/** The path of a published folder, in a real folder; a foreign link is followed. */
function placeOf(path: string): string {
  const own = `${basename(path)}.resourcesync`;
  const isForeign = stat(path)?.isSymbolicLink() && !readlinkSync(path).startsWith(`${own}/`);
  const real = isForeign ? realpathSync(path) : path;
  return join(realpathSync(dirname(real)), basename(real));
}

/** The state of what is published at a path, read without locking it; `undefined` if there is none, or it is being replaced. @internal */
export function stateOf(path: string): string | undefined {
  const out = stat(dirname(path)) ? placeOf(path) : path;
  const mark = read(join(out, MARK));
  return mark === undefined ? undefined : read(join(`${out}.resourcesync`, basename(mark), "state.json"));
}

/** Reads a file in windows. */
function each(path: string, take: (bytes: Uint8Array) => void): void {
  const [fd, window] = [openSync(path, "r"), new Uint8Array(WINDOW)];
  try {
    for (let length; (length = readSync(fd, window)) > 0; ) take(window.subarray(0, length));
  } finally {
    closeSync(fd);
  }
}

/** Writes bytes to an open file, which an error names. */
function writeAll(fd: number, bytes: Uint8Array, path: string): void {
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
  } catch (error) {
    throw new PublishError(`${path} could not be written: ${(error as Error).message}`, { cause: error });
  }
}

/** Writes a file, from a text or from bytes until there are none, and syncs it to disk. */
function put(path: string, content: string | (() => Uint8Array)): void {
  const fd = openSync(path, "w");
  try {
    if (typeof content === "string") writeAll(fd, Buffer.from(content), path);
    else for (let bytes; (bytes = content()).length > 0; ) writeAll(fd, bytes, path);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Syncs a folder and its subfolders to disk. */
function sync(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) sync(join(folder, entry.name));
  syncOne(folder);
}

/** Syncs the names in a folder to disk. */
function syncOne(folder: string): void {
  if (process.platform === "win32") return;
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
