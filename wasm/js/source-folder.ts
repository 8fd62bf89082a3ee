/** A published folder of node: a complete new generation replaces the old one atomically, or nothing changes. */

import { createHash, type Hash } from "node:crypto";
import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, readdirSync, readFileSync, readlinkSync, realpathSync, renameSync, rmdirSync, rmSync, symlinkSync, writeFileSync, writeSync, linkSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";

import { PublishError } from "./errors.js";
import type { ChangeHistory, DumpHistory, Published, Store } from "./publish.js";

const MARK = ".generation";

/** The histories of a set, for its next publication. */
export interface SetHistory {
  readonly changes?: ChangeHistory;
  readonly dump?: DumpHistory;
}

interface FileRecord {
  length: number;
  lines?: number;
  sha256?: string;
}

/** What a generation has in addition, if it was published from all resources. @internal */
export interface Extras {
  readonly baseUri: string;
  readonly wanted: string;
  /** The number of changes in the open Change List of each set. */
  readonly open: Readonly<Record<string, number>>;
  /** Other files of the state, by name. */
  readonly parts: Readonly<Record<string, Iterable<string>>>;
}

/** The state of a generation, as the command writes it. @internal */
export interface State {
  format: string;
  formatVersion: number;
  at: string;
  baseUri: string;
  documentsUri: string;
  suffix: string;
  wanted: string;
  setNames?: string[];
  sets: Record<string, { changes: ChangeHistory; open: number; dump?: { history: DumpHistory; files: string[] } }>;
  parts: Record<string, FileRecord>;
  files: Record<string, FileRecord>;
}

