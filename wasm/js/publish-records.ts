/** Publishes all records of a repository, with the changes since the last call. */

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

import type { Accepted, BuildOptions } from "./build.js";
import { Builder } from "./build.js";
import { BUILD_OPTIONS, iterable, known, maybeText, text } from "./check-args.js";
import { OptionError, PublishError, RefusedError } from "./errors.js";
import { asText, type GivenEntry } from "./given.js";
import { init } from "./loading.js";
import type { Entry } from "./model.js";
import { glue, inside } from "./module.js";
import { Publication, type ChangeHistory, type OnRefused } from "./publish.js";
import { SourceFolder, type State } from "./source-folder.js";

/** How records are published. */
export interface PublishOptions extends BuildOptions {
  /** The URI at which the folder is published, if the resources have another base. */
  documentsUri?: string | undefined;
  /** The time of the publication; now by default. */
  at?: string | undefined;
  /** A document that describes the Source; by default a page is generated. */
  describedby?: string | undefined;
  /**
   * Maximum deletions, as a number or a percentage such as `25%`. By default 20, or a tenth of the published resources, but never all of
   * them.
   */
  maxDelete?: number | string | undefined;
  /** The required number of records: exact, or a minimum percentage of the published ones. */
  expectEntries?: number | string | undefined;
  /** Closes the open Change List at this number of changes (10,000), or at an age such as `7d`. */
  rotate?: number | string | undefined;
  /** The number of closed Change Lists to keep; all by default. */
  keep?: number | undefined;
  /** Publishes even if nothing changed. */
  force?: boolean | undefined;
  /**
   * Called with each rejected record and the error; the others are published. What is published of a rejected record stays as it is. If the
   * URI of one cannot be read, nothing is published as deleted, and `warnings` says so.
   */
  onRefused?: OnRefused | undefined;
}

/** The result of publishing records. */
export interface PublishedRecords {
  /** The time of the publication: that of the existing one if nothing changed. */
  readonly at: string;
  readonly changed: boolean;
  readonly resources: number;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly refused: number;
  /** The changes that were published, sorted by set, time and URI; none in the first publication. */
  readonly changes: readonly PublishedChange[];
  /** The files written, in order. */
  readonly written: readonly string[];
  /** Files of earlier publications that are still referenced. */
  readonly kept: readonly string[];
  readonly warnings: readonly string[];
  /** Findings that did not prevent publishing. */
  readonly accepted: Accepted;
}

/** A change that was published. */
export interface PublishedChange {
  readonly change: "created" | "updated" | "deleted";
  readonly uri: string;
  /** The set of the resource; `""` without sets. */
  readonly set: string;
  readonly datetime: string;
}

/** Records of one set, or of several by name. */
export type Records = Iterable<GivenEntry> | AsyncIterable<GivenEntry> | Readonly<Record<string, Iterable<GivenEntry> | AsyncIterable<GivenEntry>>>;

type Verb = "created" | "updated" | "deleted";

/** A line of `inventory.jsonl`. */
type Line = Entry & { set?: string };

/** A line of `changes.jsonl`. */
interface Change {
  change: Verb;
  datetime: string;
  record: Line;
}

const OWN = ["documentsUri", "at", "describedby", "maxDelete", "expectEntries", "rotate", "keep", "force", "onRefused"];
/** What is published of a record. */
const FIELDS = ["uri", "length", "lastmod", "type", "encoding", "changefreq", "priority", "elements", "hashes", "links"] as const;
/** Seconds that a run waits for the clock. */
const PATIENCE = 2;

/**
 * Publishes all records of a repository as a Source, with Change Lists of the changes since the last call. The folder is replaced
 * atomically, by a complete generation, as by `SourceFolder`; after every error it is unchanged. The records are held in memory.
 *
 * Rejected with a `GuardError` if the records are probably incomplete, a `RefusedError` if one would make a list invalid, and a
 * `PublishError` if the folder was not published here or its state is damaged.
 *
 * ```js
 * const { created, updated, deleted } = await publish("public", "https://example.com/", records);
 * ```
 */
export async function publish(folder: string, baseUri: string, records: Records, options: PublishOptions = {}): Promise<PublishedRecords> {
  known(options, [...BUILD_OPTIONS, ...OWN]);
  text(folder, "the folder");
  text(baseUri, "the base");
  for (const name of ["documentsUri", "at", "describedby"] as const) maybeText(options[name], name);
  await init();
  const base = slashed(baseUri);
  const documents = slashed(options.documentsUri ?? baseUri);
  const { sets, refusals } = await collect(records, options);
  mkdirSync(dirname(folder), { recursive: true });
  const store = new SourceFolder(folder);
  try {
    return await new Run(store, base, documents, sets, refusals, options).publish();
  } finally {
    store.close();
  }
}

