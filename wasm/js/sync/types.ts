/** The values of following Change Lists. */

/**
 * How far the changes of a set have been processed: a plain value to be stored. The first one has the Capability List (`set`), its Change
 * Lists or their index (`sources`), and the time from which on changes are wanted (`asOf`).
 */
export interface Checkpoint {
  readonly set: string;
  readonly asOf?: string;
  readonly sources?: readonly string[];
  readonly [name: string]: unknown;
}

/** A document to request, with the validators of its last response. */
export interface FollowRequest {
  readonly uri: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Seconds that the Source may need to finish writing its documents: those that were read do not belong together. `followChanges` does not wait. */
  readonly pause: number;
}

/**
 * The last change of a resource, as listed. Its presence is `unknown` if the list shows neither by order nor by time whether it was deleted last:
 * then its server knows, with 404 or 410.
 */
export interface LastChange {
  readonly uri: string;
  readonly loc: string;
  readonly presence: "present" | "deleted" | "unknown";
  readonly datetime?: string;
  readonly lastmod?: string;
  readonly hash?: string;
  readonly length?: number;
  readonly encoding?: string;
  readonly memento?: string;
}

/**
 * What changed since a checkpoint. `changes` has all changes if the state is `unchanged`, `continued`, `next` or `rewritten`. `gap`: changes are missing, and only
 * the Resource Lists show them; `unread`: a document could not be read; `older`: a document is older than one seen before; `absent`: there
 * are no Change Lists. Store `checkpoint` once all changes are processed. `freshFor` is the number of seconds until the open lists expire.
 */
export interface FollowedChanges {
  readonly state: "unchanged" | "continued" | "next" | "rewritten" | "gap" | "unread" | "older" | "absent";
  readonly changes: readonly LastChange[];
  readonly checkpoint: Checkpoint;
  readonly gap?: { readonly after?: string; readonly before?: string };
  readonly older?: readonly { readonly uri: string; readonly at: string; readonly seen: string }[];
  readonly ahead?: { readonly uri: string; readonly at: string };
  readonly orders?: readonly ("reverse" | "none")[];
  readonly unreadableEntries: number;
  readonly freshFor?: number;
}

/** The options of a follower. */
export interface FollowOptions {
  /** The time in milliseconds since 1970; that of the system by default. */
  readonly now?: number | undefined;
  /** Uses documents that are older than those seen before. */
  readonly acceptOlder?: boolean | undefined;
}

/** What is known of a resource: of a listed one, or of one that you stored as it was listed. */
export interface KnownResource {
  readonly uri?: string;
  /** Digests, as listed: `md5:… sha-256:…`. */
  readonly hash?: string;
  /** Digests, as `entries` has them, where there is no `hash`. */
  readonly hashes?: { readonly [algorithm: string]: string };
  readonly length?: number;
  readonly lastmod?: string;
  readonly encoding?: string;
}

/**
 * A resource that you do not have as it is listed. `deleted`: the Source no longer has it. `unknown`: the lists show neither by order nor by time whether
 * it was deleted last; its server knows, with 404 or 410.
 */
export interface PulledResource extends KnownResource {
  readonly change: "created" | "updated" | "deleted" | "unknown";
  readonly uri: string;
  /** The URI to request. */
  readonly loc: string;
  readonly memento?: string;
  readonly mirrors?: readonly { readonly uri: string; readonly pri: number }[];
}

/** What a run leaves for the next one: a plain value with a row for each resource. */
export interface PullCheckpoint {
  readonly format: "resourcesync-pull-checkpoint";
  readonly formatVersion: 1;
  readonly source: string;
  readonly resources: readonly KnownResource[];
  readonly [name: string]: unknown;
}

/** What is read of a Source. The options are those of `resourcesync sync`. */
export interface PullOptions {
  /** What an earlier run left. */
  readonly checkpoint?: PullCheckpoint | undefined;
  /** The time in milliseconds since 1970; that of the system by default. */
  readonly now?: number | undefined;
  /** Compares everything, even if no document changed. */
  readonly full?: boolean | undefined;
  /** Uses documents that are older than those of the earlier run. */
  readonly acceptOlder?: boolean | undefined;
  /** Leaves out resources without a listed digest. */
  readonly requireHash?: boolean | undefined;
  /** The maximum number of deletions: a number, a share such as `25%`, or `none`. Above it none is given out, and the report says so. */
  readonly maxDelete?: string | number | undefined;
  /** Only these Capability Lists. */
  readonly sets?: readonly string[] | undefined;
  /** Only resources whose path, or URI if it has `://`, matches. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  /** The maximum number of resources in the report; 1000 by default. */
  readonly maxListed?: number | undefined;
}

/** The resources of a run, and its result at the end. */
export interface Surveyed extends AsyncIterable<PulledResource> {
  /** Where the next run begins; store it once all resources are processed. */
  readonly checkpoint: PullCheckpoint | undefined;
  /** The report of `resourcesync sync`. Its outcome is that of a copy that stored everything that was given out. */
  readonly report: SyncReport | undefined;
}

/** The report of a run, as `docs/sync-report.schema.json` describes it. */
export interface SyncReport {
  readonly format: "resourcesync-sync-report";
  readonly formatVersion: 1;
  readonly run: { readonly number: number; readonly dryRun: boolean; readonly outcome: string; readonly started: string; readonly ended: string };
  readonly source: string;
  /** The moment up to which all lists and changes are processed, as the Source writes it. */
  readonly asOf?: string;
  readonly plan?: { readonly kind: "list" | "changes"; readonly why: string; readonly requests: number; readonly bytes: number };
  readonly counts: Readonly<Record<string, number>>;
  /** Why deletions are withheld, such as `too-many`. */
  readonly withheld?: string;
  readonly items: readonly { readonly uri: string; readonly action: string; readonly result: string; readonly code?: string }[];
  readonly diagnostics: readonly { readonly code: string; readonly severity: string; readonly message: string; readonly help: string }[];
  readonly [name: string]: unknown;
}

/** What runs would do. */
export interface Outlook {
  /** A first run or, with a checkpoint, the next one. */
  readonly first: SyncReport;
  /** A run that continues from the moment `since`. */
  readonly next?: SyncReport;
}
