/** Publishes single changes of a repository, in proportion to their number. */

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

import type { Accepted, BuildOptions } from "./build.js";
import { BUILD_OPTIONS, known, maybeText, text } from "./check-args.js";
import { OptionError } from "./errors.js";
import { asResource, asText, moment, type GivenEntry, type Moment, type Uri } from "./given.js";
import { channels, HUB_OPTIONS, type HubOptions } from "./hubs.js";
import type { Entry } from "./model.js";
import { ofBuilders } from "./options.js";
import { follow, step } from "./publish.js";
import { free, glue, inside } from "./publish-module.js";
import { notified, publishAll, slashed, UNCHANGED, written, type PublishedChange, type PublishedRecords, type PublishOptions, type Records } from "./publish-records.js";
import { BusyError } from "./process-lock.js";
import { SourceFolder, stateOf } from "./source-folder.js";

/** How a Source is published. Hubs that are not given are those of earlier publications. */
export interface SourceOptions extends BuildOptions, HubOptions {
  /** The URI at which the folder is published, if the resources have another base. */
  documentsUri?: string | undefined;
  /** A document that describes the Source; by default a page is generated. */
  describedby?: string | undefined;
  /** Closes the open Change List at this number of changes (1,000), or at an age such as `7d`. */
  rotate?: number | string | undefined;
  /** The number of closed Change Lists to keep; all by default. */
  keep?: number | undefined;
  /** When the Resource List is written: `24h`, `10000 changes`, `never` or `now`; by default once a day, and before the open Change List is closed. */
  snapshot?: string | undefined;
  /** Milliseconds to wait for another run; 10,000 by default. */
  wait?: number | undefined;
}

/** What an event says besides the resource. */
export interface EventOptions {
  /** The set of the resource, in a Source with sets. */
  set?: string | undefined;
  /** When it happened; now by default. */
  at?: Moment | undefined;
}

/** How events are published. */
export interface PublishEventsOptions {
  /** The time of the publication; now by default. */
  at?: Moment | undefined;
  /** As for the Source, for this publication and later ones. */
  snapshot?: string | undefined;
}

/** The result of publishing events. */
export interface PublishedEvents {
  /** The time of the last change; that of the existing publication if nothing changed. */
  readonly at: string;
  readonly changed: boolean;
  readonly resources: number;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  /** Events that stated what was published already. */
  readonly unchanged: number;
  /** Events whose time was replaced, since it was before the last publication or in the future. */
  readonly clamped: number;
  /** The changes that were published, in the order of their times; none in the first publication. */
  readonly changes: readonly PublishedChange[];
  /** The files written, in order. */
  readonly written: readonly string[];
  /** The notifications that hubs have not accepted yet, one for each hub; the next call and `resourcesync notify` send them. */
  readonly waiting: number;
  readonly warnings: readonly string[];
  /** Findings that did not prevent publishing. */
  readonly accepted: Accepted;
}

/** Events that are stated together, at the end of `Source.batch`. */
export interface EventBatch {
  /** As `Source.upsert`. */
  upsert(record: GivenEntry, options?: EventOptions): void;
  /** As `Source.delete`. */
  delete(uri: Uri, options?: EventOptions): void;
}

/** An event: the verb, the resource, and the rest. */
type Stated = readonly [verb: "upsert" | "deleted", record: GivenEntry, options: EventOptions];

type Summary = Omit<PublishedEvents, "changed" | "changes" | "written" | "accepted" | "waiting">;

const OWN = ["documentsUri", "describedby", "rotate", "keep", "snapshot", "wait", ...HUB_OPTIONS];
/** Milliseconds between attempts to lock the folder, and how long it is tried by default. */
const [PAUSE, WAIT] = [10, 10_000];

/**
 * A Source whose changes are published one by one, in proportion to their number. `upsert` and `delete` state events, which are kept in memory
 * until `publish` has published them; if that fails, they remain. The folder is one that was published before, also by `publish`, the command or
 * Python, or a new one.
 *
 * ```js
 * const source = new Source("public", "https://example.com/");
 * source.upsert({ uri: "https://example.com/1", length: 5 });
 * const { created } = await source.publish();
 * ```
 */
