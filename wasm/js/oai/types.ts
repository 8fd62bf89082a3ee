/** The values of harvests. */

import type { ByteSource, Profile, Severity } from "../types.js";

/** Where a response is read from. */
export type OaiSource = ByteSource | Response;

/** A response to be checked by itself, or a recording of several. */
export interface OaiResponse {
  readonly source: OaiSource;
  /** Its name in the report. */
  readonly name: string;
}

/** What to do next in a check: send a request (GET, or POST with `form` as its body; `name` is its name in the report), wait, or nothing any more. */
export type CheckStep =
  | { readonly step: "request"; readonly name: string; readonly url: string; readonly form?: string; readonly acceptEncoding?: string }
  | { readonly step: "wait"; readonly ms: number; readonly why: string }
  | { readonly step: "done" };

/** What a check reports. The options are those of `resourcesync oai validate`. */
export interface CheckOptions {
  /** `strict` reports violations of SHOULD as errors. */
  readonly profile?: Exclude<Profile, "search-engines"> | undefined;
  /** Report only these codes, rules (`admin-email`), families (`OAI`), or `derived`. */
  readonly select?: readonly string[] | undefined;
  /** Do not report these. */
  readonly ignore?: readonly string[] | undefined;
  /** Severities, by the same names. */
  readonly severity?: Readonly<Record<string, Severity>> | undefined;
  /** Maximum number of findings stored per code, severity and response; 0 stores all. Default: 100. */
  readonly maxPerRule?: number | undefined;
  /** Milliseconds between a response and the next request, at least 1000. */
  readonly delay?: number | undefined;
  /** The longest single wait in seconds; 300 by default. */
  readonly maxWait?: number | undefined;
  readonly limits?: Readonly<Record<string, number>> | undefined;
  /**
   * Whether the client sends `Accept-Encoding`, and shows all header fields of a response. `fetch` in browsers does not, which is the default there:
   * content codings, and a `Retry-After` that is missing, are not checked then.
   */
  readonly allHeaders?: boolean | undefined;
}

/** A record of a repository. The bytes of metadata are those that were sent; `standalone` is a document of its own. */
export interface OaiRecord {
  readonly identifier: string;
  readonly datestamp: string | undefined;
  readonly isDeleted: boolean;
  readonly sets: readonly string[];
  /** The format; absent for a page, which does not say it. */
  readonly prefix: string | undefined;
  /** The metadata as sent; absent if the record was deleted. */
  readonly metadata: Uint8Array | undefined;
  /** The metadata with the namespace declarations that it needs from around it. */
  readonly standalone: Uint8Array | undefined;
  readonly about: readonly Uint8Array[];
  /** The SHA-256 of `standalone`, in hexadecimal. */
  readonly sha256: string | undefined;
}

/** The header of a record in a list of identifiers. */
export interface OaiHeader {
  readonly identifier: string;
  readonly datestamp: string | null;
  readonly isDeleted: boolean;
  readonly sets: readonly string[];
}

/** What a response says besides its records. `reason` is why it was not read to its end; `token` is empty at the end of a list. */
export interface PageFacts {
  readonly isWhole: boolean;
  readonly reason?: string;
  readonly responseDate?: string;
  readonly verb?: string;
  readonly token?: string;
  readonly completeListSize?: number;
  readonly cursor?: number;
  readonly errors?: readonly { readonly code: string; readonly text: string }[];
  readonly identify?: Readonly<Record<string, unknown>>;
  readonly formats?: readonly { readonly prefix?: string; readonly schema?: string; readonly namespace?: string }[];
  readonly sets?: readonly { readonly spec?: string; readonly name?: string }[];
  readonly damaged?: readonly { readonly identifier?: string; readonly code: string; readonly reason: string; readonly number: number; readonly line: number; readonly column: number }[];
  readonly notes?: readonly { readonly code: string; readonly message: string; readonly identifier?: string }[];
  readonly transcoded?: string;
}

/** A response of a repository; `json` is the text of `facts`, the same in every language. */
export interface OaiPage {
  readonly records: readonly OaiRecord[];
  readonly headers: readonly OaiHeader[];
  readonly facts: PageFacts;
  readonly json: string;
}

/** Whether a harvest is complete, with all evidence; `json` is the text that the command stores. */
export interface Proof {
  readonly status: "complete" | "suspect" | "incomplete";
  readonly reasons: readonly { readonly code: string; readonly count: number; readonly identifiers?: readonly string[] }[];
  readonly notes: readonly { readonly code: string; readonly count: number; readonly identifiers?: readonly string[] }[];
  readonly requests: number;
  readonly [name: string]: unknown;
}

/** What to do next: send a request (GET, or POST with `form` as its body), wait, or nothing any more. */
export type HarvestStep =
  | { readonly step: "request"; readonly url: string; readonly form?: string }
  | { readonly step: "wait"; readonly ms: number; readonly why: string }
  | { readonly step: "done" };

/** What is harvested, and when it is complete. The options are those of `resourcesync oai harvest`. */
export interface HarvestOptions {
  /** The format, or several; `"a|b"` is the first one that the repository offers, `"all"` every one; `oai_dc` by default. */
  readonly prefix?: string | readonly string[] | undefined;
  /** The set, or several. */
  readonly set?: string | readonly string[] | undefined;
  /** Only records changed since this day or second. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly window?: "auto" | "none" | "year" | "month" | "week" | "day" | "hour" | undefined;
  readonly tolerance?: string | number | undefined;
  readonly repair?: "none" | "characters" | "all" | undefined;
  readonly allowQuarantine?: number | undefined;
  /** Milliseconds between a response and the next request; 100 by default. */
  readonly delay?: number | undefined;
  /** The longest single wait in seconds; 300 by default. */
  readonly maxWait?: number | undefined;
  readonly maxRecords?: number | undefined;
  readonly post?: boolean | undefined;
  readonly onLoop?: "stop" | "window" | undefined;
  readonly limits?: Readonly<Record<string, number>> | undefined;
}

/** The records of a harvest, and its proof at the end. */
export interface Harvested extends AsyncIterable<OaiRecord> {
  /** The proof, once all records were taken. */
  readonly proof: Proof | undefined;
}
