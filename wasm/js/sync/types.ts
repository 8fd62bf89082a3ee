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