export class Source implements EventBatch {
  readonly #folder: string;
  readonly #base: string;
  readonly #options: SourceOptions;
  readonly #stated: glue.StatedChanges;
  /** The publications so far: one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  /** Of a folder that is published at a base URI. */
  constructor(folder: string, baseUri: string, options: SourceOptions = {}) {
    known(options, [...BUILD_OPTIONS, ...OWN]);
    for (const name of ["documentsUri", "describedby"] as const) maybeText(options[name], name);
    text(folder, "the folder");
    text(baseUri, "the base");
    channels(options);
    this.#folder = folder;
    this.#base = baseUri;
    this.#options = options;
    const own = inside(() => new glue.Options(ofBuilders(options)));
    this.#stated = inside(() => new glue.StatedChanges(own, slashed(options.documentsUri ?? baseUri)));
    free(own);
  }

  /** States that a resource was created or updated, and replaces its whole record. Throws a `RefusedError` if a list with it would be invalid, another error if it does not fit what is published. */
  upsert(record: GivenEntry, options: EventOptions = {}): void {
    this.#state("upsert", record, options);
  }

  /** States that a resource was deleted. Deleting an unknown URI changes nothing. */
  delete(gone: Uri, options: EventOptions = {}): void {
    this.#state("deleted", { uri: gone } as GivenEntry, options);
  }

