/** The types of the API: reports as in report.schema.json, options, sources. */

/** The kind of an input. */
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
  | "oai-response"
  | "unknown";

/** Whether there is an error; `undetermined` if something could not be checked. */
export type Verdict = "valid" | "invalid" | "undetermined";
/** The severity of a finding. */
export type Severity = "error" | "warning" | "info";
/** The languages of texts. */
export type Lang = "en" | "ja";
/** The profile of a run: `strict` reports violations of SHOULD as errors, `search-engines` also what these reject. */
export type Profile = "standard" | "strict" | "search-engines";
/** The requirement level of the standard. */
export type Level = "MUST" | "MUST NOT" | "SHOULD" | "SHOULD NOT" | "MAY" | "MUST / MAY";
/** How an input was found. */
export type Via = "argument" | "stdin" | "folder" | "zip" | "up" | "index" | "loc" | "contents" | "discovery";

/** The result of a run: the parsed JSON of the command. Absent values have no key; nothing is null. */
export interface Report {
  readonly format: "resourcesync-report";
  readonly formatVersion: 1;
  readonly tool: { readonly name: string; readonly version: string };
  readonly run: ReportRun;
  /** For all inputs, after filters. */
  readonly verdict: Verdict;
  /** True if the verdict would be `invalid` without the filters and the baseline. */
  readonly afterFilters?: true;
  readonly summary: Summary;
  readonly inputs: readonly ReportInput[];
  /** Files of a folder that were skipped. */
  readonly skipped?: readonly Skipped[];
  /** A summary of each set of resources, if a whole Source was crawled. */
  readonly sets?: readonly ReportSet[];
  /** Exact counts by input, code and severity. */
  readonly groups: readonly Group[];
  /** Exact counts of the findings that filters or a baseline removed, with the severity they would have. */
  readonly suppressed?: readonly Group[];
  /** The stored findings, by input, then offset (those without a position first), then code. */
  readonly diagnostics: readonly Diagnostic[];
}

/** How a run ended. */
export interface ReportRun {
  /** Whether all inputs were processed. */
  readonly status: "completed" | "stopped" | "failed";
  /** What ended an incomplete run. */
  readonly stoppedBy?: string;
  readonly profile: Profile;
  /** The configuration file that applied (command only). */
  readonly configuration?: string;
  /** The options that decide what the report contains, unless all are the defaults. */
  readonly options?: ReportOptions;
  /** Present if the findings of a baseline were subtracted. */
  readonly baseline?: true;
  /** The service that was checked, if the inputs are its responses. */
  readonly subject?: string;
  /** The family of the codes, such as `OAI`, if the inputs are not ResourceSync documents. */
  readonly family?: string;
}

/** The options of a run that decide what its report contains, apart from the profile. Defaults are omitted. */
export interface ReportOptions {
  /** The required kind of every document. */
  readonly expect?: Kind;
  /** The selected codes, families, rules and details. */
  readonly select?: readonly string[];
  /** The ignored ones. */
  readonly ignore?: readonly string[];
  /** The severities that were set, such as `GEN-17=warning`; later ones take precedence. */
  readonly severity?: readonly string[];
  /** The limits that were set, such as `depth=10`. */
  readonly limits?: readonly string[];
  /** Findings stored for each code, severity and input, if not 100; 0 for all. */
  readonly maxPerRule?: number;
  /** Present if the members of packages were not read. */
  readonly noFixity?: true;
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
  /** Decompressed bytes of all documents. */
  readonly bytes: number;
}

/** An input. */
export interface ReportInput {
  /** Its index in `inputs`. */
  readonly id: number;
  /** The id of the package it is a member of (`via` is `zip`), or of the input that led to it. */
  readonly parent?: number;
  readonly name: string;
  readonly uri?: string;
  readonly via: Via;
  readonly kind: Kind;
  /** Entries that were read. */
  readonly entries: number;
  /** Decompressed bytes that were read. */
  readonly bytes: number;
  readonly verdict: Verdict;
  /** Why it was not checked. */
  readonly reason?: string;
  /** The reason as a code with values, if it has one. */
  readonly cause?: Reason;
  /** A digest of its content, if it is closed and so must not change any more. */
  readonly closed?: string;
  /** The times that it states, as written, if a whole Source was crawled. */
  readonly times?: { readonly at?: string; readonly completed?: string; readonly from?: string; readonly until?: string };
}

/** Why something could not be read or fetched: a code such as `http-status`, and the values of its text. */
export interface Reason {
  readonly code: string;
  readonly args?: { readonly [name: string]: string };
}