/**
 * The folder that a web server serves, as the store of a `Publication`. Files are written to a folder next to it, `PATH.resourcesync`,
 * which must not be published; `publish` atomically replaces the symbolic link at the path. Foreign files in the folder are kept. A
 * failed publication changes nothing.
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
  readonly #state: State | undefined;
  readonly #next: string;
  #file: { fd: number; path: string; length: number; digest: Hash } | undefined;
  #written: Record<string, FileRecord> = {};
  #locked = false;
  /** Set before a publication from all resources is committed. @internal */
  extras: Extras | undefined;

  /** Locks the folder, which is new, empty or was published here. Throws a `PublishError` otherwise. */
  constructor(path: string) {
    const parent = realpathSync(dirname(path));
    this.#out = join(parent, basename(path));
    this.#beside = `${this.#out}.resourcesync`;
    this.#next = join(this.#beside, "next");
    mkdirSync(this.#beside, { recursive: true });
    this.#lock();
    try {
      this.#current = this.#generation();
      const last = Number(read(join(this.#beside, "published")) ?? 0);
      if (this.#current === 0 && last > 0) throw new PublishError(`${path} is not there or empty, but ${this.#beside} has the state of its generation ${last}`);
      this.#clear(this.#current);
      this.#state = this.#current > 0 ? this.#read() : undefined;
      mkdirSync(join(this.#next, "public"), { recursive: true });
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** The histories of a set; `undefined` if it was not published. */
  previous(set = ""): SetHistory | undefined {
    const own = this.#state?.sets[set];
    return own && { changes: own.changes, ...(own.dump && { dump: own.dump.history }) };
  }

  /** The state of the published generation. @internal */
  get state(): State | undefined {
    return this.#state;
  }

  /** The lines of a part of the state. @internal */
  part(name: string): string[] {
    const place = join(this.#beside, String(this.#current), name);
    const known = this.#state?.parts[name];
    if (!known) throw damaged(join(dirname(place), "state.json"), `it has no record of ${name}`);
    let bytes;
    try {
      bytes = readFileSync(place);
    } catch (error) {
      throw damaged(place, (error as Error).message);
    }
    if (createHash("sha256").update(bytes).digest("hex") !== known.sha256) throw damaged(place, "its digest is not that of state.json");
    return bytes.toString().split("\n").slice(0, -1);
  }

  begin(path: string): void {
    const place = join(this.#next, "public", path);
    mkdirSync(dirname(place), { recursive: true });
    this.#file = { fd: openSync(place, "wx"), path, length: 0, digest: createHash("sha256") };
  }

  write(bytes: Uint8Array): void {
    if (!this.#file) throw new PublishError("no file was begun");
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file.fd, bytes, at);
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
    this.#written[file.path] = { length: file.length, ...(!file.path.endsWith(".zip") && { sha256: file.digest.digest("hex") }) };
  }

  /** Replaces the published folder, and stores the histories of its sets. `Publication.publish` calls it. */
  commit(published: Published, at: string, base: string): void {
    const next = join(this.#next, "public");
    for (const path of published.kept) this.#keep(path, next);
    if (this.#state) this.#carry(this.#out, next, "");
    const number = this.#current + 1;
    const { extras } = this;
    const sets = published.sets.flatMap(({ name, changes, dump }) =>
      changes ? [[name, { changes, open: extras?.open[name] ?? 0, ...(dump && { dump: { history: dump, files: [] } }) }] as const] : [],
    );
    const state: State = {
      format: "resourcesync-state",
      formatVersion: 2,
      at,
      baseUri: extras?.baseUri ?? base,
      documentsUri: base,
      suffix: ".xml",
      wanted: extras?.wanted ?? "",
      ...(extras && { setNames: [] }),
      sets: Object.fromEntries(sets),
      parts: Object.fromEntries(Object.entries(extras?.parts ?? {}).map(([name, lines]) => [name, this.#part(name, lines)])),
      files: this.#written,
    };
    put(join(this.#next, "state.json"), `${JSON.stringify(state, undefined, 2)}\n`);
    put(join(next, MARK), `${number}\n`);
    sync(next);
    const known = join(this.#beside, String(number));
    rmSync(known, { recursive: true, force: true });
    renameSync(this.#next, known);
    // A link atomically replaces a link, or nothing; an empty folder is missing for a short time.
    const link = join(this.#beside, "link");
    rmSync(link, { force: true });
    symlinkSync(join(basename(this.#beside), String(number), "public"), link);
    const is = stat(this.#out);
    if (is && !is.isSymbolicLink()) rmdirSync(this.#out);
    renameSync(link, this.#out);
    const last = join(this.#beside, ".published");
    put(last, `${number}\n`);
    renameSync(last, join(this.#beside, "published"));
    sync(this.#beside);
    this.#clear(number);
  }

  /** Unlocks the folder, and removes unpublished files. */
  close(): void {
    if (!this.#locked) return;
    if (this.#file) closeSync(this.#file.fd);
    this.#file = undefined;
    rmSync(this.#next, { recursive: true, force: true });
    rmSync(join(this.#beside, "lock.pid"), { force: true });
    this.#locked = false;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #lock(): void {
    const place = join(this.#beside, "lock.pid");
    for (let tries = 0; ; tries++) {
      try {
        writeFileSync(place, String(process.pid), { flag: "wx" });
        this.#locked = true;
        return;
      } catch (error) {
        const owner = Number(read(place));
        if ((error as NodeJS.ErrnoException).code !== "EEXIST" || tries > 3) throw error;
        if (isAlive(owner)) throw new PublishError(`another run is at work (${place} is of the process ${owner})`);
        rmSync(place, { force: true });
      }
    }
  }

  /** The generation in the marker file of the folder; 0 if there is none. */
  #generation(): number {
    const is = stat(this.#out);
    if (!is) return 0;
    const own = `${basename(this.#beside)}/`;
    const isOurs = is.isSymbolicLink() && readlinkSync(this.#out).startsWith(own);
    const mark = read(join(this.#out, MARK));
    if (mark === undefined && is.isDirectory() && readdirSync(this.#out).length === 0) return 0;
    if (mark === undefined) throw new PublishError(`${this.#out} is not empty and was not published here`);
    if (!isOurs) throw new PublishError(`${this.#out} is a folder, which node cannot replace in one step; publish to another path, or with the command`);
    return Number(mark);
  }

  #read(): State {
    const place = join(this.#beside, String(this.#current), "state.json");
    const text = read(place);
    if (text === undefined) throw new PublishError(`${this.#out} is generation ${this.#current}, which has no state in ${this.#beside}`);
    try {
      const state = JSON.parse(text) as State;
      if (state.format === "resourcesync-state" && state.formatVersion === 2) return state;
    } catch {
      // Reported below.
    }
    throw damaged(place, "it is not the JSON of a state");
  }

  /** Writes a part of the state. */
  #part(name: string, lines: Iterable<string>): FileRecord {
    const fd = openSync(join(this.#next, name), "w");
    const own = { length: 0, lines: 0, digest: createHash("sha256") };
    let held = "";
    const flush = () => {
      const bytes = Buffer.from(held);
      held = "";
      own.length += bytes.length;
      own.digest.update(bytes);
      writeFileSync(fd, bytes);
    };
    try {
      for (const line of lines) {
        held += `${line}\n`;
        own.lines += 1;
        if (held.length > 1 << 16) flush();
      }
      flush();
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    return { length: own.length, lines: own.lines, sha256: own.digest.digest("hex") };
  }

  /** Removes all but one generation. */
  #clear(current: number): void {
    for (const name of readdirSync(this.#beside)) {
      if (name === "next" || (/^\d+$/.test(name) && Number(name) !== current)) rmSync(join(this.#beside, name), { recursive: true, force: true });
    }
  }

  /** Adds a file of the previous generation to the next one, unless it was damaged. */
  #keep(path: string, next: string): void {
    const from = join(this.#out, path);
    const bytes = readFileSync(from);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const known = this.#state?.files[path];
    if (!known || known.length !== bytes.length || (known.sha256 ?? sha256) !== sha256) throw new PublishError(`${from} is damaged: it is not as it was published`);
    mkdirSync(dirname(join(next, path)), { recursive: true });
    linkSync(from, join(next, path));
    this.#written[path] = known;
  }

  /** Carries over foreign files in the folder. */
  #carry(old: string, next: string, relative: string): void {
    for (const entry of readdirSync(join(old, relative), { withFileTypes: true })) {
      const path = relative === "" ? entry.name : `${relative}/${entry.name}`;
      if (entry.isDirectory()) {
        if (readdirSync(join(old, path)).length === 0) mkdirSync(join(next, path), { recursive: true });
        else this.#carry(old, next, path);
        continue;
      }
      if (path === MARK || this.#state?.files[path]) continue;
      mkdirSync(dirname(join(next, path)), { recursive: true });
      try {
        if (entry.isSymbolicLink()) symlinkSync(readlinkSync(join(old, path)), join(next, path));
        else linkSync(join(old, path), join(next, path));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        throw new PublishError(`${join(old, path)} was not published here, and a file of the next generation needs its name; move it away`);
      }
    }
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}

function stat(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function damaged(place: string, why: string): PublishError {
  return new PublishError(`${place} is damaged (${why}): restore it from a backup, or rebuild it with \`resourcesync build --rebuild-state\``);
}

/** Writes a file and syncs it to disk. */
function put(path: string, text: string): void {
  const fd = openSync(path, "w");
  try {
    // Writes everything, or throws.
    writeFileSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Syncs a folder and its subfolders to disk. */
function sync(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) sync(join(folder, entry.name));
  if (process.platform === "win32") return;
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
