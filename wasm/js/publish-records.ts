/** Publishes all records of a repository, with the changes since the last call. */

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

import type { Accepted, BuildOptions } from "./build.js";
import { BUILD_OPTIONS, iterable, known, maybeText, text } from "./check-args.js";
import { OptionError, RefusedError } from "./errors.js";
import { asResource, type GivenEntry } from "./given.js";
import { channels, HUB_OPTIONS, send, type HubOptions } from "./hubs.js";
import { ofBuilders } from "./options.js";
import { follow, step, type OnRefused, type Published } from "./publish.js";
import { free, glue, inside } from "./publish-module.js";
import { SourceFolder } from "./source-folder.js";

/** How records are published. */
export interface PublishOptions extends BuildOptions, HubOptions {
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
  /** The files of topics that were published before and no longer are. */
  readonly withdrawn: readonly string[];
  /** The notifications that hubs have not accepted yet, one for each hub; the next call and `resourcesync notify` send them. */
  readonly waiting: number;
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

const OWN = ["documentsUri", "at", "describedby", "maxDelete", "expectEntries", "rotate", "keep", "force", "onRefused", ...HUB_OPTIONS];
/** Milliseconds between checks of the clock. */
const PAUSE = 20;

/**
 * Publishes all records of a repository as a Source, with Change Lists of the changes since the last call. The folder is replaced
 * atomically, by a complete generation, as by `SourceFolder`; after an error it is unchanged, unless the outbox of the notifications cannot
 * be used: then it may be published. The records are held in memory, and the folder is locked while they are read.
 *
 * The command and Python continue what was published here, and this continues what they published without packages and compressed
 * documents. With `hubs`, notifications are part of the publication: they are sent afterwards, and kept in an outbox next to the folder until
 * every hub has accepted them.
 *
 * Rejected with a `GuardError` if the records are probably incomplete, a `RefusedError` if one would make a list invalid, and a
 * `PublishError` if the folder was not published here or its state is damaged.
 *
 * ```js
 * const { created, updated, deleted } = await publish("public", "https://example.com/", records);
 * ```
 */
export async function publish(folder: string, baseUri: string, records: Records, options: PublishOptions = {}): Promise<PublishedRecords> {
  return await publishAll(folder, baseUri, records, options, false);
}

/** The same; hubs that are not given are those of earlier publications if `isContinued`, else an error. @internal */
export async function publishAll(folder: string, baseUri: string, records: Records, options: PublishOptions, isContinued: boolean): Promise<PublishedRecords> {
  known(options, [...BUILD_OPTIONS, ...OWN]);
  text(folder, "the folder");
  text(baseUri, "the base");
  for (const name of ["documentsUri", "at", "describedby"] as const) maybeText(options[name], name);
  channels(options);
  mkdirSync(dirname(folder), { recursive: true });
  // What another run published after the records were read is not in them, and would be deleted.
  const store = new SourceFolder(folder);
  try {
    const intake = await collect(records, options);
    try {
      return await continued(store, intake, baseUri, options, isContinued);
    } finally {
      free(intake);
    }
  } finally {
    store.close();
  }
}

/** Publishes the records after what is published in a locked folder. */
async function continued(store: SourceFolder, intake: glue.Intake, baseUri: string, options: PublishOptions, isContinued: boolean): Promise<PublishedRecords> {
  store.checkJournal();
  const { at, describedby, maxDelete, expectEntries, rotate, keep, force } = options;
  const [base, documents] = [slashed(baseUri), slashed(options.documentsUri ?? baseUri)];
  const given = { baseUri: base, documentsUri: documents, at, describedby, maxDelete: maxDelete?.toString(), expectEntries: expectEntries?.toString(), rotate: rotate?.toString(), keep, force: force ?? false, continued: isContinued, ...channels(options) };
  const run = inside(() => new glue.PublishRun(intake, given, store.copyOfState()));
  try {
    store.readParts((name, bytes) => inside(() => run.part(name, bytes)));
    while (!inside(() => run.start(Date.now()))) await new Promise((wake) => setTimeout(wake, PAUSE));
    const changed = inside(() => run.compare());
    const result = { ...(inside(() => run.summary()) as Counts), at: inside(() => run.at(changed)), changed };
    const isNotified = inside(() => run.hasChannels);
    const changes = inside(() => run.changes()) as PublishedChange[];
    const done = changed ? await written(store, inside(() => run.write())) : { ...UNCHANGED, kept: [], withdrawn: [] };
    return { ...result, changes, ...done, ...(await notified(store, isNotified, options, result.warnings)) };
  } finally {
    free(run);
  }
}

/** The result of a run that wrote nothing. @internal */
export const UNCHANGED = { written: [] as string[], accepted: { diagnostics: [], counts: {} } as Accepted };

/** Notifies the hubs of a folder with notification channels, and adds what the operator should know. @internal */
export async function notified(store: SourceFolder, isNotified: boolean, options: HubOptions, warnings: readonly string[]): Promise<{ waiting: number; warnings: string[] }> {
  const waiting = isNotified ? await send(store, options) : 0;
  return { waiting, warnings: [...warnings, ...store.warnings] };
}

/** Writes a generation, and publishes it. @internal */
export async function written(store: SourceFolder, generation: glue.GenerationWriter): Promise<{ written: readonly string[]; kept: readonly string[]; withdrawn: string[]; accepted: Accepted }> {
  try {
    for (let steps; (steps = inside(() => generation.step())); ) await follow(steps.map(step), store);
    const done = inside(() => generation.finish()) as { steps: unknown[]; published: Published; accepted: string };
    await follow(done.steps.map(step), store);
    const [payloads, withdrawn] = [inside(() => generation.payloads()), inside(() => generation.withdrawn())];
    if (payloads) store.putPayloads(payloads);
    for (const topic of inside(() => generation.topics())) store.keepTopic(topic);
    store.writeParts((name) => inside(() => generation.part(name)));
    const { written, kept } = done.published;
    store.replace(inside(() => generation.state()), kept);
    return { written, kept, withdrawn, accepted: JSON.parse(done.accepted) as Accepted };
  } finally {
    free(generation);
  }
}

/** What a run counts. */
type Counts = Pick<PublishedRecords, "resources" | "created" | "updated" | "deleted" | "refused" | "warnings">;

/** Collects the records; each is checked. */
async function collect(records: Records, options: PublishOptions): Promise<glue.Intake> {
  if (typeof records !== "object" || records === null) throw new OptionError("the records have to be an iterable, or an object of iterables");
  const isOne = Symbol.iterator in (records as object) || Symbol.asyncIterator in (records as object);
  const named = isOne ? { "": records as Iterable<GivenEntry> } : (records as Record<string, Iterable<GivenEntry>>);
  const own = inside(() => new glue.Options(ofBuilders(options)));
  const intake = inside(() => new glue.Intake(own));
  free(own);
  try {
    for (const [name, entries] of Object.entries(named)) {
      if (!isOne) inside(() => intake.set(name));
      iterable(entries, "the records", true);
      for await (const record of entries) {
        const entry = asResource(record);
        try {
          inside(() => intake.push(entry, name));
        } catch (error) {
          if (!options.onRefused || !(error instanceof RefusedError)) throw error;
          await options.onRefused(entry, error);
        }
      }
    }
    return intake;
  } catch (error) {
    free(intake);
    throw error;
  }
}

/** A base URI with a slash at its end. @internal */
export function slashed(uri: string): string {
  return uri.endsWith("/") ? uri : `${uri}/`;
}