/** A skipped file of a folder, and the reason. */
export interface Skipped {
  readonly name: string;
  readonly reason: string;
  /** The reason as a code with values, if it has one. */
  readonly cause?: Reason;
}

/** A set of resources, identified by its Capability List. */
export interface ReportSet {
  /** The id of the Capability List. */
  readonly input: number;
  /** The number of documents and packages of each kind. */
  readonly documents: { readonly [kind in Kind]?: number };
  /** Entries of its Resource Lists. */
  readonly resources: number;
  /** Entries of its Change Lists. */
  readonly changes: number;
  /** The sum of the declared lengths in its Resource Lists. */
  readonly bytes: number;
  /** Resources that were fetched and compared with their metadata. */
  readonly resourcesRead: number;
  /** The latest change in its Change Lists, as written. */
  readonly newestChange?: string;
}

/** The number of findings with a code in an input. */
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
  /** Like `derived` and `section`, absent for codes outside the standard. */
  readonly level?: Level;
  /** True if the standard implies the requirement but does not state it. */
  readonly derived?: boolean;
  /** One line in English. */
  readonly message: string;
  /** The values in the message. Numbers above 2^53 are rounded; `toJson` keeps them exact. */
  readonly args: { readonly [name: string]: string | number };
  /** The `reason` in the message as a code with values, if it has one. */
  readonly cause?: Reason;
  /** One line of advice on how to fix it, in English. */
  readonly help: string;
  readonly section?: string;
  /** The id of the input it was found in. */
  readonly input: number;
  /** Absent only if there is no text to point to. */
  readonly span?: Span;
  /** Such as `/urlset/url[37]/rs:md/@hash`. */
  readonly path?: string;
  readonly entry?: { readonly index: number; readonly loc?: string };
  readonly excerpt?: Excerpt;
  /** Other places that explain it. */
  readonly related: readonly { readonly role: string; readonly input: number; readonly span: Span }[];
  /** Does not change when lines and entries move. */
  readonly fingerprint: string;
}

/** A range of a document. Offset and length are bytes of the decompressed document in UTF-8; the end is exclusive. */
export interface Span {
  readonly offset: number;
  readonly length: number;
  readonly start: Point;
  readonly end: Point;
}

/** 1-based; columns count Unicode scalar values. */
export interface Point {
  readonly line: number;
  readonly column: number;
}

/** The line of a finding, truncated to 240 bytes. */
export interface Excerpt {
  readonly text: string;
  readonly line: number;
  readonly column: number;
  /** The range of characters (Unicode scalar values) of the finding in `text`, 0-based. */
  readonly highlight: readonly [number, number];
  readonly cutLeft: boolean;
  readonly cutRight: boolean;
}

/** The explanation of a code in one language. */
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
  /** The requirement. */
  readonly what: string;
  /** Why it matters to a harvester. */
  readonly why: string;
  /** How to fix it. */
  readonly fix: string;
  /** A document that violates it; absent if no single document can. */
  readonly wrong?: string;
  /** The same document, corrected. */
  readonly right?: string;
}

/** Every type of bytes. */
export type Bytes = Uint8Array | ArrayBuffer | ArrayBufferView;

/** The source of a document. A string is the text itself, never a path or URL. */
export type ByteSource =
  | string
  | Bytes
  | Blob
  | ReadableStream<Bytes>
  | AsyncIterable<Bytes | string>
  | Iterable<Bytes>;

/** Random access to bytes, such as HTTP range requests or a database. `read` must return exactly the requested bytes. */
export interface RandomAccess {
  readonly size: number;
  read(offset: number, length: number): Bytes | Promise<Bytes>;
}

/** The same, synchronously. */
export interface SyncRandomAccess {
  readonly size: number;
  read(offset: number, length: number): Bytes;
}

/** An open file of node: a `FileHandle`, or any object with a descriptor. It is not closed. */
export interface OpenFile {
  readonly fd: number;
}

/** The source of a package. */
export type PackageSource = Bytes | Blob | RandomAccess | OpenFile;

