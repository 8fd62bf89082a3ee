/** The shapes that cross: reports as in report.schema.json, options, sources. */

/** What an input is. */
export type Kind =
  | "source-description"
  | "source-description-index"
  | "capability-list"
  | "resource-list"
  | "resource-list-index"
  | "resource-dump"
  | "resource-dump-index"
  | "resource-dump-manifest"
  | "change-list"
  | "change-list-index"
  | "change-dump"
  | "change-dump-index"
  | "change-dump-manifest"
  | "change-notification"
  | "framework-notification"
  | "sitemap"
  | "package"
  | "html"
  | "robots"
  | "topic"
  | "unknown";

/** Whether there is an error; `undetermined` if something given could not be checked. */
export type Verdict = "valid" | "invalid" | "undetermined";
/** How grave a finding is. */
export type Severity = "error" | "warning" | "info";
/** The languages there are texts in. */
export type Lang = "en" | "ja";
/** How strict a run is. */
export type Profile = "standard" | "strict";
/** How the standard says it. */
export type Level = "MUST" | "MUST NOT" | "SHOULD" | "SHOULD NOT" | "MAY" | "MUST / MAY";
/** How an input came to be looked at. */
export type Via = "argument" | "stdin" | "folder" | "zip" | "up" | "index" | "loc" | "contents" | "discovery";

/** What one run found: the JSON of the command, as data. Absent means absent; nothing is null. */
export interface Report {
  readonly format: "resourcesync-report";
  readonly formatVersion: 1;
  readonly tool: { readonly name: string; readonly version: string };
  readonly run: ReportRun;
  /** About the inputs given, after filters. */
  readonly verdict: Verdict;
  readonly summary: Summary;
  readonly inputs: readonly ReportInput[];
  /** Files of a folder that are not for this tool. */
  readonly skipped?: readonly Skipped[];
  /** What each set of a Source consists of, where a whole Source was followed. */
  readonly sets?: readonly ReportSet[];
  /** Exact counts by input, code and severity. */
  readonly groups: readonly Group[];
  /** The findings that were stored: by input, then offset (those without a place first), then code. */
  readonly diagnostics: readonly Diagnostic[];
}

/** How a run ended. */
export interface ReportRun {
  /** Whether all inputs were looked at. */
  readonly status: "completed" | "stopped" | "failed";
  /** What ended a run that did not complete. */
  readonly stoppedBy?: string;
  readonly profile: Profile;
}

/** Exact counts. */
export interface Summary {
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  /** Findings that filters or a baseline removed. */
  readonly suppressed: number;
  /** Findings in `diagnostics`. */
  readonly stored: number;
  readonly inputs: number;
  readonly entries: number;
  /** Unpacked bytes of all documents. */
  readonly bytes: number;
}

/** What was looked at. */
export interface ReportInput {
  /** Its place in `inputs`. */
  readonly id: number;
  /** The id of the package it is a member of (`via` is `zip`), or of the input that led to it. */
  readonly parent?: number;
  readonly name: string;
  readonly uri?: string;
  readonly via: Via;
  readonly kind: Kind;
  /** Entries that were read. */
  readonly entries: number;
  /** Unpacked bytes that were read. */
  readonly bytes: number;
  readonly verdict: Verdict;
  /** Why it was not looked at, where it was not. */
  readonly reason?: string;
  /** The reason as a code with values, where it is one of the library's. */
  readonly cause?: Reason;
  /** A digest of what it says, where it says until when it reaches and so must not change any more. */
  readonly closed?: string;
}

/** Why something could not be read or fetched: a code such as `http-status`, and the values of its text. */
export interface Reason {
  readonly code: string;
  readonly args?: { readonly [name: string]: string };
}

/** A file of a folder that was passed over, and why. */
export interface Skipped {
  readonly name: string;
  readonly reason: string;
  /** The reason as a code with values, where it is one of the library's. */
  readonly cause?: Reason;
}

/** A set of resources: what its Capability List leads to. */
export interface ReportSet {
  /** The id of the Capability List. */
  readonly input: number;
  /** How many documents and packages there are of each kind. */
  readonly documents: { readonly [kind in Kind]?: number };
  /** Entries of its Resource Lists. */
  readonly resources: number;
  /** Entries of its Change Lists. */
  readonly changes: number;
  /** The sum of the lengths its Resource Lists state. */
  readonly bytes: number;
  /** Resources that were read and compared with what is said of them. */
  readonly resourcesRead: number;
  /** The latest change its Change Lists state, as written. */
  readonly newestChange?: string;
}