/** One run into a locked folder. */
class Run {
  readonly #store: SourceFolder;
  readonly #before: State | undefined;
  readonly #base: string;
  readonly #documents: string;
  readonly #sets: Map<string, Line[]>;
  readonly #refusals: Refusals;
  readonly #options: PublishOptions;
  readonly #warnings: string[] = [];
  readonly #counts = { created: 0, updated: 0, deleted: 0 };

  constructor(store: SourceFolder, base: string, documents: string, sets: Map<string, Line[]>, refusals: Refusals, options: PublishOptions) {
    this.#store = store;
    this.#before = store.state;
    this.#base = base;
    this.#documents = documents;
    this.#sets = sets;
    this.#refusals = refusals;
    this.#options = options;
  }

  async publish(): Promise<PublishedRecords> {
    const before = this.#before;
    const [old, open] = before ? [this.#part<Line>("inventory.jsonl"), this.#part<Change>("changes.jsonl")] : [[], []];
    this.#checkSame();
    this.#checkMembership(old);
    const at = await this.#moment();
    for (const name of Object.keys(before?.sets ?? {})) if (!this.#sets.has(name)) this.#sets.set(name, []);
    if (this.#sets.size === 0) this.#sets.set("", []);
    const news = before ? this.#compare(old, before.at, at) : new Map<string, Change[]>();
    const resources = [...this.#sets.values()].reduce((sum, lines) => sum + lines.length, 0);
    const { maxDelete, expectEntries, describedby, force } = this.#options;
    const { created, updated, deleted } = this.#counts;
    inside(() => glue.checkUpdate(before && old.length, resources, deleted, maxDelete?.toString(), expectEntries?.toString()));
    const wanted = `publish describedby=${describedby ?? ""} sets=${JSON.stringify([...this.#sets.keys()])}`;
    const result = { resources, created, updated, deleted, refused: this.#refusals.count, warnings: this.#warnings };
    if (before && !force && before.wanted === wanted && created + updated + deleted === 0) {
      return { ...result, at: before.at, changed: false, changes: [], written: [], kept: [], accepted: { diagnostics: [], counts: {} } };
    }
    const { written, kept, accepted } = await this.#write(at, wanted, open, news);
    const changes = [...news].sort(([a], [b]) => order(a, b)).flatMap(([set, own]) => own.map(({ change, datetime, record }) => ({ change, uri: record.uri, set, datetime })));
    return { ...result, at, changed: true, changes, written, kept, accepted };
  }

  #part<T>(name: string): T[] {
    return this.#store.part(name).map((line) => JSON.parse(line) as T);
  }

  /** Rejects a Source that was published otherwise. */
  #checkSame(): void {
    const before = this.#before;
    if (!before) return;
    for (const [name, was, is] of [
      ["baseUri", before.baseUri, this.#base],
      ["documentsUri", before.documentsUri, this.#documents],
      ["the extension of documents", before.suffix, ".xml"],
    ] as const) {
      if (was !== is) throw new PublishError(`${name} is ${is}, but the folder was published with ${was}; publish to another folder`);
    }
    const more = Object.values(before.sets).some((set) => set.dump !== undefined || "notified" in set);
    if (more) throw new PublishError("the folder was published with packages or notifications by the command; continue with the command");
  }

  /** Rejects resources that are in sets only now, or no longer: all of them would be deleted and created. */
  #checkMembership(old: readonly Line[]): void {
    const was = Object.keys(this.#before?.sets ?? {});
    const is = [...this.#sets].filter(([, lines]) => lines.length > 0).map(([name]) => name);
    if (old.length === 0 || is.length === 0) return;
    const [wasPlain, wasInSets] = [was.every((name) => name === ""), !was.includes("")];
    const [isPlain, isInSets] = [is.every((name) => name === ""), !is.includes("")];
    if (wasPlain && isInSets) throw new PublishError("every resource is in a set, but the folder was published without sets; publish to another folder");
    if (wasInSets && isPlain) throw new PublishError("no resource is in a set, but the folder was published with sets; publish to another folder");
  }

  /** The time of the run: now, unless configured, and always after the previous run. */
  async #moment(): Promise<string> {
    const { at } = this.#options;
    const earliest = this.#before ? inside(() => glue.secondsOf((this.#before as State).at)) + 1 : -Infinity;
    if (at !== undefined) {
      const seconds = inside(() => glue.secondsOf(at));
      if (seconds < earliest) throw new PublishError("at must be later than the previous run");
      return moment(seconds);
    }
    const now = () => Math.floor(Date.now() / 1000);
    // Nothing is published with a future time.
    while (now() < earliest && now() + PATIENCE >= earliest) await new Promise((wake) => setTimeout(wake, 20));
    if (now() < earliest) {
      const past = moment(earliest - 1);
      const way = "if the clock was wrong then, delete what was published and its state, and publish again";
      this.#warnings.push(`the clock is earlier than the previous run (${past}); using one second after that run; ${way}`);
    }
    return moment(Math.max(now(), earliest));
  }

  /** The changes of each set. Unchanged resources keep their published metadata, so that all lists agree. */
  #compare(old: readonly Line[], before: string, at: string): Map<string, Change[]> {
    const known = new Map<string, Map<string, Line>>();
    for (const line of old) {
      const set = line.set ?? "";
      let own = known.get(set);
      if (!own) known.set(set, (own = new Map()));
      own.set(line.uri, line);
    }
    const news = new Map<string, Change[]>();
    const { uris, unknown } = this.#refusals;
    let stayed = 0;
    for (const [name, lines] of this.#sets) {
      const changes: Change[] = [];
      const add = (change: Verb, record: Line) => {
        this.#counts[change] += 1;
        changes.push({ change, datetime: inside(() => glue.changeMoment(record.lastmod, change, before, at)), record });
      };
      const own = known.get(name) ?? new Map<string, Line>();
      for (const [place, line] of lines.entries()) {
        const was = own.get(line.uri);
        own.delete(line.uri);
        if (!was) add("created", line);
        else if (isSame(was, line)) lines[place] = was;
        else add("updated", line);
      }
      const refused = uris.get(name);
      const kept: Line[] = [];
      for (const line of own.values()) {
        const isRefused = refused?.has(line.uri) ?? false;
        if (isRefused || unknown > 0) kept.push(line);
        else add("deleted", line);
        if (!isRefused && unknown > 0) stayed += 1;
      }
      if (kept.length > 0) {
        lines.push(...kept);
        lines.sort((a, b) => order(a.uri, b.uri));
      }
      changes.sort((a, b) => order(a.datetime, b.datetime) || order(a.record.uri, b.record.uri));
      news.set(name, changes);
    }
    if (stayed > 0) {
      this.#warnings.push(`${stayed} published resources are missing but stay published: the URIs of ${unknown} rejected records are unknown`);
    }
    return news;
  }

  async #write(at: string, wanted: string, open: readonly Change[], news: ReadonlyMap<string, Change[]>) {
    const { ignore, limits, failOn } = this.#options;
    const about = this.#options.describedby ?? `${this.#documents}about.html`;
    const names = [...this.#sets.keys()].sort(order);
    if (this.#options.describedby === undefined) {
      this.#store.begin("about.html");
      this.#store.write(new TextEncoder().encode(inside(() => glue.aboutPage(this.#documents, names))));
      this.#store.end();
    }
    const source = new Publication(this.#documents, at, { store: this.#store, describedby: about, ignore, limits, failOn });
    const counts: Record<string, number> = {};
    const stay: Change[] = [];
    try {
      for (const name of names) {
        source.set(name, about);
        await source.resourceList((this.#sets.get(name) ?? []).map(entryOf));
        const changes = [...open.filter(({ record }) => (record.set ?? "") === name), ...(news.get(name) ?? [])];
        const { history, close } = this.#history(name, changes.length, at);
        await source.changeLists(history, changes.map(changeOf), close);
        counts[name] = close === undefined ? changes.length : 0;
        if (close === undefined) stay.push(...changes);
      }
      const lines = names.flatMap((name) => this.#sets.get(name) ?? []);
      const parts = { "inventory.jsonl": lines.map((line) => JSON.stringify(line)), "changes.jsonl": stay.map((change) => JSON.stringify(change)) };
      this.#store.extras = { baseUri: this.#base, wanted, open: counts, parts };
      return await source.publish();
    } finally {
      source[Symbol.dispose]();
    }
  }

  /** The existing Change Lists of a set without those to remove, and the end of the open one. */
  #history(name: string, changes: number, at: string): { history: ChangeHistory | string; close: string | undefined } {
    const { rotate, keep } = this.#options;
    const old = this.#before?.sets[name]?.changes;
    if (!old) return { history: at, close: undefined };
    const age = inside(() => glue.secondsOf(at) - glue.secondsOf(old.open.from));
    const close = inside(() => glue.isRotationDue(rotate?.toString(), changes, age)) ? at : undefined;
    const stay = keep === undefined ? old.closed.length : Math.max(keep - (close === undefined ? 0 : 1), 0);
    return { history: { ...old, closed: old.closed.slice(Math.max(old.closed.length - stay, 0)) }, close };
  }
}

/** The records that were rejected. */
interface Refusals {
  count: number;
  /** Their URIs, by set. */
  readonly uris: Map<string, Set<string>>;
  /** The number of those whose URI cannot be read. */
  unknown: number;
}

/** The records of each set, sorted by URI; each is checked. */
async function collect(records: Records, options: PublishOptions): Promise<{ sets: Map<string, Line[]>; refusals: Refusals }> {
  if (typeof records !== "object" || records === null) throw new OptionError("the records have to be an iterable, or an object of iterables");
  const isOne = Symbol.iterator in (records as object) || Symbol.asyncIterator in (records as object);
  const named = isOne ? { "": records as Iterable<GivenEntry> } : (records as Record<string, Iterable<GivenEntry>>);
  const check = new Check(options);
  const sets = new Map<string, Line[]>();
  const refusals: Refusals = { count: 0, uris: new Map(), unknown: 0 };
  try {
    for (const [name, entries] of Object.entries(named)) {
      if (!/^(?!\.)[A-Za-z0-9\-_.]*$/.test(name)) throw new OptionError(`\`${name}\` is not a valid name for a set: use letters, digits, \`-\`, \`_\` and \`.\`, and no leading \`.\``);
      iterable(entries, "the records", true);
      const lines = new Map<string, Line>();
      const refused = new Set<string>();
      for await (const record of entries) {
        const entry = asText<Entry>(record);
        try {
          check.push(entry);
          if (lines.has(entry.uri)) inside(() => glue.refuseRepeated(entry.uri));
        } catch (error) {
          if (!options.onRefused || !(error instanceof RefusedError)) throw error;
          await options.onRefused(entry, error);
          refusals.count += 1;
          if (isUri(entry.uri)) refused.add(entry.uri);
          else refusals.unknown += 1;
          continue;
        }
        lines.set(entry.uri, lineOf(entry, name));
      }
      if (refused.size > 0) refusals.uris.set(name, refused);
      if (lines.size > 0 || !isOne) sets.set(name, [...lines.values()].sort((a, b) => order(a.uri, b.uri)));
    }
  } finally {
    check.end();
  }
  return { sets, refusals };
}

/** True if a resource could have this URI. */
function isUri(uri: unknown): boolean {
  const check = new Check({});
  try {
    check.push({ uri } as Entry);
    return true;
  } catch {
    return false;
  } finally {
    check.end();
  }
}

/** Checks whether a Resource List would accept entries. */
class Check {
  readonly #options: BuildOptions;
  #builder: Builder | undefined;

  constructor({ ignore, limits, failOn }: PublishOptions) {
    this.#options = { ignore, limits, failOn };
  }

  push(entry: Entry): void {
    for (let again = false; ; again = true) {
      const builder = (this.#builder ??= new Builder("resource-list", HEAD, this.#options));
      try {
        builder.push(entry);
        builder.take();
        return;
      } catch (error) {
        // A full list is followed by another one.
        if (again || !(error instanceof RefusedError) || !error.full || builder.entries === 0) throw error;
        this.end();
      }
    }
  }

  end(): void {
    this.#builder?.[Symbol.dispose]();
    this.#builder = undefined;
  }
}

/** Of a list that is never published. */
const HEAD = { at: "2000-01-01T00:00:00Z", links: [{ rel: "up", href: "http://example.com/capabilitylist.xml" }] };

function lineOf(entry: Entry, set: string): Line {
  const given = FIELDS.filter((name) => entry[name] !== undefined).map((name) => [name, entry[name]]);
  const line = JSON.parse(JSON.stringify(Object.fromEntries(given), exact)) as Line;
  return set === "" ? line : { ...line, set };
}

function exact(_: string, value: unknown): unknown {
  if (typeof value !== "bigint") return value;
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new OptionError(`a length of ${value} bytes is too large to be published`);
  return Number(value);
}

function entryOf(line: Line): Entry {
  const given = FIELDS.filter((name) => line[name] !== undefined).map((name) => [name, line[name]]);
  return Object.fromEntries(given) as Entry;
}

/** The entry of a Change List. A deletion has no metadata of the bitstream. */
function changeOf({ change, datetime, record }: Change): Entry {
  return change === "deleted" ? { uri: record.uri, change, datetime } : { ...entryOf(record), change, datetime };
}

function isSame(old: Line, next: Line): boolean {
  return JSON.stringify(old) === JSON.stringify(next) || inside(() => glue.isSameVersion(entryOf(old), entryOf(next)));
}

/** Bytewise, as the command sorts. */
function order(a: string, b: string): number {
  if (/[\ud800-\uffff]/.test(a + b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : Number(a > b);
}

function slashed(uri: string): string {
  return uri.endsWith("/") ? uri : `${uri}/`;
}

function moment(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}