/** Limits on inputs. An exceeded limit is a finding (`LIM-nn`) and makes the verdict `undetermined`. */
export interface Limits {
  /** Decompressed bytes of a document. */
  readonly documentBytes: number;
  /** Entries of a document. */
  readonly entries: number;
  /** Nesting depth of elements. */
  readonly depth: number;
  /** Attributes of one element. */
  readonly attributes: number;
  /** Namespace declarations in scope. */
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
  /** Decompressed bytes per compressed byte of a document, or of a member that is unpacked, after the first MiB. */
  readonly inflateRatio: number;
  /** Entries, links and other elements before the `rs:md` of the document. */
  readonly lateHeadEntries: number;
  /** Bytes of elements in other namespaces that are kept per entry and for the root. */
  readonly extensionBytes: number;
  /** Members of one package. */
  readonly members: number;
  /** Bytes of the name of a member. */
  readonly memberNameBytes: number;
  /** Bytes of one segment of such a name. */
  readonly memberPartBytes: number;
  /** Segments of such a name. */
  readonly memberDepth: number;
  /** Decompressed bytes of all members of a package. */
  readonly packageBytes: number;
  /** Bytes that are unpacked from a package together: one member, or the members of one extraction. */
  readonly unpackedBytes: number;
  /** Entries of one document that a crawl keeps to follow them. */
  readonly keptEntries: number;
  /** Entries that a crawl keeps of all documents together. */
  readonly crawlEntries: number;
  /** Bytes of an entry that a crawl keeps. */
  readonly keptEntryBytes: number;
}

/** The options of every run. */
export interface RunOptions {
  /** The required kind of every input. */
  expect?: Kind | undefined;
  /** `strict` reports violations of SHOULD as errors, and advice as warnings. */
  profile?: Profile | undefined;
  /** Report only these codes, families, `XML-nn` details, rule names, or `derived`. */
  select?: readonly string[] | undefined;
  /** Do not report these. */
  ignore?: readonly string[] | undefined;
  /** Severities, by the same names. */
  severity?: Readonly<Record<string, Severity>> | undefined;
  limits?: Partial<Limits> | undefined;
  /** Maximum number of findings stored per code, severity and input; 0 stores all. Default: 100. */
  maxPerRule?: number | undefined;
  /** False does not read the members of packages. */
  fixity?: boolean | undefined;
  /** An earlier report, whose findings are removed. */
  baseline?: Report | string | undefined;
  /** Called at most ten times per second, and once at the end. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Called with stored findings as they are found; their `input` is not set yet. In the report they are ordered. */
  onDiagnostics?: ((found: readonly Diagnostic[], input: number) => void) | undefined;
  /** Rejects the promise with `signal.reason`. */
  signal?: AbortSignal | undefined;
}

/** The options of a run with one input. */
export interface ValidateOptions extends RunOptions {
  /** Its name in the report; defaults to the name of a `File`. */
  name?: string | undefined;
  uri?: string | undefined;
  /** `folder`: unrelated files are only listed under `skipped`. */
  via?: "argument" | "stdin" | "folder" | undefined;
  /** The length of a stream, if known, for progress. */
  size?: number | undefined;
}

/** One of several inputs. */
export interface Input {
  readonly source: ByteSource | RandomAccess | OpenFile;
  readonly name: string;
  readonly uri?: string | undefined;
  readonly via?: "argument" | "stdin" | "folder" | undefined;
}

/** The progress of a run. */
export interface Progress {
  /** The current input … */
  readonly name: string;
  /** … its 0-based index … */
  readonly input: number;
  /** … and the number of inputs. */
  readonly inputs: number;
  /** Bytes of it read so far. */
  readonly bytes: number;
  readonly totalBytes?: number;
  /** Entries of it read so far. */
  readonly entries: number;
  /** Exact counts of its findings. */
  readonly counts: readonly Count[];
}

/** The number of findings with a code so far. */
export interface Count {
  readonly code: string;
  readonly severity: Severity;
  readonly count: number;
}

/** The formats of reports. */
export type Format = "text" | "json" | "ndjson" | "sarif" | "junit" | "github" | "markdown" | "html" | "csv";

/** A format of reports, and the files it is written to. */
export interface FormatInfo {
  readonly name: Format;
  readonly mediaType: string;
  /** Without the dot. */
  readonly extension: string;
}

/** The options of rendering. */
export interface RenderOptions {
  /** The language of text, Markdown, HTML and CSV. */
  lang?: Lang | undefined;
  /** Colours text for a terminal. */
  color?: boolean | undefined;
  /** Maximum number of findings that text and Markdown show per code, severity and input; 0 shows all. */
  maxPerRule?: number | undefined;
  /** Width of the terminal in columns; excerpts are truncated to fit. */
  width?: number | undefined;
}

/** Digests as in `hash` attributes: lower-case hexadecimal by algorithm. */
export interface Hashed {
  readonly length: number;
  readonly hashes: Readonly<Record<string, string>>;
}