/** How often a code was found in an input. */
export interface Group {
  readonly code: string;
  readonly severity: Severity;
  readonly input: number;
  readonly count: number;
  /** How many of these are in `diagnostics`. */
  readonly stored: number;
}

/** One finding. */
export interface Diagnostic {
  /** The id of a requirement. Codes never change meaning. */
  readonly code: string;
  readonly rule: string;
  readonly severity: Severity;
  /** Absent beyond the standard, and so are `derived` and `section`. */
  readonly level?: Level;
  /** True where the standard does not say it in words but it follows. */
  readonly derived?: boolean;
  /** One line in English. */
  readonly message: string;
  /** The values in the message. Numbers above 2^53 are rounded here; `toJson` has them exactly. */
  readonly args: { readonly [name: string]: string | number };
  /** The `reason` in the message as a code with values, where it is one of the library's. */
  readonly cause?: Reason;
  /** One line of advice on how to fix it, in English. */
  readonly help: string;
  readonly section?: string;
  /** The id of the input it was found in. */
  readonly input: number;
  /** Absent only where there is no text to point at. */
  readonly span?: Span;
  /** Such as `/urlset/url[37]/rs:md/@hash`. */
  readonly path?: string;
  readonly entry?: { readonly index: number; readonly loc?: string };
  readonly excerpt?: Excerpt;
  /** Other places that explain it. */
  readonly related: readonly { readonly role: string; readonly input: number; readonly span: Span }[];
  /** The same for the same fault when lines and entries have moved. */
  readonly fingerprint: string;
}

/** A stretch of a document. Offset and length are bytes of the unpacked document as UTF-8; the end is exclusive. */
export interface Span {
  readonly offset: number;
  readonly length: number;
  readonly start: Point;
  readonly end: Point;
}

/** From 1; columns count Unicode scalar values. */
export interface Point {
  readonly line: number;
  readonly column: number;
}

/** The line around a finding, cut to 240 bytes. */
export interface Excerpt {
  readonly text: string;
  readonly line: number;
  readonly column: number;
  /** From and up to which character (Unicode scalar value) of `text` the finding reaches, from 0. */
  readonly highlight: readonly [number, number];
  readonly cutLeft: boolean;
  readonly cutRight: boolean;
}

/** Everything there is to say about a code, in one language. */
export interface Rule {
  /** `RL-03`, or `XML-07` for a detail of `GEN-01`. */
  readonly code: string;
  readonly rule: string;
  readonly detail?: string;
  readonly level?: Level;
  readonly derived?: boolean;
  /** Before profile and options. */
  readonly severity: Severity;
  readonly section?: string;
  /** The message; `{name}` stands for an argument. */
  readonly message: string;
  readonly help: string;
  /** What the standard asks for. */
  readonly what: string;
  /** Why it matters to a harvester. */
  readonly why: string;
  /** How to fix it. */
  readonly fix: string;
  /** A document that breaks it; absent where no document alone can show it. */
  readonly wrong?: string;
  /** The same document, corrected. */
  readonly right?: string;
}

/** Bytes in any of their shapes. */
export type Bytes = Uint8Array | ArrayBuffer | ArrayBufferView;

/** What a document is read from. A string is the text itself, never a path or a URL. */
export type ByteSource =
  | string
  | Bytes
  | Blob
  | ReadableStream<Bytes>
  | AsyncIterable<Bytes | string>
  | Iterable<Bytes>;

/** Bytes at any offset: HTTP ranges, a database, anything that can be asked. `read` gives exactly what was asked for. */
export interface RandomAccess {
  readonly size: number;
  read(offset: number, length: number): Bytes | Promise<Bytes>;
}

/** The same, answering at once. */
export interface SyncRandomAccess {
  readonly size: number;
  read(offset: number, length: number): Bytes;
}

/** An open file of node: a `FileHandle`, or anything else with a descriptor. It is not closed. */
export interface OpenFile {
  readonly fd: number;
}

/** What a package is read from. */
export type PackageSource = Bytes | Blob | RandomAccess | OpenFile;