  /** States several events together: all of them, or none if the function throws, or its promise is rejected. */
  batch<T>(work: (batch: EventBatch) => T): T {
    const held: Stated[] = [];
    let isOver = false;
    const hold = (verb: Stated[0], record: GivenEntry, options: EventOptions) => {
      if (isOver) throw new OptionError("the batch is over");
      // As it is now: programs fill one object again and again.
      held.push([verb, copyOf(record), { ...options }]);
    };
    const batch: EventBatch = {
      upsert: (record, options = {}) => hold("upsert", record, options),
      delete: (gone, options = {}) => hold("deleted", { uri: gone } as GivenEntry, options),
    };
    const end = <R>(result: R): R => {
      isOver = true;
      const before = this.pending;
      try {
        for (const stated of held) this.#state(...stated);
      } catch (error) {
        inside(() => this.#stated.cut(before));
        throw error;
      }
      return result;
    };
    const result = work(batch);
    // Query builders are thenables of their own, which begin when they are waited for.
    const isLater = typeof (result as PromiseLike<unknown> | undefined)?.then === "function";
    return isLater ? ((result as PromiseLike<unknown>).then(end) as T) : end(result);
  }

  /** The number of events that wait for `publish`. */
  get pending(): number {
    return inside(() => this.#stated.count);
  }

  /**
   * Publishes the events so far. Afterwards it is on disk, and the hubs have been notified; `waiting` counts what they did not accept. Rejected with a `PublishError` if the state is damaged, something cannot be written,
   * or another run takes longer than `wait`; the events remain then.
   */
  publish(options: PublishEventsOptions = {}): Promise<PublishedEvents> {
    known(options, ["at", "snapshot"]);
    const published = this.#last.then(() => this.#publish(options));
    this.#last = published.catch(() => {});
    return published;
  }

  /**
   * Compares all records with what is published, after the events so far, and publishes what events missed. The result counts that. The options
   * are those of `publish`; hubs that neither they nor the Source name are those of earlier publications.
   */
  async reconcile(records: Records, options: PublishOptions = {}): Promise<PublishedRecords> {
    if (this.pending > 0) await this.publish();
    const { snapshot: _, wait: __, ...own } = this.#options;
    const reconciled = this.#last.then(() => publishAll(this.#folder, this.#base, records, { ...own, ...options }, true));
    this.#last = reconciled.catch(() => {});
    return await reconciled;
  }

  #state(verb: "upsert" | "deleted", record: GivenEntry, options: EventOptions): void {
    // A time may be a Date.
    known({ ...options, at: undefined }, ["set", "at"]);
    const { set = "", at } = options;
    const entry = asResource(record);
    const time = at === undefined ? undefined : moment(at, "`at`");
    // The events after the first one fit together with it.
    if (this.pending === 0 && !inside(() => this.#stated.knowsSets)) {
      const state = stateOf(this.#folder);
      if (state !== undefined) inside(() => this.#stated.takeOver(state));
    }
    inside(() => this.#stated.push(verb, entry, set, time, Date.now()));
  }

  async #publish({ at, snapshot }: PublishEventsOptions): Promise<PublishedEvents> {
    const { documentsUri, describedby, rotate, keep, wait = WAIT } = this.#options;
    const given = {
      baseUri: slashed(this.#base),
      documentsUri: slashed(documentsUri ?? this.#base),
      at: at === undefined ? undefined : moment(at, "`at`"),
      describedby,
      rotate: rotate?.toString(),
      keep,
      snapshot: snapshot ?? this.#options.snapshot,
      ...channels(this.#options),
    };
    mkdirSync(dirname(this.#folder), { recursive: true });
    const store = await opened(this.#folder, wait);
    try {
      store.checkJournal();
      const count = this.pending;
      const run = inside(() => new glue.ChangesRun(this.#stated, given, store.copyOfState()));
      const isNotified = inside(() => run.hasChannels);
      const published = await changes(run, store);
      inside(() => this.#stated.published(count));
      return { ...published, ...(await notified(store, isNotified, this.#options, published.warnings)) };
    } finally {
      store.close();
    }
  }
}

/** A record that its owner may change. */
function copyOf(record: GivenEntry): GivenEntry {
  try {
    return structuredClone(asText<Entry>(record));
  } catch (error) {
    throw new OptionError(`a record has something that is no value: ${(error as Error).message}`);
  }
}

/** Publishes the changes of a run to a locked folder. */
async function changes(run: glue.ChangesRun, store: SourceFolder): Promise<Omit<PublishedEvents, "waiting">> {
  let isWritten = false;
  try {
    if (store.isPublished) {
      if (inside(() => run.hasIndex)) inside(() => run.index(store.readPart("inventory.index")));
      else inside(() => run.makeIndex(store.readPart("inventory.jsonl")));
    }
    for (let place; (place = inside(() => run.nextBlock()) as { offset: number; length: number } | undefined); ) {
      const block = store.readBlock(place.offset, place.length);
      inside(() => run.block(block));
    }
    let what = inside(() => run.decide(Date.now(), store.log));
    const done = { ...(inside(() => run.summary()) as Summary), changed: what !== "nothing", changes: inside(() => run.changes()) as PublishedChange[] };
    if (what === "changes") {
      const own = await inPlace(run, store);
      if (own) return { ...done, ...own };
      what = "generation";
    }
    if (what === "nothing") return { ...done, ...UNCHANGED };
    store.readParts((name, bytes) => inside(() => run.part(name, bytes)));
    isWritten = true;
    const { written: files, accepted } = await written(store, inside(() => run.write()));
    return { ...done, written: files, accepted };
  } finally {
    if (!isWritten) free(run);
  }
}

/** Publishes the Change Lists alone; nothing is written if that is not possible. */
async function inPlace(run: glue.ChangesRun, store: SourceFolder): Promise<{ written: string[]; accepted: Accepted } | undefined> {
  inside(() => run.part("changes.jsonl", store.readPart("changes.jsonl")));
  const steps = inside(() => run.stage());
  if (!steps) return undefined;
  const folder = inside(() => run.staged);
  let isRecorded = false;
  try {
    store.stage(folder);
    await follow(steps.map(step), store);
    const payloads = inside(() => run.payloads());
    if (payloads) store.putPayloads(payloads);
    const files = store.staged;
    const group = inside(() => run.group(files)) as { bytes: Uint8Array; places: string[]; accepted: string };
    isRecorded = true;
    store.place(folder, group.bytes, group.places);
    return { written: files.map(({ path }) => path), accepted: JSON.parse(group.accepted) as Accepted };
  } finally {
    if (!isRecorded) store.withdraw(folder);
  }
}

/** Locks a folder, after another run if there is one. */
async function opened(folder: string, wait: number): Promise<SourceFolder> {
  for (const begun = Date.now(); ; await new Promise((wake) => setTimeout(wake, PAUSE))) {
    try {
      return new SourceFolder(folder);
    } catch (error) {
      if (!(error instanceof BusyError) || Date.now() - begun >= wait) throw error;
    }
  }
}