/** How far an input is followed. A limit met is a finding (`LIM-nn`), and the verdict `undetermined`. */
export interface Limits {
  /** Unpacked bytes of one document. */
  readonly documentBytes: number;
  /** Entries of one document. */
  readonly entries: number;
  /** Elements within each other. */
  readonly depth: number;
  /** Attributes of one element. */
  readonly attributes: number;
  /** Namespaces declared at one time. */
  readonly namespaces: number;
  /** Bytes of the name of an element or attribute. */
  readonly nameBytes: number;
  /** Bytes of one value or text. */
  readonly valueBytes: number;
  /** Bytes of one start tag. */
  readonly tagBytes: number;
  /** Links of one entry, or of the document. */
  readonly links: number;
  /** Digests in one `hash`. */
  readonly digests: number;
  /** Unpacked bytes for each packed byte of a document, after the first MiB. */
  readonly inflateRatio: number;
  /** Entries, links and other elements before the `rs:md` of the document. */
  readonly lateHeadEntries: number;
  /** Bytes of elements of other vocabularies that are kept, for each entry and for the head. */
  readonly extensionBytes: number;
  /** Members of one package. */
  readonly members: number;
  /** Bytes of the name of a member. */
  readonly memberNameBytes: number;
  /** Bytes of one segment of such a name. */
  readonly memberPartBytes: number;
  /** Segments of such a name. */
  readonly memberDepth: number;
  /** Unpacked bytes of all members of one package together. */
  readonly packageBytes: number;
}

/** What a run is told, whatever its inputs. */
export interface RunOptions {
  /** The kind every input is expected to be. */
  expect?: Kind | undefined;
  /** `strict`: SHOULD counts as error, advice as warning. */
  profile?: Profile | undefined;
  /** Only these findings: codes, families, `XML-nn` details, rule names, or `derived`. */
  select?: readonly string[] | undefined;
  /** All but these. */
  ignore?: readonly string[] | undefined;
  /** Other severities, by the same names. */
  severity?: Readonly<Record<string, Severity>> | undefined;
  limits?: Partial<Limits> | undefined;
  /** Findings stored for each code, severity and input; 0 stores all. 100 unless told otherwise. */
  maxPerRule?: number | undefined;
  /** False leaves the members of packages unread. */
  fixity?: boolean | undefined;
  /** An earlier report: what it has is taken off. */
  baseline?: Report | string | undefined;
  /** Called at most ten times a second, and once at the end. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Called with stored findings while they are found; their `input` is not set yet. The report has them in order. */
  onDiagnostics?: ((found: readonly Diagnostic[], input: number) => void) | undefined;
  /** Rejects the promise with `signal.reason`. */
  signal?: AbortSignal | undefined;
}

/** What a run over one input is told. */
export interface ValidateOptions extends RunOptions {
  /** In the report; a `File` has its own. */
  name?: string | undefined;
  uri?: string | undefined;
  /** `folder`: what is not for this tool is only listed under `skipped`. */
  via?: "argument" | "stdin" | "folder" | undefined;
  /** Bytes of a stream, where they are known: for progress. */
  size?: number | undefined;
}

/** One of several inputs. */
export interface Input {
  readonly source: ByteSource | RandomAccess | OpenFile;
  readonly name: string;
  readonly uri?: string | undefined;
  readonly via?: "argument" | "stdin" | "folder" | undefined;
}

/** How far a run has come. */
export interface Progress {
  /** The input at hand … */
  readonly name: string;
  /** … its place, from 0 … */
  readonly input: number;
  /** … among so many. */
  readonly inputs: number;
  /** Bytes of it that were read. */
  readonly bytes: number;
  readonly totalBytes?: number;
  /** Entries of it that were read. */
  readonly entries: number;
  /** What was found in it, exactly. */
  readonly counts: readonly Count[];
}

/** How often a code was found so far. */
export interface Count {
  readonly code: string;
  readonly severity: Severity;
  readonly count: number;
}

/** The formats a report can be written in. */
export type Format = "text" | "json" | "ndjson" | "sarif" | "junit" | "github" | "markdown" | "html" | "csv";

/** How a report is written. */
export interface RenderOptions {
  /** The language of text, Markdown and HTML. */
  lang?: Lang | undefined;
  /** Text is coloured for a terminal. */
  color?: boolean | undefined;
  /** Findings that text and Markdown show for each code, severity and input; 0 shows all. */
  maxPerRule?: number | undefined;
  /** Columns of the terminal; code frames are cut to fit. */
  width?: number | undefined;
}

/** Digests of something, as `hash` attributes write them: lower-case hex by the names of the standard. */
export interface Hashed {
  readonly length: number;
  readonly hashes: Readonly<Record<string, string>>;
}
